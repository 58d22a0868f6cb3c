import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import type { Context } from "../../context.ts";
import { documentFileKey } from "../../files/keys.ts";
import type { Job } from "../../jobs/running-job.ts";
import { formatPageSpec } from "../../processing/page-spec.ts";
import { PageError, type PdfDocument } from "../../processing/pdf-pages.ts";
import { UnreadableFileError } from "../../processing/unreadable-file.ts";
import { replacePages } from "./page-store.ts";
import { type FileFacts, busyStatuses, findWaiting, setStatus } from "./processing-store.ts";
import { addReceipt } from "./receipt-store.ts";

type Storage = Pick<Context, "database" | "files" | "pdfs">;

/** In characters: what a document's text may have altogether. */
const longestText = 256 * 1024 * 1024;

/**
 * Reads a document's file: its pages and their sizes, then the text of each. As soon as the pages are known the document
 * is `readable`, since its file can be shown; with the text it is `success`. The texts come in one commit with the end
 * of the job, so readers see the old ones or the new ones, and a job that is taken over has no effect twice. One that
 * was imported whole keeps its status, and gets its text.
 *
 * @throws {UnreadableFileError} with the reason, for a person: it will not get better.
 */
export async function processDocument(context: Storage, job: Job, signal: AbortSignal): Promise<void> {
  const { database } = context;
  const documentId = job.subject;
  const started = performance.now();
  const document = await findWaiting(database.reader, documentId);
  if (document === null || !["success", ...busyStatuses].includes(document.status)) return;
  const place = await placeOf(context, documentId, document);
  const file_hash = await hashOf(place, signal);
  await using pdf = await context.pdfs.open(place);
  const { pageCount, pageSizes } = pdf.facts;
  const facts = { page_count: pageCount, page_spec: formatPageSpec(pageSizes), file_hash };
  await database.write((writer) =>
    setStatus(writer, documentId, { to: "readable", from: busyStatuses, facts }),
  );
  const { texts, unread } = await textsOf(pdf, signal);
  await database.write(async (writer) => {
    await replacePages(
      writer,
      documentId,
      texts.map((text) => ({ text })),
    );
    await setStatus(writer, documentId, { to: "success", from: busyStatuses });
    const details = { pages: pageCount, ...(unread.length > 0 && { unread }) };
    const milliseconds = performance.now() - started;
    await addReceipt(writer, { documentId, step: "read", outcome: "done", milliseconds, details });
    await job.complete(writer);
  });
}

/** Says of a document that it could not be processed, and why. */
export async function processingFailed(
  { database }: Pick<Context, "database">,
  job: Job,
  message: string,
): Promise<void> {
  const documentId = job.subject;
  await database.write(async (writer) => {
    const document = await findWaiting(writer, documentId);
    if (document === null) return;
    await setStatus(writer, documentId, { to: "error", from: busyStatuses });
    await addReceipt(writer, {
      documentId,
      step: "read",
      outcome: "failed",
      milliseconds: 0,
      details: { message },
    });
    await job.complete(writer);
  });
}

async function placeOf({ files }: Storage, id: number, { slug, extension }: FileFacts): Promise<string> {
  if (extension !== "pdf") {
    const kind = extension.toUpperCase();
    throw new UnreadableFileError(
      "not-a-pdf",
      `Files of the kind ${kind} cannot be turned into pages here: upload a PDF`,
    );
  }
  const place = await files.placeOf(documentFileKey(id, slug, extension));
  if (place === null) throw new UnreadableFileError("unreachable", "The file is not there");
  return place;
}

async function hashOf(place: string, signal: AbortSignal): Promise<string> {
  const hash = createHash("sha1");
  for await (const chunk of createReadStream(place, { signal })) hash.update(chunk as Buffer);
  return hash.digest("hex");
}

/** A page that cannot be read costs that page: it has no text, and is named. Pages count from 1 where people read it. */
async function textsOf(
  pdf: PdfDocument,
  signal: AbortSignal,
): Promise<{ texts: string[]; unread: { page: number; reason: string }[] }> {
  const texts: string[] = [];
  const unread: { page: number; reason: string }[] = [];
  let length = 0;
  for (let page = 0; page < pdf.facts.pageCount; page++) {
    signal.throwIfAborted();
    try {
      texts.push((await pdf.text(page)).text);
    } catch (error) {
      if (!(error instanceof PageError)) throw error;
      texts.push("");
      unread.push({ page: page + 1, reason: error.message });
    }
    length += texts.at(-1)?.length ?? 0;
    if (length > longestText) throw new UnreadableFileError("too-large", "Its text is too long to be kept");
  }
  return { texts, unread };
}
