import { constants } from "node:fs";
import { copyFile, mkdir, rename, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Converted } from "./conversion.ts";
import { findProgram } from "./installed-program.ts";
import type { Sandbox, SandboxLimits } from "./sandbox.ts";
import { UnreadableFileError } from "../unreadable-file.ts";

const usualPaths = [
  "/usr/bin/soffice",
  "/usr/local/bin/soffice",
  "/usr/bin/libreoffice",
  "/usr/lib/libreoffice/program/soffice",
  "/opt/libreoffice/program/soffice",
  "/snap/bin/libreoffice",
  "/Applications/LibreOffice.app/Contents/MacOS/soffice",
];

/** The path of LibreOffice, or null. */
export const findLibreOffice = (setting: string): Promise<string | null> => findProgram(setting, usualPaths);

const off = (at: string, name: string, value: string): string =>
  `<item oor:path="/org.openoffice.Office.${at}"><prop oor:name="${name}" oor:op="fuse"><value>${value}</value></prop></item>`;

/** Turns off macros and links to other files: a document could include any file of this machine. */
const profile = [
  `<?xml version="1.0" encoding="UTF-8"?>`,
  `<oor:items xmlns:oor="http://openoffice.org/2001/registry">`,
  off("Common/Security/Scripting", "MacroSecurityLevel", "3"),
  off("Common/Security/Scripting", "DisableMacrosExecution", "true"),
  off("Common/Security/Scripting", "BlockUntrustedRefererLinks", "true"),
  off("Common/Security/Scripting", "DisableActiveContent", "true"),
  off("Common/Misc", "FirstRun", "false"),
  off("Common/Misc", "UseLocking", "false"),
  off("Writer/Content/Update", "Link", "0"),
  off("Calc/Content/Update", "Link", "2"),
  "</oor:items>",
].join("\n");

export interface OfficeTask {
  from: string;
  extension: string;
  to: string;
  /** An empty folder for this file only. */
  folder: string;
  limits: SandboxLimits;
  hidden: readonly string[];
  signal?: AbortSignal | undefined;
}

/** @throws {UnreadableFileError} */
export async function convertWithLibreOffice(
  sandbox: Sandbox,
  program: string,
  task: OfficeTask,
): Promise<Converted> {
  const { folder, limits } = task;
  const settings = path.join(folder, "profile", "user");
  await mkdir(settings, { recursive: true });
  await writeFile(path.join(settings, "registrymodifications.xcu"), profile);
  const source = path.join(folder, `document.${task.extension}`);
  await copyFile(task.from, source, constants.COPYFILE_FICLONE);
  // Without a filter, LibreOffice opens HTML as a web page and loses its first heading.
  const isHtml = task.extension === "html" || task.extension === "htm";
  const ending = await sandbox.run(
    [
      program,
      `-env:UserInstallation=file://${path.join(folder, "profile")}`,
      ...(isHtml ? ["--infilter=HTML (StarWriter)"] : []),
      ..."--headless --norestore --nologo --nodefault --nolockcheck --convert-to pdf --outdir".split(" "),
      path.join(folder, "out"),
      source,
    ],
    task,
  );
  if (ending.isLate)
    throw new UnreadableFileError("too-slow", `took longer than ${limits.timeLimitSeconds} s`);
  const isMade = await rename(path.join(folder, "out", "document.pdf"), task.to).then(
    () => true,
    () => false,
  );
  if (isMade && ending.code === 0) return { engine: "libreoffice", notes: [] };
  if (ending.code !== 0) {
    throw new UnreadableFileError(
      "too-much-memory",
      `LibreOffice failed on it: it may be broken, or need more memory than ${limits.memoryLimitMb} MB`,
    );
  }
  throw new UnreadableFileError(
    "broken",
    "LibreOffice cannot read it: it may be broken, or locked with a password",
  );
}
