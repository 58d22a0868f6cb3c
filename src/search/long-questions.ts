import { createRequire } from "node:module";
import { explainQuery } from "./explain-query.ts";
import type { Clause } from "./query-clauses.ts";
import { boostOf } from "./query-tokens.ts";
import type { WordsQuery } from "./query-tree.ts";
import { plainWordsOf } from "./words.ts";

/*
 * Questions and pasted texts: words without operators, of which any is enough. A word that is repeated counts as often
 * as it was typed. Of a long question, words are left out: those that every text of its language has, and beyond a
 * number, the shortest. The rarest would be better to keep than the longest, but which words are rare depends on
 * documents that the viewer may not see.
 */

/** Shorter questions are searched for each of their words. */
const minLongQuestion = 8;
/** A question of less than this is asked with its common words. */
const minWordsLeft = 3;
/** The words that a question is searched for. */
export const maxQuestionWords = 40;

/** A clause of plain words. */
type WordsClause = Clause & { query: WordsQuery };

/** What clauses without AND and OR are searched for, and the words that are left out, in the query language. */
export function asQuestion(listed: readonly Clause[]): { clauses: Clause[]; leftOut: string[] } {
  const clauses = withoutRepetitions(listed);
  const words = clauses.filter(isPlainWords);
  if (words.length < minLongQuestion) return { clauses, leftOut: [] };
  const common = commonWordsAmong(words);
  const rare = words.filter((clause) => !common.has(clause));
  const longest = (rare.length < minWordsLeft ? words : rare)
    .toSorted((one, other) => lettersIn(other) - lettersIn(one))
    .slice(0, maxQuestionWords);
  const kept = new Set<Clause>(longest);
  const demanded = new Set(clauses.filter(({ modifier }) => modifier === "must").map(nameOf));
  const leftOut = words.filter((clause) => !kept.has(clause));
  return {
    clauses: clauses.filter((clause) => kept.has(clause) || !isPlainWords(clause)),
    leftOut: leftOut.map(nameOf).filter((name) => !demanded.has(name)),
  };
}

/** Clauses of the same words become one, which weighs as much as they together. */
function withoutRepetitions(clauses: readonly Clause[]): Clause[] {
  const all: Clause[] = [];
  const indexes = new Map<string, number>();
  for (const clause of clauses) {
    const key = isPlainWords(clause) ? nameOf(clause) : null;
    const index = key === null ? undefined : indexes.get(key);
    const earlier = index === undefined ? undefined : all[index];
    if (index !== undefined && earlier !== undefined && isPlainWords(earlier) && isPlainWords(clause)) {
      const boost = boostOf(earlier.query.boost + clause.query.boost);
      all[index] = { ...earlier, query: { ...earlier.query, boost } };
      continue;
    }
    if (key !== null) indexes.set(key, all.length);
    all.push(clause);
  }
  return all;
}

/** The words of a clause in the query language, without their weight. */
function nameOf({ query }: Clause): string {
  return explainQuery(query.kind === "words" ? { ...query, boost: 1 } : query);
}

function isPlainWords(clause: Clause): clause is WordsClause {
  return clause.modifier === null && clause.query.kind === "words" && !clause.isParameter;
}

function lettersIn({ query }: WordsClause): number {
  return query.words.reduce((sum, word) => sum + Object.values(word).join("").length, 0);
}

/** The common words of that language of which the question has most. */
function commonWordsAmong(clauses: readonly WordsClause[]): ReadonlySet<WordsClause> {
  const common = commonWordsOf(clauses.flatMap((clause) => plainWordOf(clause) ?? []));
  return new Set(clauses.filter((clause) => common.has(plainWordOf(clause) ?? "")));
}

/** The word of a clause that is nothing but a word. */
function plainWordOf({ query: { field, words, exact } }: WordsClause): string | null {
  const [only] = words;
  const isSingle = words.length === 1 && only !== undefined && "word" in only;
  return isSingle && exact !== true && field === null ? only.word : null;
}

/** The words that every text has, of that language of which these words have most. */
export function commonWordsOf(words: readonly string[]): ReadonlySet<string> {
  let found: ReadonlySet<string> = new Set();
  let count = 0;
  for (const common of commonWords()) {
    const some = words.filter((word) => common.has(word)).length;
    if (some > count) [found, count] = [common, some];
  }
  return found;
}

/** Of languages whose lists have function words alone, in the form of the index. */
const languages =
  "eng deu fra spa ita por nld swe dan nob fin pol ces slk ron rus ukr bul ell tur ara heb fas cat hrv lit lav".split(
    " ",
  );

let lists: readonly ReadonlySet<string>[] | undefined;

/** Read for the first long question, which takes some milliseconds. */
function commonWords(): readonly ReadonlySet<string>[] {
  const require = createRequire(import.meta.url);
  return (lists ??= Object.entries(require("stopword") as Record<string, readonly string[]>)
    .filter(([language]) => languages.includes(language))
    .toSorted(([one], [other]) => languages.indexOf(one) - languages.indexOf(other))
    .map(([, words]) => {
      const folded = words.map(plainWordsOf).filter((of) => of.length === 1);
      return new Set(folded.flat());
    }));
}
