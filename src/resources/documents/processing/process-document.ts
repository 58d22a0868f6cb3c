import { noticeFailure } from "../../mails/failure-notice-store.ts";
import { busyStatuses } from "../../document-states.ts";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Context } from "../../../context.ts";
import type { Reader } from "../../../database/database.ts";
import type { BorrowedFile } from "../../../files/file-store.ts";
import { sha1OfFile } from "../../../files/file-hash.ts";
import { documentFileKey } from "../../../files/keys.ts";
import type { Job } from "../../../jobs/running-job.ts";
import { formatPageSpec } from "../../../processing/page-spec.ts";
import type { LenientPdfFacts } from "../../../processing/pdf/pdf-facts.ts";
import type { PdfDocument } from "../../../processing/pdf/pdf-pages.ts";
import { UnreadableFileError } from "../../../processing/unreadable-file.ts";
import { passwordOf } from "./file-passwords.ts";
import { findPagesAccount } from "../pages/page-reading-store.ts";
import { addPages, countPages, replacePages } from "../pages/page-store.ts";
import { type FileFacts, type ReadFacts, findFileFacts, setStatus } from "../file-facts-store.ts";
import { Progress, endProgress, findProgress } from "./progress-store.ts";
import { type Spent, readPages } from "./read-pages.ts";
import { openReadablePdf } from "./readable-pdf.ts";
import { attemptOf, receiptsOfReading } from "./reading-receipts.ts";
import { type ReceiptOfOne, addReceipt } from "../receipt-store.ts";
import { addRereadPages, endRereading, findRereadPages } from "../pages/reread-store.ts";
import { makeListImages, removeImages } from "../files/page-images.ts";

type Storage = Pick<
  Context,
  "config" | "database" | "files" | "images" | "pdfs" | "ocr" | "converter" | "secrets"
>;

/*
 * Processing turns a file into a readable document in three steps. A file of another type is first converted to PDF.
 * Then the pages are counted and measured; the document is now `readable`, because its pages can be viewed. Then the
 * text of each page is read or recognised, and the document is `success`.
 *
 * On a first reading, page texts are committed in batches. A worker that takes over the job continues after the last
 * batch, and no other writer waits for one huge commit. On a second reading, the old texts stay until all new ones are
 * ready: the new ones are collected in a separate table and replace the old ones in one commit. A long document yields
 * to other jobs after some pages, and its job continues later from there. In both cases the last commit also completes
 * the job, so a job that is taken over never takes effect twice.
 */

/** @throws {UnreadableFileError} with a reason for a person. Trying again would not help. */
export async function processDocument(context: Storage, job: Job, signal: AbortSignal): Promise<void> {
  const { database } = context;
  const documentId = job.subject;
  const document = await findFileFacts(database.reader, documentId);
  if (document === null || !readStatuses.includes(document.status)) return;
  const progress = new Progress(database, job);
  await progress.note(opening);
  let soFar = soFarOf(job);
  await using file = await openedFile(context, job, document, soFar, signal);
  const { pdf } = file;
  const facts = factsOf(pdf.facts, await sha1OfFile(file.path, signal));
  if (soFar?.fileHash !== facts.file_hash) soFar = null;
  const isAgain =
    job.options["anew"] === true ||
    soFar?.isAgain === true ||
    (await isReadAgain(database, documentId, document, facts));
  if (isAgain) {
    await database.write(async (writer) => {
      if (soFar === null) await endRereading(writer, documentId);
      await setStatus(writer, documentId, { to: "readable", from: busyStatuses });
      await job.hold(writer);
    });
  } else {
    await keep(context, job, file);
    await database.write(async (writer) => {
      await setStatus(writer, documentId, { to: "readable", from: readStatuses, facts });
      await job.hold(writer);
    });
  }
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
      progress,
      shares: [{ name: `owner ${document.owner}` }, { name: `document ${documentId}` }],
      isDrawnFromText: file.isDrawnFromText,
      spent: soFar?.spent ?? nothingSpent,
      isLong: job.isLong,
      isAwaited: async () => canGoOn && (await job.isAwaited()),
    },
    async (pages, from) => {
      await database.write(async (writer) => {
        await (isAgain ? addRereadPages : addPages)(writer, documentId, from, pages);
        await job.hold(writer);
      });
    },
  );
  if (result.next !== null) {
    const { spent } = result;
    const { receipts, isDrawnFromText } = file;
    const so_far: SoFar = {
      fileHash: facts.file_hash,
      isAgain,
      spent,
      pdfSeconds: pdf.spentSeconds,
      receipts,
      isDrawnFromText,
    };
    await database.write(async (writer) => {
      const { so_far: _, ...options } = job.options;
      if (!canGoOn) await endRereading(writer, documentId);
      await job.giveWay(writer, canGoOn ? { ...options, so_far } : options);
    });
    return;
  }
  if (isAgain) await keep(context, job, file);
  await database.write((writer) => job.hold(writer));
  const rendered = await makeListImages(context, pdf, documentId, facts.file_hash);
  await database.write(async (writer) => {
    await setStatus(writer, documentId, { to: "success", from: readStatuses, ...(isAgain && { facts }) });
    const started = performance.now();
    if (isAgain) {
      await replacePages(writer, documentId, await findRereadPages(writer, documentId));
      await endRereading(writer, documentId);
    }
    result.spent.milliseconds.writing += performance.now() - started;
    const pages = await findPagesAccount(writer, documentId);
    const { language } = document;
    const receipts = receiptsOfReading({ facts, pages, result, language, rendered, job });
    for (const receipt of [...file.receipts, ...receipts])
      await addReceipt(writer, { documentId, ...receipt });
    await endProgress(writer, documentId);
    await job.complete(writer);
  });
  if (isAgain && document.fileHash !== facts.file_hash) {
    await removeImages(context.files, documentId, document.fileHash);
  }
}

/** The progress step until there is a PDF to read. */
const opening = "opening";

/** Documents in `success` are included: their text may be missing or wrong, and is then read again. */
const readStatuses = [...busyStatuses, "success"];

/** Stores a converted PDF. Throws if this worker no longer holds the job. */
async function keep({ database }: Storage, job: Job, file: OpenedFile): Promise<void> {
  if (file.keep === null) return;
  await database.write((writer) => job.hold(writer));
  await file.keep();
}

/** Records that a document could not be processed, and why. */
export async function processingFailed(
  { config, database }: Pick<Context, "config" | "database">,
  job: Job,
  message: string,
): Promise<void> {
  const documentId = job.subject;
  await database.write(async (writer) => {
    const document = await findFileFacts(writer, documentId);
    if (document === null) return;
    if (await setStatus(writer, documentId, { to: "error", from: busyStatuses }))
      await noticeFailure({ config, database }, writer, documentId);
    const step = await stepOf(writer, job, document);
    await addReceipt(writer, {
      documentId,
      step,
      outcome: "failed",
      milliseconds: 0,
      details: { message, ...attemptOf(job) },
    });
    await endRereading(writer, documentId);
    await endProgress(writer, documentId);
    await job.complete(writer);
  });
}

/** The step that a job is in: converting the file to PDF, or reading the PDF. */
export async function stepOf(
  reader: Pick<Reader, "selectFrom">,
  job: Pick<Job, "subject" | "options">,
  { status, extension }: FileFacts,
): Promise<"converted" | "read"> {
  if (extension === "pdf") return "read";
  if (status === "pending") return "converted";
  const progress = job.options["anew"] === true ? await findProgress({ reader }, job.subject) : null;
  return progress?.step === opening ? "converted" : "read";
}

/** The PDF to read: the file itself, or the PDF that it was converted to. */
interface OpenedFile extends AsyncDisposable {
  path: string;
  pdf: PdfDocument;
  receipts: ReceiptOfOne[];
  /** Stores the PDF; null if it is stored already. */
  keep: (() => Promise<void>) | null;
  /** Quire itself drew the pages, from a text. */
  isDrawnFromText: boolean;
}

/** The progress of a job that yielded to others. It is stored in the job's options. */
interface SoFar extends Pick<OpenedFile, "receipts" | "isDrawnFromText"> {
  fileHash: string;
  isAgain: boolean;
  spent: Spent;
  pdfSeconds: number;
}

const nothingSpent: Spent = { milliseconds: { reading: 0, recognising: 0, writing: 0 }, textLength: 0 };

function soFarOf({ options }: Job): SoFar | null {
  return (options["so_far"] as SoFar | undefined) ?? null;
}

const enginesOfText = new Set<string>(["text", "mail", "office-text"]);

async function openedFile(
  context: Storage,
  job: Job,
  { slug, extension }: FileFacts,
  soFar: SoFar | null,
  signal: AbortSignal,
): Promise<OpenedFile> {
  const { config, files, converter, pdfs } = context;
  const id = job.subject;
  const isMade = extension !== "pdf" && soFar !== null;
  const original = await borrowed(files, documentFileKey(id, slug, isMade ? "pdf" : extension));
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
  const folder = await mkdtemp(path.join(tmpdir(), "quire-document-"));
  const made = path.join(folder, "document.pdf");
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    if (original.bytes > config.documentLimitMb * 1024 * 1024) {
      throw new UnreadableFileError("too-large", `The file is larger than ${config.documentLimitMb} MB`);
    }
    const { engine, notes } = await converter.toPdf({ from: original.path, extension, to: made, signal });
    const milliseconds = performance.now() - started;
    const details = { from: extension, engine, ...(notes.length > 0 && { notes }) };
    const pdf = await pdfs.open(made);
    return {
      path: made,
      pdf,
      receipts: [{ step: "converted", outcome: "done", milliseconds, details }],
      keep: () => files.put(documentFileKey(id, slug, "pdf"), made),
      isDrawnFromText: enginesOfText.has(engine),
      async [Symbol.asyncDispose]() {
        await pdf.close();
        await remove();
      },
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function borrowed(files: Context["files"], key: string): Promise<BorrowedFile & { bytes: number }> {
  const facts = await files.stat(key);
  const file = facts === null ? null : await files.borrow(key);
  if (facts === null || file === null) throw new UnreadableFileError("unreachable", "The file is missing");
  return Object.assign(file, { bytes: facts.size });
}

function factsOf({ pageCount, pageSizes }: LenientPdfFacts, file_hash: string): ReadFacts {
  return { page_count: pageCount, page_spec: formatPageSpec(pageSizes), file_hash };
}

/** Whether the existing page texts come from another file, and not from an interrupted attempt at this one. */
async function isReadAgain(
  { reader }: Context["database"],
  documentId: number,
  { fileHash }: FileFacts,
  facts: ReadFacts,
): Promise<boolean> {
  return fileHash !== facts.file_hash && (await countPages(reader, documentId)) > 0;
}
