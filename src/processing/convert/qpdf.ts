import { constants } from "node:fs";
import { copyFile, rename, writeFile } from "node:fs/promises";
import path from "node:path";
import { findProgram } from "./installed-program.ts";
import type { Sandbox, SandboxLimits } from "./sandbox.ts";

const usualPaths = ["/usr/bin/qpdf", "/usr/local/bin/qpdf", "/opt/homebrew/bin/qpdf", "/snap/bin/qpdf"];

/** The path of qpdf, or null. */
export const findQpdf = (setting: string): Promise<string | null> => findProgram(setting, usualPaths);

export interface RepairTask {
  from: string;
  to: string;
  /** Empty if the file opens without a password. */
  password: string;
  /** An empty folder for this file only. */
  folder: string;
  limits: SandboxLimits;
  hidden: readonly string[];
  signal?: AbortSignal | undefined;
}

/** The exit code of qpdf when it wrote a file with warnings. */
const madeWithWarnings = 3;

/**
 * Has qpdf rewrite a PDF without encryption and with a correct cross-reference table. Resolves to whether it succeeded.
 */
export async function repairWithQpdf(sandbox: Sandbox, program: string, task: RepairTask): Promise<boolean> {
  const source = path.join(task.folder, "source.pdf");
  const made = path.join(task.folder, "made.pdf");
  const password = path.join(task.folder, "password");
  await copyFile(task.from, source, constants.COPYFILE_FICLONE);
  // Every program of the machine could read a password on a command line.
  await writeFile(password, `${task.password}\n`, { mode: 0o600 });
  const ending = await sandbox.run(
    [program, "--decrypt", `--password-file=${password}`, "--object-streams=preserve", source, made],
    task,
  );
  if (ending.code !== 0 && ending.code !== madeWithWarnings) return false;
  return rename(made, task.to).then(
    () => true,
    () => false,
  );
}
