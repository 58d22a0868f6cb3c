import { sql } from "kysely";
import { BulkInsert } from "../database/bulk-insert.ts";
import type { Writer } from "../database/database.ts";
import { type Dialect, dialectOf } from "../database/dialect.ts";
import { type TextPart, firstNotePart, partOfPage, partsPerDocument } from "./parts.ts";
import { maxWords } from "./query-limits.ts";
import { plainWordsOf } from "./words.ts";

/*
 * The index is updated in the transaction that changes the text, and holds the words that words.ts produces: so both
 * engines index the same words, and searches always see the current text. Rows are deleted with their document (by a
 * trigger, or by their foreign key).
 */

/** Adds parts to the index and replaces existing ones; `areNew` skips the search for those. */
export async function indexTexts(
  writer: Writer,
  parts: readonly TextPart[],
  { areNew = false }: { areNew?: boolean } = {},
): Promise<void> {
  if (parts.length === 0) return;
  const dialect = dialectOf(writer);
  if (!areNew) await removeParts(writer, dialect, parts);
  const partsWithWords = parts.flatMap(({ documentId, part, text }) => {
    const words = plainWordsOf(text);
    return words.length === 0 ? [] : [{ documentId, part, words }];
  });
  if (dialect.engine === "sqlite") await insertSqlite(writer, partsWithWords);
  else await insertPostgres(writer, partsWithWords);
}

/** Removes the pages of a document from the index. Call it while they are still in `document_pages`. */
export async function forgetPages(writer: Writer, documentId: number): Promise<void> {
  if (dialectOf(writer).engine === "sqlite") {
    await sql`delete from document_words where rowid in (
      select ${sql.lit(partsPerDocument)} * document_id + ${sql.lit(partOfPage(0))} + page
      from document_pages where document_id = ${documentId})`.execute(writer);
    return;
  }
  await sql`delete from document_words
    where document_id = ${documentId} and part >= ${partOfPage(0)} and part < ${firstNotePart}`.execute(
    writer,
  );
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

/** A bigint, since it exceeds the safe integers. */
function rowidOf({ documentId, part }: Omit<TextPart, "text">): bigint {
  return BigInt(documentId) * BigInt(partsPerDocument) + BigInt(part);
}

async function insertSqlite(writer: Writer, parts: readonly WordedPart[]): Promise<void> {
  const rows = parts.map((part) => ({ rowid: rowidOf(part), words: part.words.join(" ") }));
  await new BulkInsert<(typeof rows)[number]>("document_words", ["rowid", "words"], plainInsert).run(
    writer,
    rows,
  );
}

/** Virtual tables accept no conflict clause. */
const plainInsert = { insert: sql`insert into`, otherwise: sql`` };

/**
 * PostgreSQL stores 256 positions of a word in a text, and none beyond the 16,383rd word. So long texts are split,
 * and a stretch starts with the last words of the one before: this finds the longest phrase that a query may have
 * across the boundary of two stretches.
 */
const wordsPerStretch = 4096;
const maxPositionsPerWord = 256;
const overlapWords = maxWords;

async function insertPostgres(writer: Writer, parts: readonly WordedPart[]): Promise<void> {
  const rows = parts.flatMap(({ documentId: document_id, part, words }) =>
    stretchesOf(words).map((vector, stretch) => ({ document_id, part, stretch, words: vector })),
  );
  const columns = ["document_id", "part", "stretch", "words"] as const;
  await new BulkInsert<(typeof rows)[number]>("document_words", columns, plainInsert).run(writer, rows);
  // In sorted order, so that transactions that add the same words cannot deadlock.
  const vocabulary = [...new Set(parts.flatMap(({ words }) => words))].toSorted();
  await sql`insert into search_vocabulary (word)
    select unnest(${vocabulary}::text[]) on conflict do nothing`.execute(writer);
}

function stretchesOf(words: readonly string[]): string[] {
  const stretches: string[] = [];
  for (let start = 0, end = 0; end < words.length; start = end - overlapWords) {
    const positions = new Map<string, number[]>();
    end = positionsFrom(words, start, positions);
    stretches.push(vectorOf(positions));
  }
  return stretches;
}

/**
 * Collects the positions of each word, counted from 1, up to the point where a word has too many; returns that point.
 */
function positionsFrom(words: readonly string[], start: number, positions: Map<string, number[]>): number {
  const last = Math.min(start + wordsPerStretch, words.length);
  for (let at = start; at < last; at++) {
    const word = words[at] as string;
    const known = positions.get(word);
    if (known === undefined) positions.set(word, [at - start + 1]);
    else if (known.length < maxPositionsPerWord) known.push(at - start + 1);
    else return at;
  }
  return last;
}

/** The text form of a `tsvector`; words contain nothing that needs quoting. */
function vectorOf(positions: ReadonlyMap<string, readonly number[]>): string {
  return [...positions].map(([word, offsets]) => `'${word}':${offsets.join(",")}`).join(" ");
}

/**
 * Blocks other transactions that add words until this one ends, so that {@link forgetUnusedWords} removes no word
 * that another is about to use. Call it before anything is indexed in the transaction and after the rows of documents
 * are locked, to avoid deadlocks.
 */
export async function lockVocabulary(writer: Writer): Promise<void> {
  if (dialectOf(writer).engine === "sqlite") return;
  await sql`lock table search_vocabulary in share row exclusive mode`.execute(writer);
}

/** Removes words from the vocabulary if no text contains them any more. SQLite does so by itself. */
export async function forgetUnusedWords(writer: Writer, words: readonly string[]): Promise<void> {
  if (dialectOf(writer).engine === "sqlite" || words.length === 0) return;
  await sql`delete from search_vocabulary where word = any(${[...new Set(words)]}::text[])
    and not exists (select 1 from document_words where words @@ quote_literal(word)::tsquery)`.execute(
    writer,
  );
}

/** The words among these that the index has for a part of a document. */
export async function wordsInIndex(
  writer: Writer,
  part: Omit<TextPart, "text">,
  words: readonly string[],
): Promise<string[]> {
  const held: string[] = [];
  for (const word of new Set(words)) {
    const found =
      dialectOf(writer).engine === "sqlite"
        ? sql`select 1 from document_words where rowid = ${rowidOf(part)} and document_words match ${`"${word}"`}`
        : sql`select 1 from document_words where document_id = ${part.documentId} and part = ${part.part}
            and words @@ quote_literal(${word}::text)::tsquery`;
    if ((await found.execute(writer)).rows.length > 0) held.push(word);
  }
  return held;
}

/**
 * Rewrites some of the index without its deleted content. SQLite only marks a row as deleted, and its words stay in
 * the file until their block is rewritten, although no query sees them. Returns false when nothing is left to do. The
 * first step schedules the whole index; each step takes a fraction of a second.
 */
export async function purgeStep(writer: Writer, step: "first" | "next"): Promise<boolean> {
  if (dialectOf(writer).engine !== "sqlite") return false;
  const changes = async (): Promise<number> => {
    const { rows } = await sql<{ changes: number }>`select total_changes() as changes`.execute(writer);
    return rows[0]?.changes ?? 0;
  };
  const before = await changes();
  const pages = step === "first" ? -pagesAtOnce : pagesAtOnce;
  await sql`insert into document_words (document_words, rank) values ('merge', ${sql.lit(pages)})`.execute(
    writer,
  );
  // The command itself counts as one change.
  return (await changes()) - before >= 2;
}

const pagesAtOnce = 500;
