import type { WordCondition } from "./matches.ts";
import type { PlainPattern, Query, TextField, WordPattern, WordsQuery } from "./query-tree.ts";

/** A condition on words, in the form in which the index is searched. */
export interface WordsPlan {
  field: TextField | null;
  wanted: WordCondition;
  boost: number;
  /** Whether documents must contain these words, as opposed to words that must be absent. */
  isLookedFor: boolean;
}

/** A query whose conditions on words are numbered. */
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
 * Numbers the conditions on words in a query. The plan depends only on the query, never on the contents of the index.
 * The vocabulary of the index includes the words of hidden documents and notes, so the number of matching words must
 * not leak.
 */
export function planSearch(query: Query): SearchPlan {
  const words: WordsPlan[] = [];
  const plan = (node: Query, isLookedFor: boolean): PlannedQuery => {
    switch (node.kind) {
      case "words": {
        const { field, boost } = node;
        const wanted = wantedOf(node);
        return { kind: "words", index: words.push({ field, wanted, boost, isLookedFor }) - 1 };
      }
      case "and":
      case "or":
        return { kind: node.kind, of: node.of.map((operand) => plan(operand, isLookedFor)) };
      case "not":
        return { kind: "not", of: plan(node.of, !isLookedFor) };
      case "everything":
      case "nothing":
      case "has":
      case "is":
      case "begins":
      case "range":
        return node;
    }
  };
  return { query: plan(query, true), words };
}

function wantedOf({ words, slop }: WordsQuery): WordCondition {
  const [first] = words;
  if (words.length === 1 && first !== undefined && !isPlain(first)) return { pattern: first };
  const plain = words.filter(isPlain);
  return slop === null ? { phrase: plain } : { near: plain, slop };
}

function isPlain(pattern: WordPattern): pattern is PlainPattern {
  return "word" in pattern || "start" in pattern;
}
