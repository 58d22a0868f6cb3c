import { constants } from "node:fs";
import { copyFile, rename, writeFile } from "node:fs/promises";
import path from "node:path";
import { findProgram } from "./installed-program.ts";
import type { Sandbox, SandboxLimits } from "./sandbox.ts";

/*
 * Programs that write a broken PDF again, each with a parser of its own. They are tried in this order: qpdf keeps all
 * of a file, mutool what it finds of its objects, and pdftocairo draws the pages again.
 */

export const repairPrograms = ["qpdf", "mutool", "pdftocairo"] as const;

export type RepairProgram = (typeof repairPrograms)[number];

const usualFolders = ["/usr/bin", "/usr/local/bin", "/opt/homebrew/bin", "/snap/bin"];

/**
 * The paths of the programs that are installed, in the order in which they are tried.
 *
 * @param settings the path of each program, `auto` to search the usual folders, or `off`
 */
export async function findRepairPrograms(
  settings: Readonly<Record<RepairProgram, string>>,
): Promise<ReadonlyMap<RepairProgram, string>> {
  const found = new Map<RepairProgram, string>();
  for (const program of repairPrograms) {
    const usualPaths = usualFolders.map((folder) => `${folder}/${program}`);
    const installed = await findProgram(settings[program], usualPaths);
    if (installed !== null) found.set(program, installed);
  }
  return found;
}

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

/** Whether a program takes a password from a file. Every program of the machine could read it on a command line. */
export const takesPassword = (program: RepairProgram): boolean => program === "qpdf";

/** The exit code of qpdf when it wrote a file with warnings. */
const madeWithWarnings = 3;

/**
 * Has a program rewrite a PDF without encryption and with a correct cross-reference table. Resolves to whether it
 * succeeded.
 */
export async function repairPdf(
  sandbox: Sandbox,
  [program, installed]: readonly [RepairProgram, string],
  task: RepairTask,
): Promise<boolean> {
  const source = path.join(task.folder, "source.pdf");
  const made = path.join(task.folder, "made.pdf");
  await copyFile(task.from, source, constants.COPYFILE_FICLONE);
  const { code } = await sandbox.run([installed, ...(await argumentsOf(program, source, made, task))], task);
  if (code !== 0 && !(program === "qpdf" && code === madeWithWarnings)) return false;
  return rename(made, task.to).then(
    () => true,
    () => false,
  );
}

async function argumentsOf(
  program: RepairProgram,
  source: string,
  made: string,
  { folder, password: word }: RepairTask,
): Promise<string[]> {
  switch (program) {
    case "qpdf": {
      const password = path.join(folder, "password");
      await writeFile(password, `${word}\n`, { mode: 0o600 });
      return ["--decrypt", `--password-file=${password}`, "--object-streams=preserve", source, made];
    }
    case "mutool":
      return ["clean", "-D", source, made];
    case "pdftocairo":
      return ["-pdf", source, made];
  }
}
