import { sql } from "kysely";
import type { Database, Writer } from "../../../database/database.ts";
import { dialectOf } from "../../../database/dialects.ts";
import { indexedDocuments, partsWith } from "../../../search/text-index.ts";
import { plainWordsOf } from "../../../search/words.ts";
import { findParts } from "../families/parts-store.ts";
import { addHistory } from "../history-store.ts";
import { forgetLeftOut } from "../import-run-store.ts";
import { findReadPages } from "../pages/page-reading-store.ts";
import { cancelFileWork } from "./file-work-store.ts";
import { removeReceipts } from "../receipt-store.ts";
import { leaveToRemove } from "../record/change-store.ts";

/*
 * What becomes of the parts of a document that is redacted in place. The new file of a PDF has no attachments, so the
 * documents that were made of them go for good, and leave no name in a trash. All other parts stay as they are.
 */

/** Locks the documents that were made of a PDF's attachments. Returns their ids, and their words. */
export async function lockAttached(writer: Writer, id: number): Promise<{ ids: number[]; words: string[] }> {
  const ids = await findParts(writer, id, "attached");
  if (ids.length === 0) return { ids, words: [] };
  const dialect = dialectOf(writer);
  const isAttached = (column: string) => dialect.isAmong(sql.ref(column), sql`${dialect.list(ids)}`);
  const { rows: records } = await sql<Record<"title" | "source" | "description", string>>`
    select title, source, description from documents where ${isAttached("id")} order by id ${dialect.forUpdate}
    `.execute(writer);
  const { rows: notes } = await sql<{ title: string; content: string }>`
    select title, content from notes where ${isAttached("document_id")}`.execute(writer);
  const words = new Set<string>();
  const add = (text: string): void => plainWordsOf(text).forEach((word) => words.add(word));
  for (const { title, source, description } of records) add(`${title} ${source} ${description}`);
  for (const { title, content } of notes) add(`${title} ${content}`);
  for (const one of ids)
    for (const { text, recognised } of (await findReadPages(writer, one)).values())
      add(`${text} ${recognised?.layer ?? ""}`);
  return { ids, words: [...words] };
}

/**
 * Removes these documents, and notes that their files must be removed. Their histories stay, as those of all documents
 * do: they have no word of a file that was taken out of another. The receipts that name files in the container go.
 * Returns those that the index still has, of which there must be none.
 */
export async function removeAttached(
  writer: Writer,
  { id, userId }: { id: number; userId: number },
  ids: readonly number[],
): Promise<ReadonlySet<number>> {
  await removeReceipts(writer, id, "unpacked");
  await forgetLeftOut(writer, id);
  if (ids.length === 0) return new Set();
  for (const one of ids) {
    await cancelFileWork(writer, one);
    await writer.deleteFrom("documents").where("id", "=", one).execute();
    await leaveToRemove(writer, one);
  }
  await addHistory(writer, [
    ...ids.map((documentId) => ({ documentId, userId, action: "removed" as const, changes: {} })),
    { documentId: id, userId, action: "changed", changes: { attached_files: [ids.length, 0] } },
  ]);
  return indexedDocuments(writer, ids);
}

/** How many hidden words are looked for in other documents, and in how many documents at a time. */
const maxWords = 300;
const idsAtOnce = 500;

/** A document in a redacted container that has words which were hidden there, and how many of them. */
export interface PartWithWords {
  id: number;
  words: number;
}

/** The parts of a container that have some of these words in their texts, those with most of them first. */
export async function findPartsWithWords(
  { reader, dialect }: Pick<Database, "reader" | "dialect">,
  id: number,
  words: readonly string[],
): Promise<PartWithWords[]> {
  const counts = new Map<number, number>();
  const ids = await findParts(reader, id);
  for (let start = 0; start < ids.length; start += idsAtOnce) {
    const some = ids.slice(start, start + idsAtOnce);
    for (const word of [...new Set(words)].slice(0, maxWords)) {
      const parts = partsWith(dialect, { wanted: { phrase: [{ word }] }, stems: [] }, some);
      const { rows } = await sql<{ document_id: number }>`
        select distinct document_id from (${parts}) as found`.execute(reader);
      for (const { document_id: found } of rows) counts.set(found, (counts.get(found) ?? 0) + 1);
    }
  }
  return Array.from(counts, ([part, count]) => ({ id: part, words: count })).toSorted(
    (one, other) => other.words - one.words || one.id - other.id,
  );
}
