import { copyFile, readFile, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import type { Unpacked, Unpacking } from "../unpack/unpacking.ts";
import type { ConversionTask, MailParts, Stamps, TableRange, TableRows } from "./conversion.ts";
import { ConversionProcesses, type ConversionResult, type ProcessTask } from "./conversion-processes.ts";
import { fileKinds, isArchive } from "../../file-kinds.ts";
import { checkFile } from "../file-check.ts";
import { checkKind } from "../file-kind.ts";
import { Sandbox, type SandboxLimits } from "./sandbox.ts";
import { convertWithLibreOffice, findLibreOffice } from "./libreoffice.ts";
import { type RepairProgram, type RepairTask, findRepairPrograms, repairPdf } from "./repair-pdf.ts";
import { UnreadableFileError } from "../unreadable-file.ts";
import { makeWorkFolder } from "../../work-folders.ts";

/*
 * Converts other file types to PDF in separate processes, see `sandbox.ts`. Quire's own code converts images, texts and
 * mail (`conversion-processes.ts`), so a server without LibreOffice accepts them. LibreOffice converts the other types,
 * in a process and a folder for each file. If it is missing or fails, the text of the common office files is still
 * read.
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
  /** The paths of programs that repair PDFs, in the same form; `auto` if not given. */
  repair?: Readonly<Partial<Record<RepairProgram, string>>>;
  /** Folders that are hidden from converters, such as the data folder. */
  hidden?: readonly string[];
  /** The parent of each conversion's folder; the system's folder for temporary files if not given. */
  workFolder?: string;
}

export interface Conversion extends ConversionTask {
  signal?: AbortSignal;
  /** The id of the file's owner. Files of one owner may share a process; without an owner, a file shares none. */
  owner?: number | undefined;
}

export interface Repair {
  from: string;
  to: string;
  /** Empty if the file opens without a password. */
  password: string;
  signal: AbortSignal;
}

export type { ConversionResult, MailParts, RepairProgram, TableRows };

/** A file, its extension without a dot, and a signal that ends the reading. */
export interface FileToRead {
  from: string;
  extension: string;
  signal: AbortSignal;
}

export interface Converter {
  /**
   * Writes a PDF at the path `to`, where there must be no file. A failure leaves no file there.
   *
   * @throws {UnreadableFileError} with the reason, for a person. It is also thrown if the bytes do not match the
   * extension.
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
   * Writes the next files of a container, such as a mail or an archive, into a folder. Files of one owner may share a
   * process, as in {@link toPdf}.
   *
   * @throws {UnreadableFileError} if nothing of it could be read.
   */
  unpack(file: FileToRead & Pick<Conversion, "owner">, go: Unpacking): Promise<Unpacked>;
  /**
   * Writes a copy of a PDF at the path `to`, where there must be no file, with the words in the file `wordsPath`
   * (`WordsOfPage` as JSON in each line) as invisible text.
   *
   * @throws {UnreadableFileError}
   */
  searchable(copy: { from: string; to: string; wordsPath: string; signal: AbortSignal }): Promise<void>;
  /**
   * Writes a copy of a PDF at the path `to`, where there must be no file, whose pages have a white strip more at their
   * lower edges, with these words.
   *
   * @throws {UnreadableFileError}
   */
  stamped(copy: { from: string; to: string; stamps: Stamps; signal: AbortSignal }): Promise<void>;
  /** The installed programs that repair PDFs, in the order in which they should be tried. */
  repairPrograms(): Promise<readonly RepairProgram[]>;
  /**
   * Rewrites an unreadable PDF with a program that is installed. Resolves to whether it wrote a file at the path `to`,
   * where there must be none before. Read the file before you trust it.
   */
  repair(program: RepairProgram, repair: Repair): Promise<boolean>;
  /** Ends the processes that are kept for more files. */
  close(): Promise<void>;
}

/** How long a person may wait for a part of a file. */
const maxWaitSeconds = 20;

export function openConverter(options: ConverterOptions): Converter {
  const { timeLimitSeconds, memoryLimitMb, fileLimitMb = 26, outputLimitMb = 501 } = options;
  const limits: SandboxLimits = { timeLimitSeconds, memoryLimitMb, outputLimitMb };
  const sandbox = new Sandbox();
  const processes = new ConversionProcesses(sandbox, limits);
  let found: Promise<string | null> | null = null;

  const hiddenFrom = (folder: string): string[] =>
    (options.hidden ?? [])
      .map((hidden) => path.resolve(hidden))
      .filter((hidden) => !isWithin(folder, hidden));

  const inOwnFolder = async <Result>(work: (folder: string) => Promise<Result>): Promise<Result> => {
    await using folder = await makeWorkFolder("conversion", options.workFolder);
    return await work(folder.path);
  };

  async function choose(task: ProcessTask): Promise<ConversionResult> {
    const { converter, fallback } = fileKinds.get(task.extension) ?? {};
    if (converter !== undefined) return processes.convert(task);
    const program = await (found ??= findLibreOffice(options.libreOffice));
    const hidden = hiddenFrom(task.folder);
    if (program === null && fallback === undefined) throw needsLibreOffice(task.extension);
    if (program === null) {
      const result = await processes.convert(task);
      return noting(result, `Converted without LibreOffice: ${describeFallback(task.extension)}`);
    }
    try {
      return await convertWithLibreOffice(sandbox, program, { ...task, limits, hidden });
    } catch (error) {
      if (!(error instanceof UnreadableFileError) || fallback === undefined) throw error;
      await rm(task.to, { force: true });
      const result = await processes.convert(task);
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
      const task = { from, extension, to, folder, signal, extract: part };
      await processes.convert(task, Math.min(timeLimitSeconds, maxWaitSeconds));
      return JSON.parse(await readFile(to, "utf8")) as Part;
    });
  }

  return {
    tableRows: (file, range) => extract<TableRows>(file, { kind: "table", ...range }),
    mailParts: (file) => extract<MailParts>(file, { kind: "mail" }),
    ...inProcesses(processes, memoryLimitMb),
    async toPdf({ from, extension, to, owner, signal, password = "" }) {
      await checkConvertible(from, extension, fileLimitMb);
      return inOwnFolder(async (folder) => {
        const made = path.join(folder, "made.pdf");
        const result = await choose({ from, extension, to: made, password, owner, folder, signal });
        if ((await stat(made)).size > outputLimitMb * 1024 * 1024) {
          throw new UnreadableFileError("too-large", `larger than ${outputLimitMb} MB as a PDF`);
        }
        await move(made, to);
        return result;
      });
    },
    ...repairs(sandbox, options.repair ?? {}, (task, work) =>
      inOwnFolder((folder) => work({ ...task, folder, limits, hidden: hiddenFrom(folder) })),
    ),
    close: () => processes.close(),
  };
}

/** The part of a converter that takes files apart, and puts words into them. */
function inProcesses(
  processes: ConversionProcesses,
  memoryLimitMb: number,
): Pick<Converter, "unpack" | "searchable" | "stamped"> {
  return {
    unpack: (file, go) => unpackIn(processes, file, go),
    async searchable({ from, to, wordsPath, signal }) {
      const extract = { kind: "searchable", wordsPath: path.resolve(wordsPath), memoryLimitMb } as const;
      await processes.convert({ ...copyOf(from, to), signal, extract });
    },
    async stamped({ from, to, stamps, signal }) {
      const extract = { kind: "stamped", ...stamps, memoryLimitMb } as const;
      await processes.convert({ ...copyOf(from, to), signal, extract });
    },
  };
}

function copyOf(from: string, to: string): Pick<ProcessTask, "from" | "extension" | "to" | "folder"> {
  const written = path.resolve(to);
  return { from, extension: "pdf", to: written, folder: path.dirname(written) };
}

/** The part of a converter that repairs PDFs. `within` calls `work` with a folder for the task alone. */
function repairs(
  sandbox: Sandbox,
  { qpdf = "auto", mutool = "auto", pdftocairo = "auto" }: NonNullable<ConverterOptions["repair"]>,
  within: (repair: Repair, work: (task: RepairTask) => Promise<boolean>) => Promise<boolean>,
): Pick<Converter, "repairPrograms" | "repair"> {
  let found: Promise<ReadonlyMap<RepairProgram, string>> | null = null;
  const paths = (): NonNullable<typeof found> => (found ??= findRepairPrograms({ qpdf, mutool, pdftocairo }));
  return {
    repairPrograms: async () => [...(await paths()).keys()],
    async repair(program, repair) {
      const installed = (await paths()).get(program);
      if (installed === undefined) return false;
      return within(repair, async (task) => {
        const made = path.join(task.folder, "repaired.pdf");
        const isMade = await repairPdf(sandbox, [program, installed], { ...task, to: made });
        if (isMade) await move(made, task.to);
        return isMade;
      });
    },
  };
}

/** @throws {UnreadableFileError} unless it is a file of this kind. An archive may be larger: only its list is read. */
async function checkConvertible(from: string, extension: string, fileLimitMb: number): Promise<void> {
  if (!fileKinds.has(extension)) throw unknownKind(extension);
  await checkFile(from, isArchive(extension) ? Infinity : fileLimitMb);
  await checkKind(from, extension);
}

async function unpackIn(
  processes: ConversionProcesses,
  { from, extension, owner, signal }: Parameters<Converter["unpack"]>[0],
  go: Unpacking,
): Promise<Unpacked> {
  await checkKind(from, extension);
  const to = path.join(go.folder, "files.json");
  const task = { from, extension, to, owner, folder: go.folder, signal };
  await processes.convert({ ...task, extract: { kind: "files", ...go } });
  return JSON.parse(await readFile(to, "utf8")) as Unpacked;
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

const unknownKind = (extension: string): UnreadableFileError =>
  new UnreadableFileError(
    "wrong-kind",
    `Quire cannot show files of the type ${extension.toUpperCase()}. The file is kept as it came`,
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
