import { type Selectable, sql } from "kysely";
import { type MentionKind, mentionKinds } from "../../../contract/search.ts";
import { BulkInsert } from "../../../database/bulk-insert.ts";
import type { Database, Reader, Writer } from "../../../database/database.ts";
import { dialectOf } from "../../../database/dialects.ts";
import type { MentionsTable } from "../../../database/tables.ts";
import { enqueue } from "../../../jobs/queue.ts";
import type { Job } from "../../../jobs/running-job.ts";
import { workInBatches } from "../../../jobs/work-in-batches.ts";
import { recognise } from "../../../recognisers/recognise.ts";
import { mentionValue } from "../../../recognisers/values.ts";
import { plainWordsOf } from "../../../search/words.ts";
import {
  type Correction,
  corrected,
  forgetCorrectionsBeside,
  forgetCorrectionsWith,
  isInCorrections,
  replaceCorrections,
} from "./correction-store.ts";

/*
 * The mentions of documents: what the recognisers find in the texts of pages. Triggers remove those of a page whose
 * text changes, and note the document in `unread_mentions`. A document that is read by Quire gets its mentions in the
 * transaction that writes the text; a job finds those of all others.
 */

/** The job that finds the mentions of the documents in `unread_mentions`. */
export const mentionJob = "find mentions";

/** A page with more has a table of them, and is found by these. */
const maxMentionsOfPage = 1000;

const kinds: ReadonlySet<MentionKind> = new Set(mentionKinds);

const isMentionKind = (kind: string): kind is MentionKind => (kinds as ReadonlySet<string>).has(kind);

interface PageText {
  page: number;
  text: string;
}

type Mention = Selectable<MentionsTable>;

/** What the recognisers find on a page, in the order of its text. */
export function mentionsOf(documentId: number, { page, text }: PageText): Mention[] {
  const found: Mention[] = [];
  for (const { start, end, kind } of recognise(text, kinds)) {
    if (!isMentionKind(kind) || found.length === maxMentionsOfPage) continue;
    const written = text.slice(start, end);
    const value = mentionValue(kind, written);
    if (value === null) continue;
    found.push({ document_id: documentId, page, start, kind, value, written, recognised: null });
  }
  return found;
}

const insertion = new BulkInsert<Mention>("mentions", [
  "document_id",
  "page",
  "start",
  "kind",
  "value",
  "written",
  "recognised",
]);

/** Finds and corrects the mentions of pages that have none yet. */
async function insertMentions(writer: Writer, documentId: number, pages: readonly PageText[]): Promise<void> {
  const found = pages.flatMap((page) => mentionsOf(documentId, page));
  if (found.length > 0) await insertion.run(writer, await corrected(writer, documentId, found));
}

/** Leaves it to the job to find the mentions of documents whose texts have changed. */
export async function findMentionsLater(writer: Writer): Promise<void> {
  await enqueue(writer, { kind: mentionJob, subject: 0 });
}

export async function hasUnreadMentions(
  reader: Pick<Reader | Writer, "selectFrom">,
  documentId: number,
): Promise<boolean> {
  const rows = await reader
    .selectFrom("unread_mentions")
    .select("from_page")
    .where("document_id", "=", documentId)
    .execute();
  return rows.length > 0;
}

/**
 * Adds pages with their mentions. `insert` writes the pages. If other pages of the document wait for the job, these
 * wait with them.
 */
export async function withMentions(
  writer: Writer,
  documentId: number,
  pages: readonly PageText[],
  insert: () => Promise<void>,
): Promise<void> {
  const isWaiting = await hasUnreadMentions(writer, documentId);
  await insert();
  if (isWaiting) return;
  await insertMentions(writer, documentId, pages);
  await forgetUnread(writer, documentId);
}

/** Makes these the corrections of a document. Returns false if they are already. */
export async function putCorrections(
  writer: Writer,
  documentId: number,
  corrections: readonly Correction[],
): Promise<boolean> {
  const isChanged = await replaceCorrections(writer, documentId, corrections);
  if (isChanged) await findMentionsAgain(writer, [documentId]);
  return isChanged;
}

/** Removes the corrections of values that a document, whose texts are these, no longer mentions. */
export async function forgetOldCorrections(
  writer: Writer,
  documentId: number,
  pages: readonly PageText[],
): Promise<void> {
  await forgetCorrectionsBeside(writer, documentId, () =>
    pages.flatMap((page) => mentionsOf(documentId, page)),
  );
}

/** Removes the corrections that may tell what is hidden: by words, and by the values on the pages with boxes. */
export async function forgetHiddenCorrections(
  writer: Writer,
  documentId: number,
  pages: readonly PageText[],
  words: ReadonlySet<string>,
): Promise<void> {
  const mentions = pages.flatMap((page) => mentionsOf(documentId, page));
  await forgetCorrectionsWith(writer, documentId, mentions, words);
}

/** A document without pages has no mentions to find. */
export async function forgetUnread(writer: Writer, documentId: number): Promise<void> {
  await writer.deleteFrom("unread_mentions").where("document_id", "=", documentId).execute();
}

const pagesAtOnce = 16;

/** Finds the mentions that are missing, some pages at a time. It may be interrupted at any time. */
export async function findMissingMentions(
  database: Pick<Database, "write">,
  job: Pick<Job, "complete">,
  signal: AbortSignal,
): Promise<void> {
  await workInBatches(database, job, signal, () => database.write((writer) => findNext(writer)));
}

/** How many batches of pages are read at once before the rest is left to the job. */
const batchesAtOnce = 16;

/** Finds the mentions of documents again, those of long or many documents by the job. */
export async function findMentionsAgain(writer: Writer, documents: readonly number[]): Promise<void> {
  for (const document_id of documents) {
    await writer
      .insertInto("unread_mentions")
      .values({ document_id, from_page: 0 })
      .onConflict((conflict) => conflict.column("document_id").doUpdateSet({ from_page: 0 }))
      .execute();
  }
  let batches = 0;
  for (const id of documents) {
    while (await hasUnreadMentions(writer, id)) {
      if (++batches > batchesAtOnce) return findMentionsLater(writer);
      await findNextOf(writer, id);
    }
  }
}

/** Finds the mentions of the next pages. Returns false if none are missing. */
async function findNext(writer: Writer): Promise<boolean> {
  const next = await writer
    .selectFrom("unread_mentions")
    .select("document_id")
    .orderBy("document_id")
    .limit(1)
    .executeTakeFirst();
  if (next === undefined) return false;
  await findNextOf(writer, next.document_id);
  return true;
}

/** Finds the mentions of the next pages of a document. */
async function findNextOf(writer: Writer, id: number): Promise<void> {
  // Those who write the texts of a document have locked it.
  await sql`select 1 from documents where id = ${id} ${dialectOf(writer).forUpdate}`.execute(writer);
  const unread = await writer
    .selectFrom("unread_mentions")
    .select("from_page")
    .where("document_id", "=", id)
    .executeTakeFirst();
  if (unread === undefined) return;
  const pages = await writer
    .selectFrom("document_pages")
    .select(["page", "text"])
    .where("document_id", "=", id)
    .where("page", ">=", unread.from_page)
    .orderBy("page")
    .limit(pagesAtOnce)
    .execute();
  const [first, last] = [pages[0], pages.at(-1)];
  if (first === undefined || last === undefined) {
    await forgetUnread(writer, id);
    return;
  }
  await writer
    .deleteFrom("mentions")
    .where("document_id", "=", id)
    .where("page", ">=", first.page)
    .where("page", "<=", last.page)
    .execute();
  await insertMentions(writer, id, pages);
  if (pages.length < pagesAtOnce) await forgetUnread(writer, id);
  else {
    await writer
      .updateTable("unread_mentions")
      .set({ from_page: last.page + 1 })
      .where("document_id", "=", id)
      .execute();
  }
}

/** Whether any mention on a page, or a correction of the document, has one of these words, in their searchable form. */
export async function isMentioned(
  writer: Writer,
  documentId: number,
  page: number,
  words: readonly string[],
): Promise<boolean> {
  const gone = new Set(words);
  const rows = await writer
    .selectFrom("mentions")
    .select(["value", "written"])
    .where("document_id", "=", documentId)
    .where("page", "=", page)
    .execute();
  if (rows.some(({ value, written }) => plainWordsOf(`${written} ${value}`).some((word) => gone.has(word))))
    return true;
  return isInCorrections(writer, documentId, gone);
}
