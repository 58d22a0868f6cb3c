import { noticeFailure } from "../../mails/failure-notice-store.ts";
import { busyStatuses } from "../../document-states.ts";
import type { Context } from "../../../context.ts";
import type { Reader } from "../../../database/database.ts";
import type { Job } from "../../../jobs/running-job.ts";
import { findPagesAccount } from "../pages/page-reading-store.ts";
import { countPages, replacePages } from "../pages/page-store.ts";
import { type FileFacts, type ReadFacts, findFileFacts, setStatus } from "../file-facts-store.ts";
import { Progress, endProgress, findProgress } from "./progress-store.ts";
import {
  type OpenedFile,
  type ReadingServices,
  factsOf,
  openedFile,
  opening,
  readOpenedFile,
  soFarOf,
} from "./opened-file.ts";
import { reading } from "./read-pages.ts";
import { attemptOf, receiptsOfReading } from "./reading-receipts.ts";
import { addReceipt } from "../receipt-store.ts";
import { endRereading, findRereadPages } from "../pages/reread-store.ts";
import { makeListImages, removeImages } from "../files/page-images.ts";

/*
 * Processing turns a file into a readable document in three steps. A file of another type is first converted to PDF.
 * Then the pages are counted and measured, and can be viewed by everyone who may see the document. Then the text of each
 * page is read or recognised, and the document is `success`. Until then it stays `pending`, as at DocumentCloud: clients
 * wait for any other status, and a document that everyone can see has to be found by its words. Only a document that was
 * ready before is `readable` meanwhile.
 *
 * On a first reading, page texts are committed in batches. A worker that takes over the job continues after the last
 * batch, and no other writer waits for one huge commit. On a second reading, the old texts stay until all new ones are
 * ready: the new ones are collected in a separate table and replace the old ones in one commit. A long document yields
 * to other jobs after some pages, and its job continues later from there. In both cases the last commit also completes
 * the job, so a job that is taken over never takes effect twice.
 */

/** @throws {UnreadableFileError} with a reason for a person. Trying again would not help. */
export async function processDocument(
  context: ReadingServices,
  job: Job,
  signal: AbortSignal,
): Promise<void> {
  const { database } = context;
  const documentId = job.subject;
  const document = await findFileFacts(database.reader, documentId);
  if (document === null || !readStatuses.includes(document.status)) return;
  const progress = new Progress(database, job);
  await progress.note(opening);
  let soFar = soFarOf(job);
  await using file = await openedFile(context, job, document, soFar, signal);
  const { pdf } = file;
  const facts = await factsOf(file, signal);
  if (soFar?.fileHash !== facts.file_hash) soFar = null;
  const isAgain =
    job.options["anew"] === true ||
    soFar?.isAgain === true ||
    (await isReadAgain(database, documentId, document, facts));
  if (isAgain) {
    await database.write(async (writer) => {
      if (soFar === null) await endRereading(writer, documentId);
      await job.hold(writer);
    });
  } else {
    await keep(context, job, file);
    const { status } = document;
    const meanwhile = status === "success" ? "readable" : status;
    await database.write(async (writer) => {
      await setStatus(writer, documentId, { to: meanwhile, from: [status], facts });
      // The step tells followers that there are pages, since the status does not.
      await progress.noteIn(writer, reading, await countPages(writer, documentId), facts.page_count);
    });
  }
  const result = await readOpenedFile(context, job, {
    file,
    facts,
    document,
    isAgain,
    soFar,
    progress,
    signal,
  });
  if (result === null) return;
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

/** Documents in `success` are included: their text may be missing or wrong, and is then read again. */
const readStatuses = [...busyStatuses, "success"];

/** Stores a converted PDF. Throws if this worker no longer holds the job. */
async function keep({ database }: ReadingServices, job: Job, file: OpenedFile): Promise<void> {
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
  job: Pick<Job, "subject">,
  { status, extension }: FileFacts,
): Promise<"converted" | "read"> {
  if (extension === "pdf") return "read";
  const progress = await findProgress({ reader }, job.subject);
  if (progress === null) return status === "pending" ? "converted" : "read";
  return progress.step === opening ? "converted" : "read";
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
