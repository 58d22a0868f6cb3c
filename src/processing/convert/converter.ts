import { copyFile, mkdtemp, rename, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { ConversionAnswer, ConversionTask, Converted } from "./conversion.ts";
import { checkFile } from "../file-check.ts";
import { checkKind } from "../file-kind.ts";
import { Sandbox, type SandboxLimits } from "./sandbox.ts";
import { convertWithLibreOffice, findLibreOffice } from "./libreoffice.ts";
import { findQpdf, repairWithQpdf } from "./qpdf.ts";
import { UnreadableFileError } from "../unreadable-file.ts";

/*
 * Files that are no PDFs become PDFs, each in a process of its own and a folder of its own, see `sandbox.ts`. Images, texts
 * and mail are converted by code of ours, so a server without LibreOffice takes them. What only LibreOffice can show is
 * given to it; without it, or where it fails, the common office files are still read for their text.
 */

export interface ConverterOptions {
  timeLimitSeconds: number;
  memoryLimitMb: number;
  /** How large a file may be that is to be converted; 26 if not given. */
  fileLimitMb?: number;
  /** How large the PDF may be; 501 if not given. */
  outputLimitMb?: number;
  /** The path of `soffice`; `auto`: where it usually is; `off`: without. */
  libreOffice: string;
  /** The path of `qpdf`, in the same way; `auto` if not given. */
  qpdf?: string;
  /** Folders that no converter has business in, such as that of all documents. */
  hidden?: readonly string[];
  /** Where each file gets a folder of its own; the system's for such files if not given. */
  workFolder?: string;
}

export interface Conversion extends ConversionTask {
  signal?: AbortSignal;
}

export interface Repair {
  from: string;
  to: string;
  /** Empty where the file is to open without one. */
  password: string;
  signal: AbortSignal;
}

export interface ConversionResult extends Converted {
  /** The most that the process took; only where it was a program of ours. */
  memoryMb?: number;
}

export interface Converter {
  /**
   * Writes a PDF at the path `to`, where no file is yet; after a failure there is none.
   *
   * @throws {UnreadableFileError} with the reason, for a person: also when the bytes are not what the extension claims.
   */
  toPdf(conversion: Conversion): Promise<ConversionResult>;
  /**
   * Has another program, where the machine has it, write a PDF anew that cannot be read as it is. Whether it could; what
   * it wrote, at a path where no file is yet, has to be read before it is believed.
   */
  repair(repair: Repair): Promise<boolean>;
}

const ours = new Set("jpg jpeg png gif tif tiff bmp txt csv xml eml".split(" "));
/** LibreOffice shows these better; they have a text, or an image, without it. */
const inNeed = new Set("htm html svg docx xlsx pptx odt ods odp fodt fods fodp".split(" "));

/** V8 asks for so much memory for code that it hardly uses; the kernel counts it all the same. */
const unusedByNodeMb = 544;
const forNodeItselfMb = 64;

export function openConverter(options: ConverterOptions): Converter {
  const { timeLimitSeconds, memoryLimitMb, fileLimitMb = 26, outputLimitMb = 501 } = options;
  const limits: SandboxLimits = { timeLimitSeconds, memoryLimitMb, outputLimitMb };
  const sandbox = new Sandbox();
  let found: Promise<string | null> | null = null;
  let foundQpdf: Promise<string | null> | null = null;

  const hiddenFrom = (folder: string): string[] =>
    (options.hidden ?? []).map((one) => path.resolve(one)).filter((one) => !isWithin(folder, one));

  const inOwnFolder = async <Result>(work: (folder: string) => Promise<Result>): Promise<Result> => {
    const folder = await mkdtemp(path.join(options.workFolder ?? tmpdir(), "quire-conversion-"));
    try {
      return await work(folder);
    } finally {
      await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    }
  };

  async function choose(task: Task): Promise<ConversionResult> {
    if (ours.has(task.extension)) return convertInProcess(sandbox, limits, task);
    found ??= findLibreOffice(options.libreOffice);
    const program = await found;
    const hidden = hiddenFrom(task.folder);
    if (program === null && !inNeed.has(task.extension)) throw needsLibreOffice(task.extension);
    if (program === null) {
      const result = await convertInProcess(sandbox, limits, task);
      return noting(result, `Converted without LibreOffice: ${whatIsLeft(task.extension)}`);
    }
    try {
      return await convertWithLibreOffice(sandbox, program, { ...task, limits, hidden });
    } catch (error) {
      if (!(error instanceof UnreadableFileError) || !inNeed.has(task.extension)) throw error;
      await rm(task.to, { force: true });
      const result = await convertInProcess(sandbox, limits, task);
      return noting(
        result,
        `LibreOffice did not convert it (${error.message}): ${whatIsLeft(task.extension)}`,
      );
    }
  }

  return {
    async toPdf({ from, extension, to, signal }) {
      await checkFile(from, fileLimitMb);
      await checkKind(from, extension);
      return inOwnFolder(async (folder) => {
        const made = path.join(folder, "made.pdf");
        const result = await choose({ from, extension, to: made, folder, signal });
        if ((await stat(made)).size > outputLimitMb * 1024 * 1024) {
          throw new UnreadableFileError("too-large", `larger than ${outputLimitMb} MB as a PDF`);
        }
        await move(made, to);
        return result;
      });
    },
    async repair({ from, to, password, signal }) {
      foundQpdf ??= findQpdf(options.qpdf ?? "auto");
      const program = await foundQpdf;
      if (program === null) return false;
      return inOwnFolder(async (folder) => {
        const made = path.join(folder, "repaired.pdf");
        const task = { from, to: made, password, folder, limits, hidden: hiddenFrom(folder), signal };
        const isMade = await repairWithQpdf(sandbox, program, task);
        if (isMade) await move(made, to);
        return isMade;
      });
    },
  };
}

interface Task extends ConversionTask {
  folder: string;
  signal: AbortSignal | undefined;
}

const program = fileURLToPath(new URL("./conversion-process.ts", import.meta.url));

async function convertInProcess(
  sandbox: Sandbox,
  limits: SandboxLimits,
  task: Task,
): Promise<ConversionResult> {
  const { from, extension, to, folder, signal } = task;
  const { timeLimitSeconds, memoryLimitMb } = limits;
  const given: ConversionTask = { from: path.resolve(from), extension, to };
  const heapMb = Math.max(48, memoryLimitMb - forNodeItselfMb);
  const ending = await sandbox.run(
    [
      process.execPath,
      `--max-old-space-size=${heapMb}`,
      "--max-semi-space-size=8",
      program,
      JSON.stringify(given),
    ],
    { folder, limits: { ...limits, memoryLimitMb: memoryLimitMb + unusedByNodeMb }, signal },
  );
  if (ending.isLate) throw new UnreadableFileError("too-slow", `took longer than ${timeLimitSeconds} s`);
  const answer = ending.code === 0 ? (JSON.parse(ending.output) as ConversionAnswer) : null;
  if (answer !== null && "converted" in answer) return { ...answer.converted, memoryMb: answer.memoryMb };
  if (answer !== null && /ENOSPC|EDQUOT/.test(answer.refused.reason)) {
    // Of no fault of the file.
    throw Object.assign(new Error("There is no room to convert files in"), { code: "ENOSPC" });
  }
  if (answer !== null && answer.refused.kind !== "too-much-memory") {
    throw new UnreadableFileError(answer.refused.kind, answer.refused.reason);
  }
  if (answer !== null || /alloc|memory/i.test(ending.complaints)) {
    throw new UnreadableFileError("too-much-memory", `needs more memory than ${memoryLimitMb} MB`);
  }
  throw new UnreadableFileError(
    "broken",
    `broken: the program that converts it failed on it, or needs more memory than ${memoryLimitMb} MB`,
  );
}

function noting(result: ConversionResult, note: string): ConversionResult {
  return { ...result, notes: [note, ...result.notes] };
}

const whatIsLeft = (extension: string): string =>
  extension === "svg" ? "it is shown as an image" : "its text is here, not its looks";

const needsLibreOffice = (extension: string): UnreadableFileError =>
  new UnreadableFileError(
    "no-converter",
    `Turning ${extension.toUpperCase()} files into pages needs LibreOffice: install it (Debian: apt-get install libreoffice) and process the document again`,
  );

function isWithin(inner: string, outer: string): boolean {
  const way = path.relative(path.resolve(outer), path.resolve(inner));
  return !way.startsWith("..") && !path.isAbsolute(way);
}

/** Also to another disk. */
async function move(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EXDEV") throw error;
    await copyFile(from, to);
  }
}
