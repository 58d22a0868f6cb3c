import { constants } from "node:fs";
import { copyFile, rename, writeFile } from "node:fs/promises";
import path from "node:path";
import { findProgram } from "./installed-program.ts";
import type { Sandbox, SandboxLimits } from "./sandbox.ts";

const places = ["/usr/bin/qpdf", "/usr/local/bin/qpdf", "/opt/homebrew/bin/qpdf", "/snap/bin/qpdf"];

/** Where qpdf is, if it is there. */
export const findQpdf = (given: string): Promise<string | null> => findProgram(given, places);

export interface RepairTask {
  from: string;
  to: string;
  /** Empty where the file is to open without one. */
  password: string;
  /** An empty folder, for this file alone. */
  folder: string;
  limits: SandboxLimits;
  hidden: readonly string[];
  signal?: AbortSignal | undefined;
}

/** It made a file, and has something to say of what was wrong. */
const madeWithWarnings = 3;

/**
 * Has qpdf write a PDF anew, without encryption and with a table of objects that is right. Whether it could.
 */
export async function repairWithQpdf(sandbox: Sandbox, program: string, task: RepairTask): Promise<boolean> {
  const source = path.join(task.folder, "source.pdf");
  const made = path.join(task.folder, "made.pdf");
  const password = path.join(task.folder, "password");
  await copyFile(task.from, source, constants.COPYFILE_FICLONE);
  // On a command line every program of the machine could read it.
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
