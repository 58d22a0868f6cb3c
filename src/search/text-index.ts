import { sql } from "kysely";
import { BulkInsert } from "../database/bulk-insert.ts";
import type { Writer } from "../database/database.ts";
import { type Dialect, dialectOf } from "../database/dialect.ts";
import { type TextPart, partOfPage, partsPerDocument } from "./parts.ts";
import { plainWordsOf } from "./words.ts";

/*
 * The index is written in the transaction that changes the text, and holds the words as words.ts makes them: so both
 * engines index the same, and what is found is what was written. Rows go with their document (by a trigger, or by their
 * key).
 */

/** Brings parts into the index, in place of what it has of them; `areNew` spares the look. */
export async function indexTexts(
  writer: Writer,
  parts: readonly TextPart[],
  { areNew = false }: { areNew?: boolean } = {},
): Promise<void> {
  if (parts.length === 0) return;
  const dialect = dialectOf(writer);
  if (!areNew) await removeParts(writer, dialect, parts);
  const worded = parts.flatMap(({ documentId, part, text }) => {
    const words = plainWordsOf(text);
    return words.length === 0 ? [] : [{ documentId, part, words }];
  });
  if (dialect.engine === "sqlite") await insertSqlite(writer, worded);
  else await insertPostgres(writer, worded);
}

/** Takes the pages of a document out, as long as they are in `document_pages`. */
export async function forgetPages(writer: Writer, documentId: number): Promise<void> {
  if (dialectOf(writer).engine === "sqlite") {
    await sql`delete from document_words where rowid in (
      select ${sql.lit(partsPerDocument)} * document_id + ${sql.lit(partOfPage(0))} + page
      from document_pages where document_id = ${documentId})`.execute(writer);
    return;
  }
  await sql`delete from document_words
    where document_id = ${documentId} and part >= ${partOfPage(0)}`.execute(writer);
}

async function removeParts(writer: Writer, dialect: Dialect, parts: readonly TextPart[]): Promise<void> {
  if (dialect.engine === "sqlite") {
    const rowids = `[${parts.map(rowidOf).join(",")}]`;
    await sql`delete from document_words where ${dialect.isAmong(sql.ref("rowid"), sql`${rowids}`)}`.execute(
      writer,
    );
    return;
  }
  await sql`delete from document_words using unnest(
      ${parts.map(({ documentId }) => documentId)}::bigint[], ${parts.map(({ part }) => part)}::bigint[]
    ) as gone (document_id, part)
    where document_words.document_id = gone.document_id and document_words.part = gone.part`.execute(writer);
}

interface WordedPart extends Omit<TextPart, "text"> {
  words: readonly string[];
}

/** Beyond what a number holds exactly. */
function rowidOf({ documentId, part }: Omit<TextPart, "text">): bigint {
  return BigInt(documentId) * BigInt(partsPerDocument) + BigInt(part);
}

async function insertSqlite(writer: Writer, parts: readonly WordedPart[]): Promise<void> {
  const rows = parts.map((part) => ({ rowid: rowidOf(part), words: part.words.join(" ") }));
  await new BulkInsert<(typeof rows)[number]>("document_words", ["rowid", "words"], plainly).run(
    writer,
    rows,
  );
}

/** A virtual table takes no conflict clause. */
const plainly = { insert: sql`insert into`, otherwise: sql`` };

/**
 * PostgreSQL keeps the places of a word up to the 256th in a text, and none beyond the 16,383rd word. So long texts are
 * split, and a stretch begins with the last words of the one before: a phrase of so many is found where they meet.
 */
const wordsPerStretch = 4096;
const wordsInCommon = 16;

async function insertPostgres(writer: Writer, parts: readonly WordedPart[]): Promise<void> {
  const rows = parts.flatMap(({ documentId: document_id, part, words }) =>
    stretchesOf(words).map((some, stretch) => ({ document_id, part, stretch, words: vectorOf(some) })),
  );
  const columns = ["document_id", "part", "stretch", "words"] as const;
  await new BulkInsert<(typeof rows)[number]>("document_words", columns, plainly).run(writer, rows);
  // In one order, so that two who add the same words wait for each other and not in a ring.
  const vocabulary = [...new Set(parts.flatMap(({ words }) => words))].toSorted();
  await sql`insert into search_vocabulary (word)
    select unnest(${vocabulary}::text[]) on conflict do nothing`.execute(writer);
}

function stretchesOf(words: readonly string[]): (readonly string[])[] {
  const stretches: (readonly string[])[] = [];
  for (let start = 0; start === 0 || start + wordsInCommon < words.length; start += wordsPerStretch) {
    stretches.push(words.slice(start, start + wordsPerStretch + wordsInCommon));
  }
  return stretches;
}

/** As PostgreSQL reads a `tsvector`; words hold nothing that would have to be quoted. */
function vectorOf(words: readonly string[]): string {
  const places = new Map<string, number[]>();
  words.forEach((word, index) => {
    const known = places.get(word);
    if (known === undefined) places.set(word, [index + 1]);
    else if (known.length < 256) known.push(index + 1);
  });
  return [...places].map(([word, all]) => `'${word}':${all.join(",")}`).join(" ");
}
