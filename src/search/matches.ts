import { type RawBuilder, sql } from "kysely";
import type { Dialect } from "../database/dialect.ts";
import { partsPerDocument } from "./parts.ts";
import type { PlainPattern, VocabularyPattern } from "./query-tree.ts";
import { firstLetter } from "./word-patterns.ts";

/**
 * What a part has to hold: any word that a pattern stands for, or words next to each other in this order (or one
 * alone), or (with a `slop`) each no further from the next than that many words, in either order. Only the last of
 * several words may be a beginning.
 */
export type WordCondition = { pattern: VocabularyPattern } | PlainWanted;
type PlainWanted = { phrase: readonly PlainPattern[] } | { near: readonly PlainPattern[]; slop: number };

/**
 * Rows of `document_id` and `part`, perhaps more than one for a part; of some documents, or (null) of all. Nothing is
 * wanted: none.
 */
export function partsWith(
  dialect: Dialect,
  wanted: WordCondition,
  documentIds: readonly number[] | null,
): RawBuilder<unknown> {
  if ("pattern" in wanted) return partsWithPattern(dialect, wanted.pattern, documentIds);
  if (dialect.engine === "sqlite") {
    const expression = sqliteExpression(wanted);
    const match = sql`document_words match ${expression === "" ? '""' : expression}`;
    if (documentIds === null) return sql`select ${sqlitePart} from document_words where ${match}`;
    return sql`select ${sqlitePart}
      from json_each(${dialect.list(documentIds)}) as asked cross join document_words
      where ${match} and document_words.rowid
        between asked.value * ${size} and asked.value * ${size} + ${sql.lit(partsPerDocument - 1)}`;
  }
  return sql`select document_id, part from document_words
    where words @@ ${postgresExpression(wanted)}::tsquery ${isOf(dialect, sql`document_id`, documentIds)}`;
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
 * The words that a pattern stands for are looked up where their parts are, all of them, however many there are: a limit
 * would tell of hidden documents, whose words are in the same list. As one expression they would be compared with each
 * part one by one, and PostgreSQL would refuse a long one.
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
  // The offset has PostgreSQL look each word up in its index of words, and not compare all words with all parts.
  return sql`select distinct holding.document_id, holding.part from search_vocabulary
    cross join lateral (
      select document_id, part from document_words
      where words @@ quote_literal(search_vocabulary.word)::tsquery ${isOf(dialect, sql`document_id`, documentIds)}
      offset 0
    ) as holding
    where ${isWordOf(sql`search_vocabulary.word`, pattern)}`;
}

/** As `patternTest` has it (word-patterns.ts). */
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

/** As a range of the index. */
function beginsWith(word: RawBuilder<unknown>, start: string): RawBuilder<unknown> {
  return start === "" ? sql`1 = 1` : sql`${word} >= ${start} and ${word} < ${start + lastCharacter}`;
}

/** Sorts after all characters that words consist of. */
const lastCharacter = "\u{10FFFF}";

function sqliteExpression(wanted: PlainWanted): string {
  if ("phrase" in wanted) {
    const words = wanted.phrase.map(textOf).join(" ");
    const last = wanted.phrase.at(-1);
    return words === "" ? "" : `"${words}"${last !== undefined && "start" in last ? " *" : ""}`;
  }
  return pairsOf(wanted.near)
    .map(([one, other]) => `NEAR(${sqliteWord(one)} ${sqliteWord(other)}, ${wanted.slop})`)
    .join(" AND ");
}

function textOf(pattern: PlainPattern): string {
  return "word" in pattern ? pattern.word : pattern.start;
}

function sqliteWord(pattern: PlainPattern): string {
  return `"${textOf(pattern)}"${"start" in pattern ? " *" : ""}`;
}

function postgresExpression(wanted: PlainWanted): string {
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

function postgresWord(pattern: PlainPattern): string {
  return `'${textOf(pattern)}'${"start" in pattern ? ":*" : ""}`;
}

function pairsOf(words: readonly PlainPattern[]): [PlainPattern, PlainPattern][] {
  return words.slice(1).map((word, index) => [words[index] as PlainPattern, word]);
}
