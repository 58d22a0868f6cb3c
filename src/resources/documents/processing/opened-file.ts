import type { Context } from "../../../context.ts";
import { isArchive } from "../../../file-kinds.ts";
import { sha1OfFile } from "../../../files/file-hash.ts";
import type { BorrowedFile } from "../../../files/file-store.ts";
import { documentFileKey } from "../../../files/keys.ts";
import type { Job } from "../../../jobs/running-job.ts";
import { formatPageSpec } from "../../../processing/page-spec.ts";
import type { PdfDocument } from "../../../processing/pdf/pdf-pages.ts";
import { UnreadableFileError } from "../../../processing/unreadable-file.ts";
import type { FileFacts, ReadFacts } from "../file-facts-store.ts";
import { countPages } from "../pages/page-store.ts";
import { addRereadPages, endRereading, findRereadPages } from "../pages/reread-store.ts";
import type { ReceiptOfOne } from "../receipt-store.ts";
import { passwordOf } from "./file-passwords.ts";
import type { Progress } from "./progress-store.ts";
import { type PageSink, type PagesRead, type Spent, readPages, reading } from "./read-pages.ts";
import { openReadablePdf } from "./readable-pdf.ts";
import { makeWorkFolder } from "../../../work-folders.ts";

/** The services that reading a document's file needs. */
export type ReadingServices = Pick<
  Context,
  "config" | "database" | "files" | "images" | "pdfs" | "ocr" | "converter" | "secrets"
>;

/** The PDF to read: the file itself, or the PDF that it was converted to. */
export interface OpenedFile extends AsyncDisposable {
  path: string;
  pdf: PdfDocument;
  receipts: ReceiptOfOne[];
  /** Stores the PDF; null if it is stored already. */
  keep: (() => Promise<void>) | null;
  /** Quire itself drew the pages, from a text. */
  isDrawnFromText: boolean;
}

/** The progress of a job that yielded to others. It is stored in the job's options. */
export interface SoFar extends Pick<OpenedFile, "receipts" | "isDrawnFromText"> {
  fileHash: string;
  isAgain: boolean;
  spent: Spent;
  pdfSeconds: number;
  /** Whether files are attached to the PDF or pinned to one of the pages that were read. */
  hasAttachments: boolean;
}

const nothingSpent: Spent = { milliseconds: { reading: 0, recognising: 0, writing: 0 }, textLength: 0 };

export function soFarOf({ options }: Job): SoFar | null {
  return (options["so_far"] as SoFar | undefined) ?? null;
}

const enginesOfText = new Set<string>(["text", "mail", "contents", "office-text"]);

/** The file that a job reads. */
export interface ReadFile extends Pick<FileFacts, "slug" | "extension" | "owner"> {
  /** By default, that of the document's original. */
  key?: string;
}

/** @throws {UnreadableFileError} */
export async function openedFile(
  context: ReadingServices,
  job: Job,
  { slug, extension, owner, key }: ReadFile,
  soFar: SoFar | null,
  signal: AbortSignal,
): Promise<OpenedFile> {
  const { config, files, converter, pdfs } = context;
  const id = job.subject;
  const isMade = extension !== "pdf" && soFar !== null;
  const original = await borrowed(files, key ?? documentFileKey(id, slug, isMade ? "pdf" : extension));
  await using borrowing = new AsyncDisposableStack();
  borrowing.use(original);
  if (extension === "pdf" || isMade) {
    const source = {
      path: original.path,
      password: passwordOf(context, job),
      whole: { spentSeconds: soFar?.pdfSeconds ?? 0 },
    };
    const file = borrowing.use(await openReadablePdf(context, source, signal));
    const held = borrowing.move();
    return {
      path: file.path,
      pdf: file.pdf,
      receipts: [...(soFar?.receipts ?? []), ...(file.receipt === null ? [] : [file.receipt])],
      isDrawnFromText: soFar?.isDrawnFromText ?? false,
      keep: file.receipt === null ? null : () => files.put(documentFileKey(id, slug, "pdf"), file.path),
      [Symbol.asyncDispose]: () => held.disposeAsync(),
    };
  }
  const started = performance.now();
  await using held = new AsyncDisposableStack();
  const made = held.use(await makeWorkFolder("document")).file("document.pdf");
  if (original.bytes > config.documentLimitMb * 1024 * 1024 && !isArchive(extension)) {
    throw new UnreadableFileError("too-large", `The file is larger than ${config.documentLimitMb} MB`);
  }
  const { engine, notes } = await converter.toPdf({
    from: original.path,
    extension,
    to: made,
    password: passwordOf(context, job),
    owner,
    signal,
  });
  const milliseconds = performance.now() - started;
  const details = { from: extension, engine, ...(notes.length > 0 && { notes }) };
  const pdf = await pdfs.open(made);
  held.defer(() => pdf.close());
  const kept = held.move();
  return {
    path: made,
    pdf,
    receipts: [{ step: "converted", outcome: "done", milliseconds, details }],
    keep: () => files.put(documentFileKey(id, slug, "pdf"), made),
    isDrawnFromText: enginesOfText.has(engine),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

async function borrowed(files: Context["files"], key: string): Promise<BorrowedFile & { bytes: number }> {
  const facts = await files.stat(key);
  const file = facts === null ? null : await files.borrow(key);
  if (facts === null || file === null) throw new UnreadableFileError("unreachable", "The file is missing");
  return Object.assign(file, { bytes: facts.size });
}

export async function factsOf({ path: file, pdf }: OpenedFile, signal: AbortSignal): Promise<ReadFacts> {
  const { pageCount, pageSizes } = pdf.facts;
  const file_hash = await sha1OfFile(file, signal);
  return { page_count: pageCount, page_spec: formatPageSpec(pageSizes), file_hash };
}

/** The progress step until there is a PDF to read. */
export const opening = "opening";

/** What is read, and how far an earlier run of the job has come. */
export interface OpenedReading {
  file: OpenedFile;
  facts: ReadFacts;
  document: FileFacts;
  /** The document keeps its pages until all new ones are read: they are stored in `reread_pages` meanwhile. */
  isAgain: boolean;
  soFar: SoFar | null;
  /** Takes the pages. */
  sink: PageSink;
  signal: AbortSignal;
}

/** A reading while the document keeps its pages: the new ones are collected, and replace the old ones at the end. */
export function rereading(
  { database }: Pick<Context, "database">,
  job: Job,
  { facts, progress }: { facts: ReadFacts; progress: Progress },
): PageSink {
  return {
    note: (done) => progress.note(reading, done, facts.page_count),
    show: () => Promise.resolve(),
    take: (pages, from) =>
      database.write(async (writer) => {
        await addRereadPages(writer, job.subject, from, pages);
        await job.hold(writer);
      }),
  };
}

/** Reads the pages of an opened file and stores them. Null if the job gave way to others, and continues later. */
export async function readOpenedFile(
  context: ReadingServices,
  job: Job,
  { file, facts, document, isAgain, soFar, sink, signal }: OpenedReading,
): Promise<PagesRead | null> {
  const { database } = context;
  const { pdf } = file;
  const documentId = job.subject;
  // On a second reading, a converted PDF is stored only at the end. The job cannot pause before that: converting the
  // file again would produce a different PDF.
  const canGoOn = !isAgain || file.keep === null;
  const result = await readPages(
    context,
    pdf,
    {
      forceOcr: job.options["force_ocr"] === true,
      language: document.language,
      first: isAgain
        ? (await findRereadPages(database.reader, documentId)).length
        : await countPages(database.reader, documentId),
      signal,
      shares: [{ name: `owner ${document.owner}` }, { name: `document ${documentId}` }],
      isDrawnFromText: file.isDrawnFromText,
      spent: soFar?.spent ?? nothingSpent,
      isLong: job.isLong,
      isAwaited: async () => canGoOn && (await job.isAwaited()),
      mayRetry: canGoOn,
    },
    sink,
  );
  if (result.next !== null) {
    const { spent } = result;
    const { receipts, isDrawnFromText } = file;
    const so_far: SoFar = {
      fileHash: facts.file_hash,
      isAgain,
      spent,
      pdfSeconds: pdf.spentSeconds,
      hasAttachments: pdf.hasAttachments || soFar?.hasAttachments === true,
      receipts,
      isDrawnFromText,
    };
    await sink.show();
    await database.write(async (writer) => {
      const { so_far: _, ...options } = job.options;
      if (!canGoOn) await endRereading(writer, documentId);
      await job.giveWay(writer, canGoOn ? { ...options, so_far } : options);
    });
    return null;
  }
  return result;
}
