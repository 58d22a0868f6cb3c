import { type RawBuilder, sql } from "kysely";
import type { Dialect } from "../database/dialect.ts";
import { partsPerDocument } from "./parts.ts";
import type { PlainPattern, VocabularyPattern } from "./query-tree.ts";
import { firstLetter } from "./word-patterns.ts";

/**
 * The condition on the words of a part: any word that matches a pattern; or adjacent words in this order (or a single
 * one); or, with a `slop`, words each at most that far from the next, in either order. Only the last of several words
 * may be a prefix.
 */
export type WordCondition = { pattern: VocabularyPattern } | PlainCondition;
type PlainCondition = { phrase: readonly PlainPattern[] } | { near: readonly PlainPattern[]; slop: number };

/**
 * Selects `document_id` and `part` of the matching parts, possibly with duplicates; of these documents, or of all
 * (null). An empty condition matches nothing.
 */
export function partsWith(
  dialect: Dialect,
  condition: WordCondition,
  documentIds: readonly number[] | null,
): RawBuilder<unknown> {
  if ("pattern" in condition) return partsWithPattern(dialect, condition.pattern, documentIds);
  if (dialect.engine === "sqlite") {
    const expression = sqliteExpression(condition);
    const match = sql`document_words match ${expression === "" ? '""' : expression}`;
    if (documentIds === null) return sql`select ${sqlitePart} from document_words where ${match}`;
    return sql`select ${sqlitePart}
      from json_each(${dialect.list(documentIds)}) as asked cross join document_words
      where ${match} and document_words.rowid
        between asked.value * ${size} and asked.value * ${size} + ${sql.lit(partsPerDocument - 1)}`;
  }
  return sql`select document_id, part from document_words
    where words @@ ${postgresExpression(condition)}::tsquery ${isOf(dialect, sql`document_id`, documentIds)}`;
}

const size = sql.lit(partsPerDocument);
const sqlitePart = sql`document_words.rowid / ${size} as document_id, document_words.rowid % ${size} as part`;

function isOf(
  dialect: Dialect,
  id: RawBuilder<unknown>,
  documentIds: readonly number[] | null,
): RawBuilder<unknown> {
  return documentIds === null ? sql`` : sql`and ${dialect.isAmong(id, sql`${dialect.list(documentIds)}`)}`;
}

/**
 * Looks up the words that match a pattern, and their parts, within the statement, however many there are: a limit
 * would reveal hidden documents, whose words are in the same vocabulary. As one expression they would be compared
 * with each part in turn, and PostgreSQL would refuse a long one.
 */
function partsWithPattern(
  dialect: Dialect,
  pattern: VocabularyPattern,
  documentIds: readonly number[] | null,
): RawBuilder<unknown> {
  if (dialect.engine === "sqlite") {
    return sql`select distinct ${sqlitePart} from search_vocabulary cross join document_words
      where ${isWordOf(sql`search_vocabulary.term`, pattern)}
        and document_words match '"' || search_vocabulary.term || '"'
        ${isOf(dialect, sql`document_words.rowid / ${size}`, documentIds)}`;
  }
  // The offset makes PostgreSQL look up each word in its text index instead of comparing all words with all parts.
  return sql`select distinct holding.document_id, holding.part from search_vocabulary
    cross join lateral (
      select document_id, part from document_words
      where words @@ quote_literal(search_vocabulary.word)::tsquery ${isOf(dialect, sql`document_id`, documentIds)}
      offset 0
    ) as holding
    where ${isWordOf(sql`search_vocabulary.word`, pattern)}`;
}

/** Equivalent to `patternTest` (word-patterns.ts). */
function isWordOf(word: RawBuilder<unknown>, pattern: VocabularyPattern): RawBuilder<unknown> {
  if ("like" in pattern) {
    const { like, edits } = pattern;
    return sql`${beginsWith(word, firstLetter(like))} and is_within_edits(${word}, ${like}, ${edits})`;
  }
  const [start = ""] = /^[^*?]*/.exec(pattern.pattern) ?? [];
  const like = pattern.pattern
    .replaceAll(/[%_\\]/g, (character) => `\\${character}`)
    .replaceAll("*", "%")
    .replaceAll("?", "_");
  return sql`${beginsWith(word, start)} and ${word} like ${like} escape '\\'`;
}

/** A prefix as a range of the index. */
function beginsWith(word: RawBuilder<unknown>, start: string): RawBuilder<unknown> {
  return start === "" ? sql`1 = 1` : sql`${word} >= ${start} and ${word} < ${start + lastCharacter}`;
}

/** Sorts after every character of a word. */
const lastCharacter = "\u{10FFFF}";

function sqliteExpression(condition: PlainCondition): string {
  if ("phrase" in condition) {
    const words = condition.phrase.map(textOf).join(" ");
    const last = condition.phrase.at(-1);
    return words === "" ? "" : `"${words}"${last !== undefined && "start" in last ? " *" : ""}`;
  }
  return pairsOf(condition.near)
    .map(([first, second]) => `NEAR(${sqliteWord(first)} ${sqliteWord(second)}, ${condition.slop})`)
    .join(" AND ");
}

function textOf(pattern: PlainPattern): string {
  return "word" in pattern ? pattern.word : pattern.start;
}

function sqliteWord(pattern: PlainPattern): string {
  return `"${textOf(pattern)}"${"start" in pattern ? " *" : ""}`;
}

function postgresExpression(condition: PlainCondition): string {
  if ("phrase" in condition) return condition.phrase.map(postgresWord).join(" <-> ");
  // The distance 0 makes a word near itself, as in SQLite.
  const distances = Array.from({ length: condition.slop + 2 }, (_, index) => index);
  return pairsOf(condition.near)
    .map(([first, second]) => {
      const orders = distances.flatMap((distance) => [
        `${postgresWord(first)} <${distance}> ${postgresWord(second)}`,
        `${postgresWord(second)} <${distance}> ${postgresWord(first)}`,
      ]);
      return `(${orders.join(" | ")})`;
    })
    .join(" & ");
}

function postgresWord(pattern: PlainPattern): string {
  return `'${textOf(pattern)}'${"start" in pattern ? ":*" : ""}`;
}

function pairsOf(words: readonly PlainPattern[]): [PlainPattern, PlainPattern][] {
  return words.slice(1).map((word, index) => [words[index] as PlainPattern, word]);
}
