import { busyStatuses } from "../../document-states.ts";
import type { Context } from "../../../context.ts";
import { documentFileKey, documentFolder, replacementFolder } from "../../../files/keys.ts";
import type { Job } from "../../../jobs/running-job.ts";
import { UnreadableFileError } from "../../../processing/unreadable-file.ts";
import { type FileFacts, type ReadFacts, findFileFacts, setStatus } from "../file-facts-store.ts";
import { makeListImages } from "../files/page-images.ts";
import { noteArrival } from "../files/received-file-store.ts";
import { type Changes, addHistory } from "../history-store.ts";
import { countPartsBeyond, removeEntityOccurrences } from "../pages/page-parts-store.ts";
import { findPagesAccount } from "../pages/page-reading-store.ts";
import { recogniseLater } from "../pages/language-store.ts";
import { replacePages } from "../pages/page-store.ts";
import { endRereading, findRereadPages } from "../pages/reread-store.ts";
import {
  type OpenedFile,
  type ReadingServices,
  factsOf,
  openedFile,
  opening,
  readOpenedFile,
  rereading,
  soFarOf,
} from "../processing/opened-file.ts";
import { Progress, endProgress } from "../processing/progress-store.ts";
import { receiptsOfReading } from "../processing/reading-receipts.ts";
import {
  type Replacement,
  endRewrite,
  findRewrite,
  isRemote,
  lockBusy,
  noteResult,
  setRewritten,
  statusAfterFailure,
} from "../processing/rewrite-store.ts";
import { removeRedactedBoxes } from "../withheld/box-store.ts";
import { type ReceiptOfOne, addReceipt } from "../receipt-store.ts";

/*
 * A file that is to replace a document's own waits beside it, in a folder of its own, until all of it has been read.
 * Then it takes the place of the old file, and one commit gives the document its texts and facts. Until that commit the
 * document keeps its file and its texts, and so it does if the new file cannot be read. After the commit, what is left
 * of the old file is removed, and the job ends.
 *
 * Putting the file in place twice has the same result, so a worker that takes over the job starts from the beginning.
 * If there is no plan, an earlier worker has carried it out, or somebody has cancelled it: then only the remains are
 * removed.
 */

/** @throws {UnreadableFileError} with a reason for a person. */
export async function replaceFileOfDocument(
  context: ReadingServices,
  job: Job,
  signal: AbortSignal,
): Promise<void> {
  const { database } = context;
  const documentId = job.subject;
  const rewrite = await findRewrite(database.reader, documentId, "replace");
  const document = await findFileFacts(database.reader, documentId);
  if (rewrite === null) return removeOldFile(context, job);
  if (document === null || !busyStatuses.includes(document.status)) return;
  const { plan } = rewrite;
  // The file is still being fetched. This job will be queued again when it has arrived.
  if (isRemote(plan)) return;
  const started = performance.now();
  const progress = new Progress(database, job);
  await progress.note(opening);
  let soFar = soFarOf(job);
  const { slug, owner } = document;
  const source = { slug, owner, extension: plan.extension, key: plan.key };
  await using file = await openedFile(context, job, source, soFar, signal);
  const facts = await factsOf(file, signal);
  if (soFar?.fileHash !== facts.file_hash) soFar = null;
  if (soFar === null) {
    await database.write(async (writer) => {
      await endRereading(writer, documentId);
      await job.hold(writer);
    });
  }
  const sink = rereading(context, job, { facts, progress });
  const reading = { file, facts, document, isAgain: true, soFar, sink, signal };
  const result = await readOpenedFile(context, job, reading);
  if (result === null) return;
  const rendered = await makeListImages(context, file.pdf, documentId, facts.file_hash);
  signal.throwIfAborted();
  await exchangeFiles(context, job, { document, plan, file, facts });
  await database.write(async (writer) => {
    if (!(await lockBusy(writer, documentId))) return;
    const writing = performance.now();
    await replacePages(writer, documentId, await findRereadPages(writer, documentId));
    await endRereading(writer, documentId);
    await recogniseLater(writer, [documentId]);
    result.spent.milliseconds.writing += performance.now() - writing;
    await removeEntityOccurrences(writer, documentId);
    await removeRedactedBoxes(writer, documentId);
    const changes = changesOf({ document, plan, facts });
    await setRewritten(writer, documentId, facts, plan.extension);
    const origin = plan.host === undefined ? {} : { host: plan.host };
    await noteArrival(writer, documentId, keptAs(document, documentId, plan), { ...origin, isRead: true });
    const pages = await findPagesAccount(writer, documentId);
    const read = { facts, pages, result, language: document.language, rendered, job };
    const { page_count, file_hash: sha1 } = facts;
    const beyond = await countPartsBeyond(writer, documentId, page_count);
    const replaced: ReceiptOfOne = {
      step: "replaced",
      outcome: "done",
      milliseconds: performance.now() - started,
      details: { pages: page_count, ...beyond, sha1 },
    };
    for (const receipt of [...file.receipts, ...receiptsOfReading(read), replaced])
      await addReceipt(writer, { documentId, ...receipt });
    await addHistory(writer, [{ documentId, userId: rewrite.userId, action: "replaced", changes }]);
    await endRewrite(writer, documentId);
    await endProgress(writer, documentId);
    await job.hold(writer);
  });
  await removeOldFile(context, job);
}

interface NewFile {
  document: FileFacts;
  plan: Replacement;
  facts: ReadFacts;
}

/** Puts the new file where the old one is. From now on, the job cannot be cancelled. */
async function exchangeFiles(
  { database, files }: ReadingServices,
  job: Job,
  { document: { slug }, plan, file, facts }: NewFile & { file: OpenedFile },
): Promise<void> {
  const id = job.subject;
  await database.write(async (writer) => {
    await noteResult(writer, id, facts.file_hash);
    await job.hold(writer);
  });
  if (plan.extension !== "pdf") {
    await using original = await files.borrow(plan.key);
    if (original === null) throw new UnreadableFileError("unreachable", "The file is missing");
    await files.put(documentFileKey(id, slug, plan.extension), original.path);
  }
  await files.put(documentFileKey(id, slug, "pdf"), file.path);
}

/** What arrived, under the key that it has as the document's file. */
function keptAs({ slug }: FileFacts, id: number, plan: Replacement): Replacement {
  return { ...plan, key: documentFileKey(id, slug, plan.extension) };
}

function changesOf({ document, plan, facts }: NewFile): Changes {
  const all: Changes = {
    page_count: [document.pageCount, facts.page_count],
    original_extension: [document.extension, plan.extension],
    file_hash: [document.fileHash, facts.file_hash],
  };
  return Object.fromEntries(Object.entries(all).filter(([, [from, to]]) => from !== to));
}

/**
 * Removes what is left of a file that was replaced: an original of another type, the images of its pages, and the copy
 * of the new file that waited. The job's option `replaced` is the extension that the old file had.
 */
async function removeOldFile(
  { database, files }: Pick<ReadingServices, "database" | "files">,
  job: Job,
): Promise<void> {
  const id = job.subject;
  await files.deleteFolder(replacementFolder(id));
  const document = await findFileFacts(database.reader, id);
  if (document === null) return;
  const { slug, extension, fileHash } = document;
  const old = job.options["replaced"];
  if (typeof old === "string" && old !== "pdf" && old !== extension)
    await files.delete(documentFileKey(id, slug, old));
  const images = `${documentFolder(id)}/images`;
  for await (const hash of files.folders(images))
    if (hash !== fileHash) await files.deleteFolder(`${images}/${hash}`);
}

/**
 * Records that a file could not be fetched, or could not replace a document's own, and why. The document gets its
 * status back.
 */
export async function replacingFailed(
  context: Pick<Context, "database" | "files">,
  job: Job,
  message: string,
): Promise<void> {
  const { database, files } = context;
  const documentId = job.subject;
  await database.write(async (writer) => {
    if (!(await lockBusy(writer, documentId))) return;
    const rewrite = await findRewrite(writer, documentId, "replace");
    if (rewrite === null) return;
    // If putting the new file in place failed halfway, the document's file has to be read again before it is shown.
    await setStatus(writer, documentId, { to: statusAfterFailure(rewrite), from: busyStatuses });
    const details = { message };
    await addReceipt(writer, { documentId, step: "replaced", outcome: "failed", milliseconds: 0, details });
    await endRewrite(writer, documentId);
    await endRereading(writer, documentId);
    await endProgress(writer, documentId);
    await job.hold(writer);
  });
  await files.deleteFolder(replacementFolder(documentId));
}
