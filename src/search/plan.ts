import type { Dialect } from "../database/dialect.ts";
import type { Database } from "../database/database.ts";
import { type WordCondition, type WordStart, wordsLike } from "./matches.ts";
import { TooMuchAskedError } from "./query-limits.ts";
import type { Query, TextField, WordPattern, WordsQuery } from "./query-tree.ts";

/** The words of a query, as the index is asked for them. */
export interface WordsPlan {
  field: TextField | null;
  wanted: WordCondition;
  boost: number;
  /** Whether a document is looked for because of them: not so where they are only to be absent. */
  isLookedFor: boolean;
}

/** A query whose words are numbered. */
export type PlannedQuery =
  | Exclude<Query, { kind: "words" | "and" | "or" | "not" }>
  | { kind: "and"; of: readonly PlannedQuery[] }
  | { kind: "or"; of: readonly PlannedQuery[] }
  | { kind: "not"; of: PlannedQuery }
  | { kind: "words"; index: number };

export interface SearchPlan {
  query: PlannedQuery;
  words: readonly WordsPlan[];
}

/**
 * A pattern stands for so many words at most, the first in their order. Where the words are not wanted, to leave some
 * out would show what was refused: there, more is too much to ask.
 */
const maxWordsOfPattern = 100;
/** A fuzzy word is compared with so many at most. */
const maxWordsCompared = 20_000;

/**
 * Looks up which words the patterns stand for, so that the rest is one statement.
 *
 * @throws {TooMuchAskedError}
 */
export async function planSearch(
  database: Database,
  query: Query,
  timeLimitSeconds: number,
): Promise<SearchPlan> {
  const words: WordsPlan[] = [];
  const plan = async (node: Query, isLookedFor: boolean): Promise<PlannedQuery> => {
    switch (node.kind) {
      case "words": {
        const wanted = await wantedOf(database, node, isLookedFor, timeLimitSeconds);
        const { field, boost } = node;
        return { kind: "words", index: words.push({ field, wanted, boost, isLookedFor }) - 1 };
      }
      case "and":
      case "or": {
        const of: PlannedQuery[] = [];
        for (const one of node.of) of.push(await plan(one, isLookedFor));
        return { kind: node.kind, of };
      }
      case "not":
        return { kind: "not", of: await plan(node.of, !isLookedFor) };
      default:
        return node;
    }
  };
  return { query: await plan(query, true), words };
}

async function wantedOf(
  database: Database,
  { words, slop }: WordsQuery,
  isLookedFor: boolean,
  timeLimitSeconds: number,
): Promise<WordCondition> {
  const [only] = words;
  if (words.length === 1 && only !== undefined) {
    if (isPlain(only)) return { anyOf: [startOf(only)] };
    const all = await wordsOfPattern(database, only, timeLimitSeconds);
    const some = all.words.slice(0, maxWordsOfPattern);
    if (!isLookedFor && !(all.isComplete && some.length === all.words.length)) {
      throw new TooMuchAskedError(
        `What is not wanted may have * or ? inside or ~ at the end where it stands for ${maxWordsOfPattern} words`,
      );
    }
    return { anyOf: some.map((word) => ({ word, isStart: false })) };
  }
  const several = words.filter(isPlain).map(startOf);
  return slop === null ? { phrase: several } : { near: several, slop };
}

type PlainPattern = Extract<WordPattern, { word: string } | { start: string }>;

function isPlain(pattern: WordPattern): pattern is PlainPattern {
  return "word" in pattern || "start" in pattern;
}

function startOf(pattern: PlainPattern): WordStart {
  return "word" in pattern ? { word: pattern.word, isStart: false } : { word: pattern.start, isStart: true };
}

async function wordsOfPattern(
  database: Database,
  pattern: Exclude<WordPattern, PlainPattern>,
  timeLimitSeconds: number,
): Promise<{ words: string[]; isComplete: boolean }> {
  if ("pattern" in pattern) {
    const like = pattern.pattern
      .replaceAll(/[%_\\]/g, (character) => `\\${character}`)
      .replaceAll("*", "%")
      .replaceAll("?", "_");
    const words = await found(database, database.dialect, like, maxWordsOfPattern + 1, timeLimitSeconds);
    return { words, isComplete: true };
  }
  const { like, edits } = pattern;
  const [first = ""] = like;
  const near = await found(database, database.dialect, `${first}%`, maxWordsCompared, timeLimitSeconds);
  const words = near.filter((word) => isWithin(word, like, edits));
  return { words, isComplete: near.length < maxWordsCompared };
}

async function found(
  database: Database,
  dialect: Dialect,
  like: string,
  limit: number,
  timeLimitSeconds: number,
): Promise<string[]> {
  const rows = await database.aside(wordsLike(dialect, like, limit), timeLimitSeconds);
  return rows.map(({ word }) => word);
}

/** Whether one becomes the other by so many letters that are added, left out, changed, or swapped with the next. */
export function isWithin(one: string, other: string, edits: number): boolean {
  const [a, b] = [Array.from(one), Array.from(other)];
  if (Math.abs(a.length - b.length) > edits) return false;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [i, letter] of a.entries()) {
    const row = [i + 1];
    for (const [j, expected] of b.entries()) {
      const isSame = letter === expected;
      const ways = [
        (last[j] as number) + (isSame ? 0 : 1),
        (last[j + 1] as number) + 1,
        (row[j] as number) + 1,
      ];
      const isSwapped = i > 0 && j > 0 && letter === b[j - 1] && a[i - 1] === expected;
      if (isSwapped) ways.push((beforeLast[j - 1] as number) + 1);
      row.push(Math.min(...ways));
    }
    if (Math.min(...row) > edits) return false;
    [beforeLast, last] = [last, row];
  }
  return (last.at(-1) as number) <= edits;
}
