import { type SortedColumn, sortedColumns } from "../database/audiences/columns.ts";
import type { WordCondition } from "./matches.ts";
import type { PlainPattern, Query, TextField, WordPattern, WordsQuery } from "./query-tree.ts";
import { type FormStem, formStemsOf, loadStemmer } from "./stems.ts";

/** A condition on words, in the form in which the index is searched. */
export interface WordsPlan {
  field: TextField | null;
  wanted: WordCondition;
  boost: number;
  /** Whether documents must contain these words, as opposed to words that must be absent. */
  isLookedFor: boolean;
  /**
   * The stems of a single word whose other forms are found too. None of everything else, of a word in quotes, and of
   * one that must be absent.
   */
  stems: readonly FormStem[];
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
export async function planSearch(query: Query): Promise<SearchPlan> {
  await loadStemmer();
  const words: WordsPlan[] = [];
  const plan = (node: Query, isLookedFor: boolean): PlannedQuery => {
    switch (node.kind) {
      case "words": {
        const { field, boost } = node;
        const wanted = wantedOf(node);
        const word = isLookedFor && node.exact !== true ? singleWord(wanted) : null;
        const stems = word === null ? [] : formStemsOf(word);
        return { kind: "words", index: words.push({ field, wanted, boost, isLookedFor, stems }) - 1 };
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

/** The conditions as they are for a document in a language: other forms are those of that language. */
export function inLanguage(words: readonly WordsPlan[], language: string): WordsPlan[] {
  return words.map((condition) => ({
    ...condition,
    stems: condition.stems.filter((stem) => stem.language === language),
  }));
}

/** The word of a condition on a single plain word; null of others. */
export function singleWord(wanted: WordCondition): string | null {
  if (!("phrase" in wanted) || wanted.phrase.length !== 1) return null;
  const [only] = wanted.phrase;
  return only === undefined || !("word" in only) ? null : only.word;
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

/** Whether the query names its documents, by ids, projects, branches or data. Each of them is looked up then. */
export function namesDocuments(query: PlannedQuery): boolean {
  switch (query.kind) {
    case "nothing":
      return true;
    case "range":
      return query.field === "id" || query.field === "project" || query.field === "parent";
    case "is":
    case "begins":
      return typeof query.field === "object" || query.field === "folder" || query.field === "container";
    case "and":
      return query.of.some(namesDocuments);
    case "or":
      return query.of.every(namesDocuments);
    case "not":
    case "has":
    case "everything":
    case "words":
      return false;
  }
}

/** The id that the query requires of this column; null if it requires none. */
export function requiredOwner(query: PlannedQuery, field: "user" | "organization"): number | null {
  if (query.kind === "and") {
    for (const part of query.of) {
      const id = requiredOwner(part, field);
      if (id !== null) return id;
    }
  }
  if (query.kind !== "range" || query.field !== field || query.from === null) return null;
  const { from, to } = query;
  const isSingle = to !== null && from.value === to.value && from.isIncluded && to.isIncluded;
  return isSingle ? Number(from.value) : null;
}

const ownerColumns = ["user", "organization"] as const;

/** The column by which the documents of one owner are read. */
export function ownerColumn(query: PlannedQuery): string | null {
  const owner = ownerColumns.find((field) => requiredOwner(query, field) !== null);
  return owner === undefined ? null : `${owner}_id`;
}

type Ranged = Extract<PlannedQuery, { kind: "range" }> & { field: SortedColumn };

/** A range of a column that the query requires. */
export function requiredRange(query: PlannedQuery): Ranged | null {
  const ranged = partsOf(query).find(
    (part): part is Ranged => part.kind === "range" && part.field in sortedColumns,
  );
  return ranged ?? null;
}

const partsOf = (query: PlannedQuery): readonly PlannedQuery[] => (query.kind === "and" ? query.of : [query]);

const filters: ReadonlySet<unknown> = new Set([
  "access",
  "status",
  "language",
  "original_extension",
  "noindex",
]);

/** Whether a condition is on columns of `documents_filtered` alone. */
function isFilter(query: PlannedQuery): boolean {
  if (query.kind === "and" || query.kind === "or") return query.of.length > 0 && query.of.every(isFilter);
  if (query.kind === "not") return isFilter(query.of);
  return (query.kind === "is" || query.kind === "begins") && filters.has(query.field);
}

/** Whether the documents that match are read from `documents_filtered`, since no other index has them together. */
export function isFiltered(query: PlannedQuery): boolean {
  if (namesDocuments(query) || ownerColumn(query) !== null || requiredRange(query) !== null) return false;
  return partsOf(query).some(isFilter);
}
