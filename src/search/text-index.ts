import { sql } from "kysely";
import { BulkInsert } from "../database/bulk-insert.ts";
import type { Writer } from "../database/database.ts";
import { type Dialect, dialectOf } from "../database/dialect.ts";
import { type TextPart, firstNotePart, partOfPage, partsPerDocument } from "./parts.ts";
import { maxWords } from "./query-limits.ts";
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
 * PostgreSQL keeps 256 places of a word in a text, and none beyond the 16,383rd word. So long texts are split, and a
 * stretch begins with the last words of the one before: a phrase of as many as a query may ask for is found where two
 * stretches meet.
 */
const wordsPerStretch = 4096;
const placesOfWord = 256;
const wordsInCommon = maxWords;

async function insertPostgres(writer: Writer, parts: readonly WordedPart[]): Promise<void> {
  const rows = parts.flatMap(({ documentId: document_id, part, words }) =>
    stretchesOf(words).map((vector, stretch) => ({ document_id, part, stretch, words: vector })),
  );
  const columns = ["document_id", "part", "stretch", "words"] as const;
  await new BulkInsert<(typeof rows)[number]>("document_words", columns, plainly).run(writer, rows);
  // In one order, so that two who add the same words wait for each other and not in a ring.
  const vocabulary = [...new Set(parts.flatMap(({ words }) => words))].toSorted();
  await sql`insert into search_vocabulary (word)
    select unnest(${vocabulary}::text[]) on conflict do nothing`.execute(writer);
}

function stretchesOf(words: readonly string[]): string[] {
  const stretches: string[] = [];
  for (let start = 0, end = 0; end < words.length; start = end - wordsInCommon) {
    const places = new Map<string, number[]>();
    end = placesFrom(words, start, places);
    stretches.push(vectorOf(places));
  }
  return stretches;
}

/** Gathers where each word stands, counted from 1, as far as all places of all words are kept; where that ends. */
function placesFrom(words: readonly string[], start: number, places: Map<string, number[]>): number {
  const last = Math.min(start + wordsPerStretch, words.length);
  for (let at = start; at < last; at++) {
    const word = words[at] as string;
    const known = places.get(word);
    if (known === undefined) places.set(word, [at - start + 1]);
    else if (known.length < placesOfWord) known.push(at - start + 1);
    else return at;
  }
  return last;
}

/** As PostgreSQL reads a `tsvector`; words hold nothing that would have to be quoted. */
function vectorOf(places: ReadonlyMap<string, readonly number[]>): string {
  return [...places].map(([word, all]) => `'${word}':${all.join(",")}`).join(" ");
}

/**
 * Has everyone else who adds words wait until this transaction ends, so that {@link forgetUnusedWords} takes away none
 * that someone is about to use. It comes before anything is indexed in the transaction, and after the rows of documents
 * are locked, or two would wait for each other.
 */
export async function lockVocabulary(writer: Writer): Promise<void> {
  if (dialectOf(writer).engine === "sqlite") return;
  await sql`lock table search_vocabulary in share row exclusive mode`.execute(writer);
}

/** Takes words off the list of those that are in the index, if no text has them any more. SQLite does so by itself. */
export async function forgetUnusedWords(writer: Writer, words: readonly string[]): Promise<void> {
  if (dialectOf(writer).engine === "sqlite" || words.length === 0) return;
  await sql`delete from search_vocabulary where word = any(${[...new Set(words)]}::text[])
    and not exists (select 1 from document_words where words @@ quote_literal(word)::tsquery)`.execute(
    writer,
  );
}

/** Which of these words the index has of a part of a document. */
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
 * Rewrites some of the index, without what was taken out of it. SQLite only notes that a row is gone, and its words stay in
 * the file until what they stand in is rewritten; from outside they are not to be seen. False where nothing is left to
 * do. The first step says that all of it is to be rewritten; each takes a fraction of a second.
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
  // The command itself counts as one.
  return (await changes()) - before >= 2;
}

const pagesAtOnce = 500;
