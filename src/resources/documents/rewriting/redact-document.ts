import { busyStatuses } from "../../document-states.ts";
import type { Context } from "../../../context.ts";
import type { Writer } from "../../../database/database.ts";
import { sha1OfFile } from "../../../files/file-hash.ts";
import { writeFlatPages } from "../../../processing/pdf/flat-page.ts";
import { formatPageSpec } from "../../../processing/page-spec.ts";
import type { PageWord } from "../../../processing/pdfium/page-words.ts";
import type { Job } from "../../../jobs/running-job.ts";
import { forgetUnusedWords, lockVocabulary } from "../../../search/text-index.ts";
import { plainWordsOf } from "../../../search/words.ts";
import { addHistory } from "../history-store.ts";
import { type OriginalOfCopy, endCopy, findOriginal } from "./copies-store.ts";
import { wordsUnder } from "./hidden-words.ts";
import { removeEntityOccurrences } from "../pages/page-parts-store.ts";
import { findReadPages } from "../pages/page-reading-store.ts";
import { recogniseLater } from "../pages/language-store.ts";
import { type ReadPage, replacePages } from "../pages/page-store.ts";
import { type FileFacts, findFileFacts } from "../file-facts-store.ts";
import { Progress, endProgress } from "../processing/progress-store.ts";
import { purgeIndex } from "./purge-index.ts";
import { addReceipt } from "../receipt-store.ts";
import { isOriginalThere } from "./redacting-failed.ts";
import { recogniseRedacted, wordsOfLayer } from "./redacted-page.ts";
import {
  type RedactedPage,
  RedactionFailedError,
  type StandingPage,
  checkRedactedFile,
  checkRedactedRows,
} from "./redaction-check.ts";
import {
  type PageBox,
  type Rewrite,
  endRewrite,
  findRewrite,
  lockBusy,
  setFileHash,
  setRewritten,
} from "../processing/rewrite-store.ts";
import { maxTurns, turnedWordsRecognised } from "../pages/turned-words.ts";
import { makeWorkFolder } from "../../../work-folders.ts";
import { borrowedPdf, removeRemains, removeRemainsOf, replaceFile } from "./rewritten-file.ts";

/*
 * A redaction blackens parts of pages. Each page with a box becomes an image with the boxes drawn on it, and nothing
 * else of that page is kept. The file is then assembled again from its pages, so it contains nothing of its former
 * structure. The images are recognised, so that their other words can still be found. The new file is searched for the
 * hidden words before it replaces the old one, and the database before the commit. If anything is found before the file
 * is replaced, the document is as it was before. If anything goes wrong after that, it ends in `error` and becomes
 * `private`, because the old text may still be in it.
 *
 * Redacting twice hides the same content, so a worker that takes over the job starts from the beginning. After the
 * commit it only removes the remains of the old file again, and completes the job.
 */

/** @throws {UnreadableFileError | RedactionFailedError} with a reason for a person. */
export async function redactDocument(
  context: Pick<Context, "database" | "files" | "pdfs" | "ocr">,
  job: Job,
  signal: AbortSignal,
): Promise<void> {
  const { database } = context;
  const documentId = job.subject;
  const rewrite = await findRewrite(database.reader, documentId, "redact");
  const document = await findFileFacts(database.reader, documentId);
  if (document === null) return;
  // An earlier worker has published the result.
  if (rewrite === null) return removeRemainsOf(context, documentId);
  if (!busyStatuses.includes(document.status)) throw otherwise();
  if (rewrite.plan.length === 0) return nothingToHide(context, job, rewrite);
  const started = performance.now();
  const original = await findOriginal(database.reader, documentId);
  const result = await replacePdf(context, job, { rewrite, document, original, signal });
  await removeRemains(context, documentId);
  await checkOriginal(context, documentId, document);
  if (!(await replaceTexts(context, job, result, original))) return;
  // Nothing of the hidden content may be left anywhere once the document is reported as redacted.
  await purgeIndex(database, signal);
  await publish(context, job, { rewrite, result, original, milliseconds: performance.now() - started });
  // A page image of the old file that was just being made may have been stored late.
  await removeRemainsOf(context, documentId);
}

interface Redaction {
  known: ReadonlyMap<number, ReadPage>;
  redacted: readonly RedactedPage[];
  standing: readonly StandingPage[];
  unread: readonly { page: number; reason: string }[];
  facts: { page_count: number; page_spec: string; file_hash: string };
}

/** The document that is redacted: the one of the job, or the original of a copy. */
async function findSource(
  { database }: Pick<Context, "database">,
  job: Job,
  original: OriginalOfCopy | null,
): Promise<{ id: number; slug: string }> {
  const id = original?.id ?? job.subject;
  const found = await findFileFacts(database.reader, id);
  if (found === null || (original !== null && found.fileHash !== original.fileHash)) throw originalChanged();
  return { id, slug: found.slug };
}

const originalChanged = (): RedactionFailedError =>
  new RedactionFailedError("The original document was changed or deleted in the meantime");

/** Makes the new PDF, checks it, and puts it in the place of the old one, if there was one. */
async function replacePdf(
  context: Pick<Context, "database" | "files" | "pdfs" | "ocr">,
  job: Job,
  task: {
    rewrite: Rewrite<PageBox[]>;
    document: FileFacts;
    original: OriginalOfCopy | null;
    signal: AbortSignal;
  },
): Promise<Redaction> {
  const { database, pdfs } = context;
  const { rewrite, document, signal } = task;
  const source = await findSource(context, job, task.original);
  const progress = new Progress(database, job);
  await progress.note("redacting");
  const boxes = boxesByPage(rewrite.plan);
  const known = await findReadPages(database.reader, source.id);

  await using folder = await makeWorkFolder("rewrite");
  const made = folder.file("document.pdf");
  await using original = await borrowedPdf(context, source.id, source.slug);
  await using before = await pdfs.open(original.path, { spentSeconds: 0 });
  const { pageCount } = before.facts;
  const flat = [...boxes].map(([page, all]) => ({ page, boxes: all }));
  await writeFlatPages(before, flat, folder.file("flat.pdf"), signal);
  const flatIndexes = new Map(flat.map(({ page }, index) => [page, index]));
  const pages = Array.from({ length: pageCount }, (_, page) => {
    const flatIndex = flatIndexes.get(page);
    const from = flatIndex === undefined ? { source: 0, page } : { source: 1, page: flatIndex };
    return { ...from, quarterTurns: 0 };
  });
  const sources = [original.path, folder.file("flat.pdf")];
  await pdfs.assemble({ sources, pages, to: made, strictly: true }, signal);

  await using after = await pdfs.open(made, { spentSeconds: 0 });
  const redacted: RedactedPage[] = [];
  const unread: { page: number; reason: string }[] = [];
  for (const [index, { page, boxes: ofPage }] of flat.entries()) {
    await progress.note("recognising", index, flat.length);
    const seen = known.get(page)?.recognised?.words ?? [];
    const words = [...(await wordsOfLayer(before, page)), ...turnedWordsRecognised(seen)];
    const target = { page, boxes: ofPage, hidden: wordsUnder(words, ofPage) };
    const gone = new Set<PageWord>(target.hidden);
    const textTurns = maxTurns(words.filter((word) => !gone.has(word)));
    const read = await recogniseRedacted(context, after, target, {
      language: document.language,
      textTurns,
      signal,
    });
    if ("reason" in read) unread.push({ page: page + 1, reason: read.reason });
    redacted.push({ ...target, read: "reason" in read ? { text: "" } : read });
  }
  const standing = await checkRedactedFile(pdfs, { before, after, path: made }, redacted, signal);
  const hash = await sha1OfFile(made, signal);
  signal.throwIfAborted();
  await replaceFile(context, job, { slug: document.slug, hash, made });
  const facts = { page_count: pageCount, page_spec: formatPageSpec(after.facts.pageSizes), file_hash: hash };
  return { known, redacted, standing, unread, facts };
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

/** Replaces texts, positions and index entries in one commit; false if the document was deleted. */
async function replaceTexts(
  { database }: Pick<Context, "database">,
  job: Job,
  { known, redacted, facts }: Redaction,
  original: OriginalOfCopy | null,
): Promise<boolean> {
  const documentId = job.subject;
  const read = new Map(redacted.map((redactedPage) => [redactedPage.page, redactedPage.read]));
  const pages = Array.from(
    { length: facts.page_count },
    (_, page) => read.get(page) ?? known.get(page) ?? { text: "" },
  );
  const wordsBefore = redacted.flatMap(({ page }) => {
    const { text = "", recognised: { layer = "" } = {} } = known.get(page) ?? {};
    return plainWordsOf(`${text} ${layer}`);
  });
  return database.write(async (writer) => {
    if (!(await isStillOurs(writer, documentId))) return false;
    await lockVocabulary(writer);
    await replacePages(writer, documentId, pages);
    if (original !== null) await recogniseLater(writer, [documentId]);
    // If the redaction fails after this, the record names the new file, and no longer the old one.
    await setFileHash(writer, documentId, facts.file_hash);
    if (original !== null && (await findFileFacts(writer, original.id))?.fileHash !== original.fileHash)
      throw originalChanged();
    await removeEntityOccurrences(writer, documentId);
    await forgetUnusedWords(writer, wordsBefore);
    await checkRedactedRows(writer, documentId, redacted);
    await job.hold(writer);
    return true;
  });
}

async function publish(
  { database }: Pick<Context, "database">,
  job: Job,
  done: {
    rewrite: Rewrite<PageBox[]>;
    result: Redaction;
    original: OriginalOfCopy | null;
    milliseconds: number;
  },
): Promise<void> {
  const documentId = job.subject;
  const { userId, plan } = done.rewrite;
  const { redacted, standing, unread, facts } = done.result;
  const { milliseconds } = done;
  await database.write(async (writer) => {
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
        boxes: plan.length,
        words: redacted.reduce((sum, { hidden }) => sum + hidden.length, 0),
        ...(unread.length > 0 && { unread }),
        ...(standing.length > 0 && { standing }),
        checked: ["pdf", "pixels", "text", "positions", "index", "files"],
        sha1: facts.file_hash,
      },
    });
    const changes = { redacted_pages: [null, numbers] as const };
    await addHistory(writer, [{ documentId, userId, action: "redacted", changes }]);
    if (done.original !== null) await endCopy(writer, documentId, done.original, userId);
    await endRewrite(writer, documentId);
    await endProgress(writer, documentId);
    await job.hold(writer);
  });
}

async function nothingToHide(
  { database }: Pick<Context, "database">,
  job: Job,
  rewrite: Rewrite<PageBox[]>,
): Promise<void> {
  const documentId = job.subject;
  await database.write(async (writer) => {
    if (!(await isStillOurs(writer, documentId))) return;
    await setRewritten(writer, documentId, null);
    const details = { pages: [], boxes: rewrite.plan.length, words: 0, checked: [] };
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

function boxesByPage(boxes: readonly PageBox[]): Map<number, PageBox[]> {
  const pages = new Map<number, PageBox[]>();
  for (const box of boxes) {
    const known = pages.get(box.page);
    if (known === undefined) pages.set(box.page, [box]);
    else known.push(box);
  }
  return pages;
}
