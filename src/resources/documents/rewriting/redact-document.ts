import { busyStatuses } from "../../document-states.ts";
import type { Context } from "../../../context.ts";
import type { Writer } from "../../../database/database.ts";
import type { Job } from "../../../jobs/running-job.ts";
import { forgetUnusedWords, lockVocabulary } from "../../../search/text-index.ts";
import { plainWordsOf } from "../../../search/words.ts";
import { notifyWorkEnded } from "../../mails/notify-people.ts";
import { addHistory } from "../history-store.ts";
import { documentFolder, redactionFolder } from "../../../files/keys.ts";
import { findFileRemovals } from "../record/change-store.ts";
import { removeFiles } from "../record/remove-files.ts";
import { type OriginalOfCopy, endCopy, findOriginal } from "./copies-store.ts";
import { removeEntityOccurrences } from "../pages/page-parts-store.ts";
import { recogniseLater } from "../pages/language-store.ts";
import { foldedWords } from "./hidden-words.ts";
import { forgetHiddenCorrections } from "../pages/mention-store.ts";
import { type ReadPage, replacePages } from "../pages/page-store.ts";
import { endRereading } from "../pages/reread-store.ts";
import { type FileFacts, findFileFacts } from "../file-facts-store.ts";
import { endProgress } from "../processing/progress-store.ts";
import { purgeIndex } from "./purge-index.ts";
import { addReceipt } from "../receipt-store.ts";
import { isOriginalThere } from "./redacting-failed.ts";
import { findPartsWithWords, lockAttached, removeAttached } from "../processing/redacted-parts-store.ts";
import { type Redaction, makeRedactedFile, originalChanged } from "./redacted-file.ts";
import { RedactionFailedError, checkRedactedRows, reportedWords } from "./redaction-check.ts";
import {
  type RedactionPlan,
  type Rewrite,
  endRewrite,
  findRewrite,
  lockBusy,
  setFileHash,
  setRewritten,
} from "../processing/rewrite-store.ts";
import { addRedactedBoxes, copyRedactedBoxes } from "../withheld/box-store.ts";
import { removeRemains, removeRemainsOf } from "./rewritten-file.ts";
import { Turn } from "./turn.ts";

/*
 * A redaction blackens parts of pages. Each page with a box becomes an image with the boxes drawn on it, and nothing
 * else of that page is kept. The file is then assembled again from its pages, so it contains nothing of its former
 * structure. The images are recognised, so that their other words can still be found. The new file is searched for the
 * hidden words before it replaces the old one, and the database before the commit. If anything is found before the file
 * is replaced, the document is as it was before. If anything goes wrong after that, it ends in `error` and becomes
 * `private`, because the old text may still be in it.
 *
 * A redaction of many pages gives way to other jobs: the pages that are drawn and recognised wait in a folder of their
 * own (drawn-parts.ts). Redacting twice hides the same content, so a worker that takes over the job may do again what
 * was not stored. After the commit it only removes the remains of the old file again, and completes the job.
 */

/** @throws {UnreadableFileError | RedactionFailedError} with a reason for a person. */
export async function redactDocument(
  context: Pick<Context, "config" | "database" | "files" | "pdfs" | "ocr">,
  job: Job,
  signal: AbortSignal,
): Promise<void> {
  const { database } = context;
  const documentId = job.subject;
  if (job.options["cancelled"] === true) return context.files.deleteFolder(redactionFolder(documentId));
  const rewrite = await findRewrite(database.reader, documentId, "redact");
  const document = await findFileFacts(database.reader, documentId);
  if (document === null) return;
  // An earlier worker has published the result.
  if (rewrite === null) return removeRemainsOf(context, documentId);
  if (!busyStatuses.includes(document.status)) throw otherwise();
  if (rewrite.plan.boxes.length === 0) return nothingToHide(context, job);
  const turn = new Turn(job);
  const original = await findOriginal(database.reader, documentId);
  const result = await makeRedactedFile(context, job, { rewrite, document, original, turn, signal });
  if (result === null) return;
  await removeRemains(context, documentId);
  await checkOriginal(context, documentId, document);
  const attached = await replaceTexts(context, job, result, { original, userId: rewrite.userId });
  if (attached === null) return;
  // Nothing of the hidden content may be left anywhere once the document is reported as redacted. An earlier worker may
  // have removed documents and not their files.
  for (const { document_id: gone } of await findFileRemovals(database)) await removeFiles(context, gone);
  await purgeIndex(database, signal);
  const milliseconds = turn.spentMilliseconds;
  await publish(context, job, { rewrite, result, original, attached: attached.length, milliseconds });
  // A page image of the old file, or a file of an attachment, that was just being made may have been stored late.
  await removeRemainsOf(context, documentId);
  for (const gone of attached) await context.files.deleteFolder(documentFolder(gone));
}

/**
 * Locks the document; false if it was deleted. Throws if it is no longer being processed, so as not to report a
 * redaction.
 */
async function isStillOurs(writer: Writer, documentId: number): Promise<boolean> {
  if (await lockBusy(writer, documentId)) return true;
  if ((await findFileFacts(writer, documentId)) === null) return false;
  throw otherwise();
}

function otherwise(): RedactionFailedError {
  return new RedactionFailedError("Another action changed the document in the meantime");
}

/**
 * Replaces texts, positions and index entries in one commit, which also removes the documents made of attachments.
 * Returns the ids of those; null if the document was deleted.
 */
async function replaceTexts(
  { database }: Pick<Context, "database">,
  job: Job,
  { known, redacted, index, facts }: Redaction,
  { original, userId }: { original: OriginalOfCopy | null; userId: number },
): Promise<number[] | null> {
  const documentId = job.subject;
  const read = new Map(redacted.map((redactedPage) => [redactedPage.page, redactedPage.read]));
  const firstOfIndex = facts.page_count - index.length;
  const pages = Array.from({ length: facts.page_count }, (_, page): ReadPage => {
    const text = index[page - firstOfIndex];
    return text === undefined ? (read.get(page) ?? known.get(page) ?? { text: "" }) : { text };
  });
  const textsBefore = redacted.map(({ page }) => {
    const { text = "", recognised: { layer = "" } = {} } = known.get(page) ?? {};
    return { page, text: `${text} ${layer}` };
  });
  const wordsBefore = textsBefore.flatMap(({ text }) => plainWordsOf(text));
  return database.write(async (writer) => {
    if (!(await isStillOurs(writer, documentId))) return null;
    const attached = await lockAttached(writer, documentId);
    await lockVocabulary(writer);
    const left = await removeAttached(writer, { id: documentId, userId }, attached.ids);
    if (left.size > 0) throw new RedactionFailedError("The index still has words of attached files");
    const hidden = new Set(redacted.flatMap((one) => foldedWords(one.hidden)));
    await forgetHiddenCorrections(writer, documentId, textsBefore, hidden);
    await replacePages(writer, documentId, pages);
    await endRereading(writer, documentId);
    if (original !== null) await recogniseLater(writer, [documentId]);
    // If the redaction fails after this, the record names the new file, and no longer the old one.
    await setFileHash(writer, documentId, facts.file_hash);
    if (original !== null) await refuseIfChanged(writer, original);
    await removeEntityOccurrences(writer, documentId);
    await forgetUnusedWords(writer, [...wordsBefore, ...attached.words]);
    await checkRedactedRows(writer, documentId, redacted);
    await job.hold(writer);
    return attached.ids;
  });
}

async function refuseIfChanged(writer: Writer, { id, fileHash }: OriginalOfCopy): Promise<void> {
  if ((await findFileFacts(writer, id))?.fileHash !== fileHash) throw originalChanged();
}

/** The number of parts with hidden words that a receipt lists. */
const maxPartsListed = 100;

async function publish(
  context: Pick<Context, "config" | "database">,
  job: Job,
  done: {
    rewrite: Rewrite<RedactionPlan>;
    result: Redaction;
    original: OriginalOfCopy | null;
    /** How many documents were removed with the attachments. */
    attached: number;
    milliseconds: number;
  },
): Promise<void> {
  const documentId = job.subject;
  const { userId, plan } = done.rewrite;
  const { redacted, index, standing, unread, facts } = done.result;
  const { attached, milliseconds } = done;
  const parts = await findPartsWithWords(context.database, documentId, reportedWords(redacted));
  await context.database.write(async (writer) => {
    if (!(await isStillOurs(writer, documentId))) return;
    await setRewritten(writer, documentId, facts);
    const numbers = redacted.map(({ page }) => page + 1).toSorted((one, other) => one - other);
    await addReceipt(writer, {
      documentId,
      step: "redacted",
      outcome: "done",
      milliseconds,
      details: {
        pages: numbers,
        boxes: plan.boxes.length,
        words: redacted.reduce((sum, { hidden }) => sum + hidden.length, 0),
        ...(index.length > 0 && { index: index.length }),
        ...(unread.length > 0 && { unread }),
        ...(standing.length > 0 && { standing }),
        ...(attached > 0 && { attached_files: attached }),
        ...(parts.length > 0 && { parts: parts.slice(0, maxPartsListed), parts_count: parts.length }),
        checked: ["pdf", "pixels", "text", "positions", "index", "files"],
        sha1: facts.file_hash,
      },
    });
    const changes = { redacted_pages: [null, numbers] as const };
    await addHistory(writer, [{ documentId, userId, action: "redacted", changes }]);
    if (done.original !== null) {
      await copyRedactedBoxes(writer, done.original.id, documentId);
      // Otherwise these may be boxes of a redaction that this copy does not have.
      await refuseIfChanged(writer, done.original);
      await endCopy(writer, documentId, done.original, userId);
    }
    await addRedactedBoxes(writer, documentId, plan.boxes);
    await endRewrite(writer, documentId);
    await endProgress(writer, documentId);
    await job.hold(writer);
    await notifyWorkEnded(context, writer, documentId, "redacted", { by: userId });
  });
}

async function nothingToHide({ database }: Pick<Context, "database">, job: Job): Promise<void> {
  const documentId = job.subject;
  await database.write(async (writer) => {
    if (!(await isStillOurs(writer, documentId))) return;
    await setRewritten(writer, documentId, null);
    const details = { pages: [], boxes: 0, words: 0, checked: [] };
    await addReceipt(writer, { documentId, step: "redacted", outcome: "done", milliseconds: 0, details });
    await endRewrite(writer, documentId);
    await endProgress(writer, documentId);
    await job.complete(writer);
  });
}

/** Checks that the file that the PDF was made from has been removed. */
async function checkOriginal(
  context: Pick<Context, "files">,
  id: number,
  document: FileFacts,
): Promise<void> {
  if (document.extension !== "pdf" && (await isOriginalThere(context, id, document)))
    throw new RedactionFailedError("The file that the PDF was made from could not be removed");
}
