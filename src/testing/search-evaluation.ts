import type { MentionKind } from "../contract/search.ts";
import { mentionsOf } from "../resources/documents/pages/mention-store.ts";
import type {
  Bound,
  ExactField,
  Query,
  RangeField,
  TextField,
  WordPattern,
  WordsQuery,
} from "../search/query-tree.ts";
import { stemsOf } from "../search/stems.ts";
import { plainWordsOf } from "../search/words.ts";

/** The parts of a document that a query can refer to. */
export interface SearchedDocument {
  id: number;
  title: string;
  source: string;
  description: string;
  /** The texts of the pages. */
  pages: readonly string[];
  /** The texts of the notes that the viewer may see. */
  notes: readonly string[];
  data: Readonly<Record<string, readonly string[]>>;
  user_id: number;
  organization_id: number;
  access: string;
  status: string;
  language: string;
  slug: string;
  original_extension: string;
  created_at: string;
  updated_at: string;
  page_count: number;
  noindex: boolean;
  /** The projects of the document that the viewer may know of. */
  projects: readonly number[];
  /** The document that it is part of, or nothing. */
  parents?: readonly number[];
  /** The folders that it is in, at any depth. */
  folders?: readonly string[];
  /** The containers that it is in, and folders in them: `42`, `42/docs`. */
  containers?: readonly string[];
}

/**
 * Whether a document matches a query: the plain meaning of the query, without an index and without SQL. Other forms of
 * a word match where it is looked for.
 */
export function evaluate(query: Query, document: SearchedDocument, isSought = true): boolean {
  switch (query.kind) {
    case "everything":
      return true;
    case "nothing":
      return false;
    case "and":
      return query.of.every((one) => evaluate(one, document, isSought));
    case "or":
      return query.of.some((one) => evaluate(one, document, isSought));
    case "not":
      return !evaluate(query.of, document, !isSought);
    case "words":
      return partsOf(document, query.field).some((text) => {
        const words = plainWordsOf(text);
        if (isSought && hasForm(words, query, document.language)) return true;
        return query.slop === null
          ? holdsPhrase(words, query.words)
          : areNear(words, query.words, query.slop);
      });
    case "has":
      return partsOf(document, query.field).some((text) => text !== "");
    case "is":
      return exactValues(document, query.field).includes(query.value);
    case "begins":
      return exactValues(document, query.field).some((value) => value.startsWith(query.value));
    case "range":
      return numbersOf(document, query.field).some(
        (value) => isBeyond(value, query.from, 1) && isBeyond(value, query.to, -1),
      );
  }
}

/** In quotes, only the word itself is found. */
function hasForm(
  words: readonly string[],
  { words: patterns, exact }: WordsQuery,
  language: string,
): boolean {
  const [only] = patterns;
  const isSingle = patterns.length === 1 && only !== undefined && "word" in only;
  if (!isSingle || exact === true) return false;
  const stems = stemsOf(language, only.word);
  return words.some(
    (word) => word === only.word || stemsOf(language, word).some((stem) => stems.includes(stem)),
  );
}

/** The numbers of the pages, from 0, with any of the words that a query looks for. */
export function pagesHolding(query: Query, document: SearchedDocument): number[] {
  const sought = soughtIn(query);
  return document.pages.flatMap((_, index) => {
    const pages = document.pages.map((text, other) => (other === index ? text : ""));
    const page = { ...document, title: "", source: "", description: "", notes: [], pages };
    return sought.some((words) => evaluate(words, page)) ? [index] : [];
  });
}

/** The words that are not behind a NOT. */
function soughtIn(query: Query, isSought = true): Query[] {
  if (query.kind === "and" || query.kind === "or") return query.of.flatMap((one) => soughtIn(one, isSought));
  if (query.kind === "not") return soughtIn(query.of, !isSought);
  return query.kind === "words" && isSought ? [query] : [];
}

function partsOf(
  { title, source, description, pages, notes }: SearchedDocument,
  field: TextField | null,
): readonly string[] {
  if (field === null) return [title, source, description, ...pages, ...notes];
  if (field === "text") return pages;
  if (typeof field === "object") return pages.slice(field.page - 1, field.page);
  return [{ title, source, description }[field]];
}

function holdsPhrase(words: readonly string[], patterns: readonly WordPattern[]): boolean {
  return words.some((_, start) =>
    patterns.every((pattern, index) => {
      const word = words[start + index];
      return word !== undefined && isWord(word, pattern);
    }),
  );
}

/**
 * Whether each item has at most this many words between itself and the next one, in either order. Both may match at the
 * same position.
 */
function areNear(words: readonly string[], patterns: readonly WordPattern[], slop: number): boolean {
  return patterns.slice(1).every((pattern, index) => {
    const positions = positionsOf(words, patterns[index] as WordPattern);
    return positionsOf(words, pattern).some((one) =>
      positions.some((other) => Math.abs(one - other) - 1 <= slop),
    );
  });
}

function positionsOf(words: readonly string[], pattern: WordPattern): number[] {
  return words.flatMap((word, position) => (isWord(word, pattern) ? [position] : []));
}

function isWord(word: string, pattern: WordPattern): boolean {
  if ("word" in pattern) return word === pattern.word;
  if ("start" in pattern) return word.startsWith(pattern.start);
  if ("pattern" in pattern) {
    const wildcards = pattern.pattern.replaceAll("*", ".*").replaceAll("?", ".");
    return new RegExp(`^${wildcards}$`, "su").test(word);
  }
  const { like, edits } = pattern;
  return Array.from(word)[0] === Array.from(like)[0] && differsBy(Array.from(word), Array.from(like), edits);
}

/** Whether at most this many edits make one word the other. An edit adds, drops or changes a letter, or swaps two. */
function differsBy([one, ...ones]: string[], [other, ...others]: string[], edits: number): boolean {
  if (one === undefined) return others.length + (other === undefined ? 0 : 1) <= edits;
  if (other === undefined) return ones.length + 1 <= edits;
  if (one === other && differsBy(ones, others, edits)) return true;
  if (edits === 0) return false;
  const isSwapped = one === others[0] && other === ones[0];
  return (
    differsBy(ones, [other, ...others], edits - 1) ||
    differsBy([one, ...ones], others, edits - 1) ||
    differsBy(ones, others, edits - 1) ||
    (isSwapped && differsBy(ones.slice(1), others.slice(1), edits - 1))
  );
}

function exactValues(document: SearchedDocument, field: ExactField): readonly string[] {
  if (typeof field === "object" && "mention" in field) return mentionedIn(document, field.mention);
  if (typeof field === "object") return document.data[field.data] ?? [];
  if (field === "text_language") return [document.language];
  if (field === "folder") return document.folders ?? [];
  if (field === "container") return document.containers ?? [];
  return [field === "noindex" ? String(document.noindex) : document[field]];
}

/** The values that the pages mention, of a kind or of any. */
function mentionedIn({ pages }: SearchedDocument, kind: MentionKind | null): string[] {
  return pages
    .flatMap((text) => mentionsOf(0, { page: 0, text }))
    .filter((mention) => kind === null || mention.kind === kind)
    .map(({ value }) => value);
}

function numbersOf(document: SearchedDocument, field: RangeField): readonly (number | string)[] {
  if (field === "project") return document.projects;
  if (field === "parent") return document.parents ?? [];
  if (field === "mention_date") return mentionedIn(document, "date");
  if (field === "mention_birth_date") return mentionedIn(document, "birth_date");
  const column = field === "user" || field === "organization" ? (`${field}_id` as const) : field;
  return [document[column]];
}

/**
 * Whether a value is beyond a bound, upwards (1) or downwards (-1). Timestamps have equal length and compare as texts.
 */
function isBeyond(value: number | string, bound: Bound | null, direction: 1 | -1): boolean {
  if (bound === null) return true;
  if (value === bound.value) return bound.isIncluded;
  return value > bound.value === (direction === 1);
}
