import { copyFile, mkdtemp, readFile, rename, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type {
  ConversionAnswer,
  ConversionTask,
  Converted,
  MailParts,
  TableRange,
  TableRows,
} from "./conversion.ts";
import { checkFile } from "../file-check.ts";
import { checkKind } from "../file-kind.ts";
import { Sandbox, type SandboxLimits } from "./sandbox.ts";
import { convertWithLibreOffice, findLibreOffice } from "./libreoffice.ts";
import { findQpdf, repairWithQpdf } from "./qpdf.ts";
import { UnreadableFileError } from "../unreadable-file.ts";

/*
 * Converts other file types to PDF. Each file gets a separate process and a separate folder, see `sandbox.ts`. Quire's own
 * code converts images, texts and mail, so a server without LibreOffice accepts them. LibreOffice converts the other
 * types. If it is missing or fails, the text of the common office files is still read.
 */

export interface ConverterOptions {
  timeLimitSeconds: number;
  memoryLimitMb: number;
  /** The largest file that is converted; 26 if not given. */
  fileLimitMb?: number;
  /** The largest PDF that a conversion may write; 501 if not given. */
  outputLimitMb?: number;
  /** The path of `soffice`, `auto` to search the usual paths, or `off`. */
  libreOffice: string;
  /** The path of `qpdf`, in the same form; `auto` if not given. */
  qpdf?: string;
  /** Folders that are hidden from converters, such as the data folder. */
  hidden?: readonly string[];
  /** The parent of each conversion's folder; the system's folder for temporary files if not given. */
  workFolder?: string;
}

export interface Conversion extends ConversionTask {
  signal?: AbortSignal;
}

export interface Repair {
  from: string;
  to: string;
  /** Empty if the file opens without a password. */
  password: string;
  signal: AbortSignal;
}

export type { MailParts, TableRows };

/** A file, its extension without a dot, and a signal that ends the reading. */
export interface FileToRead {
  from: string;
  extension: string;
  signal: AbortSignal;
}

export interface ConversionResult extends Converted {
  /** The peak memory of the process. Known only for conversions by Quire's own code. */
  memoryMb?: number;
}

export interface Converter {
  /**
   * Writes a PDF at the path `to`, where there must be no file. A failure leaves no file there.
   *
   * @throws {UnreadableFileError} with the reason, for a person. It is also thrown if the bytes do not match the extension.
   */
  toPdf(conversion: Conversion): Promise<ConversionResult>;
  /**
   * Some rows of a CSV file or of a workbook (XLSX), for a person who waits for them.
   *
   * @throws {UnreadableFileError}
   */
  tableRows(file: FileToRead, range: TableRange): Promise<TableRows>;
  /**
   * The headers and attachments of a mail (EML), for a person who waits for them.
   *
   * @throws {UnreadableFileError}
   */
  mailParts(file: FileToRead): Promise<MailParts>;
  /**
   * Rewrites an unreadable PDF with qpdf, if it is installed. Resolves to whether qpdf wrote a file at the path `to`, where
   * there must be none before. Read the file before you trust it.
   */
  repair(repair: Repair): Promise<boolean>;
}

const builtIn = new Set("jpg jpeg png gif tif tiff bmp txt csv xml eml".split(" "));
/** LibreOffice converts these better, but Quire can convert their text, or draw an image of them, without it. */
const fallbacks = new Set("htm html svg docx xlsx pptx odt ods odp fodt fods fodp".split(" "));

/** V8 reserves this much memory for code. It hardly uses it, but the kernel counts it. */
const unusedByNodeMb = 544;
const forNodeItselfMb = 64;

/** How long a person may wait for a part of a file. */
const maxWaitSeconds = 20;

export function openConverter(options: ConverterOptions): Converter {
  const { timeLimitSeconds, memoryLimitMb, fileLimitMb = 26, outputLimitMb = 501 } = options;
  const limits: SandboxLimits = { timeLimitSeconds, memoryLimitMb, outputLimitMb };
  const sandbox = new Sandbox();
  let found: Promise<string | null> | null = null;
  let foundQpdf: Promise<string | null> | null = null;

  const hiddenFrom = (folder: string): string[] =>
    (options.hidden ?? [])
      .map((hidden) => path.resolve(hidden))
      .filter((hidden) => !isWithin(folder, hidden));

  const inOwnFolder = async <Result>(work: (folder: string) => Promise<Result>): Promise<Result> => {
    const folder = await mkdtemp(path.join(options.workFolder ?? tmpdir(), "quire-conversion-"));
    try {
      return await work(folder);
    } finally {
      await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    }
  };

  async function choose(task: Task): Promise<ConversionResult> {
    if (builtIn.has(task.extension)) return convertInProcess(sandbox, limits, task);
    found ??= findLibreOffice(options.libreOffice);
    const program = await found;
    const hidden = hiddenFrom(task.folder);
    if (program === null && !fallbacks.has(task.extension)) throw needsLibreOffice(task.extension);
    if (program === null) {
      const result = await convertInProcess(sandbox, limits, task);
      return noting(result, `Converted without LibreOffice: ${describeFallback(task.extension)}`);
    }
    try {
      return await convertWithLibreOffice(sandbox, program, { ...task, limits, hidden });
    } catch (error) {
      if (!(error instanceof UnreadableFileError) || !fallbacks.has(task.extension)) throw error;
      await rm(task.to, { force: true });
      const result = await convertInProcess(sandbox, limits, task);
      return noting(
        result,
        `LibreOffice did not convert it (${error.message}): ${describeFallback(task.extension)}`,
      );
    }
  }

  /** Reads a part of a file in the process that converts files, with a shorter limit on time. */
  async function extract<Part>(
    { from, extension, signal }: FileToRead,
    part: NonNullable<ConversionTask["extract"]>,
  ): Promise<Part> {
    await checkFile(from, fileLimitMb);
    await checkKind(from, extension);
    return inOwnFolder(async (folder) => {
      const to = path.join(folder, "part.json");
      const shorter = { ...limits, timeLimitSeconds: Math.min(timeLimitSeconds, maxWaitSeconds) };
      await convertInProcess(sandbox, shorter, { from, extension, to, folder, signal, extract: part });
      return JSON.parse(await readFile(to, "utf8")) as Part;
    });
  }

  return {
    tableRows: (file, range) => extract<TableRows>(file, { kind: "table", ...range }),
    mailParts: (file) => extract<MailParts>(file, { kind: "mail" }),
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
  const { from, extension, to, folder, signal, extract } = task;
  const { timeLimitSeconds, memoryLimitMb } = limits;
  const argument: ConversionTask = { from: path.resolve(from), extension, to, ...(extract && { extract }) };
  const heapMb = Math.max(48, memoryLimitMb - forNodeItselfMb);
  const ending = await sandbox.run(
    [
      process.execPath,
      `--max-old-space-size=${heapMb}`,
      "--max-semi-space-size=8",
      program,
      JSON.stringify(argument),
    ],
    { folder, limits: { ...limits, memoryLimitMb: memoryLimitMb + unusedByNodeMb }, signal },
  );
  if (ending.isLate) throw new UnreadableFileError("too-slow", `took longer than ${timeLimitSeconds} s`);
  const answer = ending.code === 0 ? (JSON.parse(ending.output) as ConversionAnswer) : null;
  if (answer !== null && "converted" in answer) return { ...answer.converted, memoryMb: answer.memoryMb };
  if (answer !== null && /ENOSPC|EDQUOT/.test(answer.refused.reason)) {
    // The file is not at fault.
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

const describeFallback = (extension: string): string =>
  extension === "svg" ? "it is shown as an image" : "its text is here, not its looks";

const needsLibreOffice = (extension: string): UnreadableFileError =>
  new UnreadableFileError(
    "no-converter",
    `Turning ${extension.toUpperCase()} files into pages needs LibreOffice: install it (Debian: apt-get install libreoffice) and process the document again`,
  );

function isWithin(inner: string, outer: string): boolean {
  const relative = path.relative(path.resolve(outer), path.resolve(inner));
  return !relative.startsWith("..") && !path.isAbsolute(relative);
}

/** Moves a file, even to another disk. */
async function move(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EXDEV") throw error;
    await copyFile(from, to);
  }
}
