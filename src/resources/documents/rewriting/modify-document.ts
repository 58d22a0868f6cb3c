import type { PlannedPage } from "../pages/planned-page.ts";
import { busyStatuses } from "../../document-states.ts";
import type { Context } from "../../../context.ts";
import type { Writer } from "../../../database/database.ts";
import { sha1OfFile } from "../../../files/file-hash.ts";
import type { BorrowedFile } from "../../../files/file-store.ts";
import type { Job } from "../../../jobs/running-job.ts";
import { formatPageSpec } from "../../../processing/page-spec.ts";
import { UnreadableFileError } from "../../../processing/unreadable-file.ts";
import type { SignedInViewer } from "../../../http/request/viewer.ts";
import { findKnownUser } from "../../users/viewer-store.ts";
import { accessFacts, lockDocumentRows } from "../store.ts";
import { mayView } from "../access.ts";
import { addHistory } from "../history-store.ts";
import { movePageParts, removeEntityOccurrences } from "../pages/page-parts-store.ts";
import { findReadPages } from "../pages/page-reading-store.ts";
import { recogniseLater } from "../pages/language-store.ts";
import { type ReadPage, replacePages } from "../pages/page-store.ts";
import { type FileFacts, findFileFacts, setStatus } from "../file-facts-store.ts";
import { Progress, endProgress } from "../processing/progress-store.ts";
import { addReceipt } from "../receipt-store.ts";
import {
  type Rewrite,
  type RewrittenFacts,
  endRewrite,
  findRewrite,
  lockBusy,
  setRewritten,
  statusAfterFailure,
} from "../processing/rewrite-store.ts";
import { type WorkFolder, makeWorkFolder } from "../../../work-folders.ts";
import { moveRedactedBoxes } from "../withheld/box-store.ts";
import { borrowedPdf, removeRemainsOf, replaceFile } from "./rewritten-file.ts";
import { turnReadPage } from "../pages/turn-page.ts";

/*
 * Modifications remove, move, copy and rotate pages, and import pages from other documents. The result is a new PDF.
 * Its page texts are carried over without reading the pages again. Modifying twice would give a different result, so
 * the hash of the new PDF is recorded before it replaces the old one: a worker that takes over the job then knows that
 * the replacement is done. After the commit, the remains of the old file are removed, and the job ends.
 */

/** @throws {UnreadableFileError} with a reason for a person. */
export async function modifyDocument(
  context: Pick<Context, "database" | "files" | "pdfs">,
  job: Job,
  signal: AbortSignal,
): Promise<void> {
  const { database } = context;
  const documentId = job.subject;
  const rewrite = await findRewrite(database.reader, documentId, "modify");
  const document = await findFileFacts(database.reader, documentId);
  if (document === null) return;
  // An earlier worker has published the result.
  if (rewrite === null) return removeRemainsOf(context, documentId);
  if (!busyStatuses.includes(document.status)) return;
  const started = performance.now();
  await new Progress(database, job).note("modifying");
  await using folder = await makeWorkFolder("rewrite");
  const pages = await textsOf(context, documentId, rewrite.plan);
  const facts = await newFile(context, job, { document, rewrite, folder }, signal);
  await database.write(async (writer) => {
    if (!(await lockBusy(writer, documentId))) return;
    await checkSources(writer, documentId, rewrite.plan);
    await replacePages(writer, documentId, pages);
    await recogniseLater(writer, [documentId]);
    await movePageParts(writer, documentId, rewrite.plan, rewrite.userId);
    await moveRedactedBoxes(writer, documentId, rewrite.plan);
    await removeEntityOccurrences(writer, documentId);
    await setRewritten(writer, documentId, facts);
    const others = othersIn(rewrite.plan, documentId);
    const taken = others.length > 0 && { documents: others };
    await addReceipt(writer, {
      documentId,
      step: "modified",
      outcome: "done",
      milliseconds: performance.now() - started,
      details: { pages: facts.page_count, ...taken, sha1: facts.file_hash },
    });
    const changes = {
      page_count: [document.pageCount, facts.page_count] as const,
      file_hash: [document.fileHash, facts.file_hash] as const,
    };
    await addHistory(writer, [{ documentId, userId: rewrite.userId, action: "modified", changes }]);
    await endRewrite(writer, documentId);
    await endProgress(writer, documentId);
    await job.hold(writer);
  });
  await removeRemainsOf(context, documentId);
}

/** Records that a document could not be modified, and why. Its file is unchanged. */
export async function modifyingFailed(
  { database }: Pick<Context, "database">,
  job: Job,
  message: string,
): Promise<void> {
  const documentId = job.subject;
  await database.write(async (writer) => {
    const rewrite = await findRewrite(writer, documentId, "modify");
    if (rewrite !== null && (await lockBusy(writer, documentId))) {
      await setStatus(writer, documentId, { to: statusAfterFailure(rewrite), from: busyStatuses });
      const details = { message };
      await addReceipt(writer, { documentId, step: "modified", outcome: "failed", milliseconds: 0, details });
    }
    await endRewrite(writer, documentId);
    await endProgress(writer, documentId);
    await job.complete(writer);
  });
}

function othersIn(plan: readonly PlannedPage[], documentId: number): number[] {
  return [...new Set(plan.map(({ document }) => document))].filter((id) => id !== documentId);
}

/** Replaces the old PDF by the new one, unless an earlier worker has done so. Returns the new PDF's facts. */
async function newFile(
  context: Pick<Context, "database" | "files" | "pdfs">,
  job: Job,
  work: { document: FileFacts; rewrite: Rewrite<PlannedPage[]>; folder: WorkFolder },
  signal: AbortSignal,
): Promise<RewrittenFacts> {
  const { pdfs } = context;
  const { document, rewrite, folder } = work;
  const documentId = job.subject;
  const opened: BorrowedFile[] = [];
  try {
    const own = await borrowedPdf(context, documentId, document.slug);
    opened.push(own);
    const isMade = rewrite.resultHash !== null && (await sha1OfFile(own.path, signal)) === rewrite.resultHash;
    if (isMade) return await factsOf(context, own.path, signal);
    await checkSources(context.database.reader, documentId, rewrite.plan);
    const sources = [own.path];
    const numbers = new Map([[documentId, 0]]);
    for (const other of othersIn(rewrite.plan, documentId)) {
      const { slug } = (await findFileFacts(context.database.reader, other)) ?? unready(other);
      const file = await borrowedPdf(context, other, slug);
      opened.push(file);
      numbers.set(other, sources.push(file.path) - 1);
    }
    const pages = rewrite.plan.map(({ document: from, page, quarterTurns }) => ({
      source: numbers.get(from) ?? 0,
      page,
      quarterTurns,
    }));
    const made = folder.file("document.pdf");
    await pdfs.assemble({ sources, pages, to: made, strictly: false }, signal);
    const facts = await factsOf(context, made, signal);
    signal.throwIfAborted();
    const viewer = await viewerOf(context, rewrite.userId);
    const result = { slug: document.slug, hash: facts.file_hash, made };
    await replaceFile(context, job, result, async (writer) => {
      await checkRights(context, writer, viewer, othersIn(rewrite.plan, documentId));
      await checkSources(writer, documentId, rewrite.plan);
    });
    return facts;
  } finally {
    for (const file of opened) await file[Symbol.asyncDispose]();
  }
}

async function factsOf(
  { pdfs }: Pick<Context, "pdfs">,
  file: string,
  signal: AbortSignal,
): Promise<RewrittenFacts> {
  await using pdf = await pdfs.open(file, { spentSeconds: 0 });
  const { pageCount, pageSizes } = pdf.facts;
  return {
    page_count: pageCount,
    page_spec: formatPageSpec(pageSizes),
    file_hash: await sha1OfFile(file, signal),
  };
}

/** Checks that the other documents are unchanged, so that content under redaction cannot leak through this document. */
async function checkSources(
  reader: Parameters<typeof findFileFacts>[0],
  documentId: number,
  plan: readonly PlannedPage[],
): Promise<void> {
  const hashes = new Map(plan.map(({ document, fileHash }) => [document, fileHash]));
  for (const other of othersIn(plan, documentId)) {
    const found = await findFileFacts(reader, other);
    if (found?.status !== "success" || found.fileHash !== hashes.get(other)) unready(other);
  }
}

/** The user who requested the rewrite, with their current rights; null if the account is no longer active. */
async function viewerOf(
  { database }: Pick<Context, "database">,
  userId: number,
): Promise<SignedInViewer | null> {
  const known = await findKnownUser(database, { id: userId });
  return known?.isActive === true
    ? { ...known.viewer, mayWrite: true, hasPersonalToken: false, csrfToken: null }
    : null;
}

/** Checks that the user may still view the source documents, and locks those until the transaction ends. */
async function checkRights(
  { database }: Pick<Context, "database">,
  writer: Writer,
  viewer: SignedInViewer | null,
  others: readonly number[],
): Promise<void> {
  const rows = viewer === null ? [] : await lockDocumentRows(writer, database.dialect, viewer, others);
  const visible = rows.filter((row) => viewer !== null && mayView(viewer, accessFacts(row)));
  for (const other of others) if (!visible.some(({ id }) => id === other)) unready(other);
}

function unready(documentId: number): never {
  throw new UnreadableFileError("unreachable", `Document ${documentId} is not ready to take pages from`);
}

async function textsOf(
  { database }: Pick<Context, "database">,
  documentId: number,
  plan: readonly PlannedPage[],
): Promise<ReadPage[]> {
  const texts = new Map<number, Map<number, ReadPage>>();
  for (const id of [documentId, ...othersIn(plan, documentId)]) {
    texts.set(id, await findReadPages(database.reader, id));
  }
  return plan.map(({ document, page, quarterTurns }) =>
    turnReadPage(texts.get(document)?.get(page) ?? { text: "" }, quarterTurns),
  );
}
