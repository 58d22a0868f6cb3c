import { notifyWorkEnded } from "../../mails/notify-people.ts";
import { busyStatuses } from "../../document-states.ts";
import type { Context } from "../../../context.ts";
import type { Reader } from "../../../database/database.ts";
import type { Job } from "../../../jobs/running-job.ts";
import { findPagesAccount } from "../pages/page-reading-store.ts";
import { recogniseLater } from "../pages/language-store.ts";
import { countPages, replacePages } from "../pages/page-store.ts";
import { type FileFacts, type ReadFacts, findFileFacts, setStatus } from "../file-facts-store.ts";
import { Progress, endProgress, findProgress } from "./progress-store.ts";
import {
  type OpenedFile,
  type ReadingServices,
  type SoFar,
  factsOf,
  openedFile,
  opening,
  readOpenedFile,
  rereading,
  soFarOf,
} from "./opened-file.ts";
import { passwordOf } from "./file-passwords.ts";
import type { PagesRead } from "./read-pages.ts";
import { FirstReading } from "./first-reading.ts";
import { receiptsOfReading } from "./reading-receipts.ts";
import { addReceipt, attemptOf } from "../receipt-store.ts";
import { endRereading, findRereadPages } from "../pages/reread-store.ts";
import { dropWaitingChildren, noteMail } from "../families/new-children-store.ts";
import { type TakenChildren, takeChildren } from "../families/take-children.ts";
import { makeListImages, removeImages } from "../files/page-images.ts";

/*
 * Processing turns a file into a readable document in three steps. A file of another type is first converted to PDF.
 * Then the pages are counted and measured, and can be viewed by everyone who may see the document. Then the text of
 * each page is read or recognised, and the document is `success`. Until then it stays `pending`, as at DocumentCloud:
 * clients wait for any other status, and a document that everyone can see has to be found by its words. Only a document
 * that was ready before is `readable` meanwhile.
 *
 * Most files are read within a fraction of a second, and one transaction writes everything about them. On a longer
 * first reading, page texts are committed in batches. A worker that takes over the job continues after the last batch,
 * and no other writer waits for one huge commit. On a second reading, the old texts stay until all new ones are ready:
 * the new ones are collected in a separate table and replace the old ones in one commit. A long document yields to
 * other jobs after some pages, and its job continues later from there. In both cases the last commit also completes the
 * job, so a job that is taken over never takes effect twice.
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
  let soFar = soFarOf(job);
  await using file = await progress.noteDuring(opening, openedFile(context, job, document, soFar, signal));
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
    await keep(job, file);
  }
  const first = isAgain ? null : new FirstReading({ database, job, progress }, { document, facts });
  const sink = first ?? rereading(context, job, { facts, progress });
  if (soFar !== null) await first?.show();
  let result: PagesRead | null;
  try {
    const all = readOpenedFile(context, job, { file, facts, document, isAgain, soFar, sink, signal });
    result = await (first?.showDuring(all) ?? all);
  } catch (error) {
    // The account of a failure tells how far the file came.
    if (!signal.aborted) await first?.show();
    throw error;
  }
  if (result === null) return;
  if (isAgain) await keep(job, file);
  await job.check();
  const taking = takeFiles(context, job, { document, pdf, soFar, signal });
  const { receipt, mail } = await (first?.showDuring(taking) ?? taking);
  const drawing = makeListImages(context, pdf, documentId, facts.file_hash);
  const rendered = await (first?.showDuring(drawing) ?? drawing);
  await database.write(async (writer) => {
    const newFacts = first?.newFacts ?? facts;
    await setStatus(writer, documentId, { to: "success", from: readStatuses, facts: newFacts });
    const started = performance.now();
    await first?.addRest(writer);
    if (isAgain) {
      await replacePages(writer, documentId, await findRereadPages(writer, documentId));
      await endRereading(writer, documentId);
      await recogniseLater(writer, [documentId]);
    }
    result.spent.milliseconds.writing += performance.now() - started;
    const pages = await findPagesAccount(writer, documentId);
    const about = { facts, pages, result, language: document.language, rendered, job };
    for (const one of [...file.receipts, ...receiptsOfReading(about), ...(receipt === null ? [] : [receipt])])
      await addReceipt(writer, { documentId, ...one });
    if (mail !== null) await noteMail(writer, documentId, mail);
    await endProgress(writer, documentId);
    await job.complete(writer);
    await notifyWorkEnded(context, writer, documentId, "processed");
  });
  if (isAgain && document.fileHash !== facts.file_hash) {
    await removeImages(context.files, documentId, document.fileHash);
  }
}

/** A PDF without attachments is not opened once more to see what is in it. */
function takeFiles(
  context: ReadingServices,
  job: Job,
  of: { document: FileFacts; pdf: OpenedFile["pdf"]; soFar: SoFar | null; signal: AbortSignal },
): Promise<TakenChildren> {
  const { document, pdf, soFar, signal } = of;
  const hasFiles = document.extension !== "pdf" || pdf.hasAttachments || soFar?.hasAttachments === true;
  const container = { ...document, password: passwordOf(context, job), hasFiles };
  return takeChildren(context, job, container, signal);
}

/** Documents in `success` are included: their text may be missing or wrong, and is then read again. */
const readStatuses = [...busyStatuses, "success"];

/** Stores a converted PDF. Throws if this worker no longer holds the job. */
async function keep(job: Job, file: OpenedFile): Promise<void> {
  if (file.keep === null) return;
  await job.check();
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
    const isFailed = await setStatus(writer, documentId, { to: "error", from: busyStatuses });
    const step = await stepOf(writer, job, document);
    await addReceipt(writer, {
      documentId,
      step,
      outcome: "failed",
      milliseconds: 0,
      details: { message, ...attemptOf(job) },
    });
    await endRereading(writer, documentId);
    await dropWaitingChildren(writer, documentId);
    await endProgress(writer, documentId);
    await job.complete(writer);
    if (isFailed) await notifyWorkEnded({ config, database }, writer, documentId, "failed");
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
