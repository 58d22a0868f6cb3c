import { type RawBuilder, sql } from "kysely";
import type { Dialect } from "../database/dialect.ts";
import { partsPerDocument } from "./parts.ts";

/** A word, or what words begin with. */
export interface WordStart {
  word: string;
  isStart: boolean;
}

/**
 * What a part has to hold: one of several words, or words next to each other in this order, or (with a `slop`) each no
 * further from the next than that many words, in either order. Only the last of several words may be a beginning.
 */
export type WordCondition =
  | { anyOf: readonly WordStart[] }
  | { phrase: readonly WordStart[] }
  | { near: readonly WordStart[]; slop: number };

/** Rows of `document_id` and `part`, perhaps more than one for a part. Nothing is wanted: none. */
export function partsWith(dialect: Dialect, wanted: WordCondition): RawBuilder<unknown> {
  if (dialect.engine === "sqlite") {
    const expression = sqliteExpression(wanted);
    const size = sql.lit(partsPerDocument);
    return sql`select rowid / ${size} as document_id, rowid % ${size} as part
      from document_words where document_words match ${expression === "" ? '""' : expression}`;
  }
  return sql`select document_id, part from document_words
    where words @@ ${postgresExpression(wanted)}::tsquery`;
}

/** The same for one document alone. */
export function partsOfDocumentWith(
  dialect: Dialect,
  wanted: WordCondition,
  documentId: number,
): RawBuilder<unknown> {
  if (dialect.engine === "sqlite") {
    const first = BigInt(documentId) * BigInt(partsPerDocument);
    const last = first + BigInt(partsPerDocument - 1);
    return sql`${partsWith(dialect, wanted)} and rowid between ${first} and ${last}`;
  }
  return sql`${partsWith(dialect, wanted)} and document_id = ${documentId}`;
}

function sqliteExpression(wanted: WordCondition): string {
  if ("anyOf" in wanted) return wanted.anyOf.map(sqliteWord).join(" OR ");
  if ("phrase" in wanted) {
    const words = wanted.phrase.map(({ word }) => word).join(" ");
    return words === "" ? "" : `"${words}"${wanted.phrase.at(-1)?.isStart === true ? " *" : ""}`;
  }
  return pairsOf(wanted.near)
    .map(([one, other]) => `NEAR(${sqliteWord(one)} ${sqliteWord(other)}, ${wanted.slop})`)
    .join(" AND ");
}

function sqliteWord({ word, isStart }: WordStart): string {
  return `"${word}"${isStart ? " *" : ""}`;
}

function postgresExpression(wanted: WordCondition): string {
  if ("anyOf" in wanted) return wanted.anyOf.map(postgresWord).join(" | ");
  if ("phrase" in wanted) return wanted.phrase.map(postgresWord).join(" <-> ");
  // With 0, a word is near itself, as SQLite has it.
  const distances = Array.from({ length: wanted.slop + 2 }, (_, index) => index);
  return pairsOf(wanted.near)
    .map(([one, other]) => {
      const orders = distances.flatMap((distance) => [
        `${postgresWord(one)} <${distance}> ${postgresWord(other)}`,
        `${postgresWord(other)} <${distance}> ${postgresWord(one)}`,
      ]);
      return `(${orders.join(" | ")})`;
    })
    .join(" & ");
}

function postgresWord({ word, isStart }: WordStart): string {
  return `'${word}'${isStart ? ":*" : ""}`;
}

function pairsOf(words: readonly WordStart[]): [WordStart, WordStart][] {
  return words.slice(1).map((word, index) => [words[index] as WordStart, word]);
}

/** Words that are in the index, of a pattern of SQL's `like` with `\` as its escape; of hidden documents, too. */
export function wordsLike(dialect: Dialect, pattern: string, limit: number): RawBuilder<{ word: string }> {
  const word = sql.ref(dialect.engine === "sqlite" ? "term" : "word");
  // What comes before the first wildcard is a range of the index.
  const start = /^(?:[^%_\\]|\\.)*/.exec(pattern)?.[0].replaceAll("\\", "") ?? "";
  const inRange = start === "" ? sql`1 = 1` : sql`${word} >= ${start} and ${word} < ${start + lastCharacter}`;
  return sql`select ${word} as word from search_vocabulary
    where ${inRange} and ${word} like ${pattern} escape '\\' order by ${word} limit ${sql.lit(limit)}`;
}

/** Sorts after all characters that words consist of. */
const lastCharacter = "\u{10FFFF}";
