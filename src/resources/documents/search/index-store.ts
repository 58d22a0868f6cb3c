import { sql } from "kysely";
import type { Database, Writer } from "../../../database/database.ts";
import { dialectOf } from "../../../database/dialects.ts";
import type { Job } from "../../../jobs/running-job.ts";
import { workInBatches } from "../../../jobs/work-in-batches.ts";
import { type TextPart, partOfPage } from "../../../search/parts.ts";
import { countTexts, indexMany, indexTexts, indexedDocuments } from "../../../search/text-index.ts";
import { describingParts } from "../indexed-fields.ts";
import { noteTextsOf } from "../pages/note-texts.ts";

const documentsAtOnce = 100;

/** The texts of several documents are indexed together, up to this number of characters, to limit the memory. */
const charactersAtOnce = 4 * 1024 * 1024;

/** New documents are indexed in larger batches: each one ends with a part of the index being written. */
const newDocumentsAtOnce = 1000;

/** Few enough that other writers on SQLite wait no longer than for a page of a large document. */
const unindexedAtOnce = 250;

/** Indexes the documents whose words are not in the index yet, in batches. It may be interrupted at any time. */
export async function indexDocuments(
  database: Pick<Database, "write">,
  job: Pick<Job, "complete">,
  signal: AbortSignal,
): Promise<void> {
  await workInBatches(database, job, signal, () => database.write((writer) => indexNext(writer)));
}

/** Indexes the next batch. Returns false if it was the last one. */
async function indexNext(writer: Writer): Promise<boolean> {
  const dialect = dialectOf(writer);
  const { rows: found } = await sql<{ document_id: number }>`
    select document_id from unindexed_documents order by document_id limit ${sql.lit(unindexedAtOnce)}`.execute(
    writer,
  );
  const ids = found.map(({ document_id }) => document_id);
  const list = sql`${dialect.list(ids)}`;
  const { rows } = await sql<DescribedRow>`select id, title, source, description from documents
    where ${dialect.isAmong(sql.ref("id"), list)} order by id ${dialect.forUpdate}`.execute(writer);
  const indexed = await indexedDocuments(writer, ids);
  for (const areNew of [true, false]) {
    await indexRows(
      writer,
      rows.filter(({ id }) => indexed.has(id) !== areNew),
      { areNew },
    );
  }
  await sql`delete from unindexed_documents where ${dialect.isAmong(sql.ref("document_id"), list)}`.execute(
    writer,
  );
  return ids.length === unindexedAtOnce;
}

/** The job that counts the words of the documents that are older than the counts. */
export const countJob = "count words";

const countedAtOnce = 20;

/** The last document whose words are counted, in order of ids; null if all are. */
export async function findCountedTo({ prepared }: Database): Promise<number | null> {
  const [row] = await prepared.rows<{ counted_to: number }>(
    "words counted to",
    () => sql`select counted_to from word_count_progress`,
    {},
  );
  return row?.counted_to ?? null;
}

/** Counts the words of all documents in order of ids, in batches, from where an earlier run of the job ended. */
export async function countWords(
  database: Database,
  job: Pick<Job, "complete">,
  signal: AbortSignal,
): Promise<void> {
  await workInBatches(database, job, signal, () => database.write((writer) => countNext(writer)));
}

/** Counts the next batch. Returns false if there are no more documents: searches read only counts from then on. */
async function countNext(writer: Writer): Promise<boolean> {
  const progress = await writer.selectFrom("word_count_progress").select("counted_to").executeTakeFirst();
  if (progress === undefined) return false;
  const { rows } = await sql<DescribedRow>`
    select id, title, source, description from documents where id > ${progress.counted_to}
    order by id limit ${sql.lit(countedAtOnce)} ${dialectOf(writer).forUpdate}`.execute(writer);
  const last = rows.at(-1);
  if (last === undefined) {
    await writer.deleteFrom("word_count_progress").execute();
    return false;
  }
  for (const row of rows) await countTexts(writer, await textsOf(writer, row));
  await writer.updateTable("word_count_progress").set({ counted_to: last.id }).execute();
  return true;
}

/** Indexes all documents of a database that is being filled. `progress` gets the id of the last indexed document. */
export async function indexNewDocuments(writer: Writer, progress: (lastId: number) => void): Promise<void> {
  await indexMany(writer, async () => {
    for (let after: number | null = 0; after !== null;) {
      after = await indexDocumentsAfter(writer, after, { areNew: true });
      if (after !== null) progress(after);
    }
  });
}

/** All parts of a document. */
async function textsOf(writer: Writer, { id: documentId, ...row }: DescribedRow): Promise<TextPart[]> {
  const pages = await writer
    .selectFrom("document_pages")
    .select(["page", "text"])
    .where("document_id", "=", documentId)
    .execute();
  const parts = pages.map(({ page, text }) => ({ documentId, part: partOfPage(page), text }));
  return [...describingParts(documentId, row), ...parts, ...(await noteTextsOf(writer, [documentId]))];
}

/** Indexes the next batch. Returns the id of its last document, or null if there are no more documents. */
export async function indexDocumentsAfter(
  writer: Writer,
  after: number,
  { areNew = false }: { areNew?: boolean } = {},
): Promise<number | null> {
  const limit = areNew ? newDocumentsAtOnce : documentsAtOnce;

  const { rows } = await sql<DescribedRow>`
    select id, title, source, description from documents where id > ${after}
    order by id limit ${sql.lit(limit)} ${dialectOf(writer).forUpdate}`.execute(writer);
  await indexRows(writer, rows, { areNew });
  return rows.at(-1)?.id ?? null;
}

/** A document, locked, with the fields that describe it. */
interface DescribedRow {
  id: number;
  title: string;
  source: string;
  description: string;
}

/** Indexes all parts of these documents. */
async function indexRows(
  writer: Writer,
  rows: readonly DescribedRow[],
  { areNew }: { areNew: boolean },
): Promise<void> {
  let parts: TextPart[] = [];
  let characters = 0;
  for (const row of rows) {
    for (const part of await textsOf(writer, row)) {
      parts.push(part);
      characters += part.text.length;
    }
    if (characters < charactersAtOnce) continue;
    await indexTexts(writer, parts, { areNew });
    [parts, characters] = [[], 0];
  }
  await indexTexts(writer, parts, { areNew });
}
