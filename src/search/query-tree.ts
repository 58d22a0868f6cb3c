/*
 * What a query asks for, as a tree. A document matches words when one of its parts (parts.ts) holds them; what is not
 * text has rules of its own. Parsing makes it (parse-query.ts), each engine's SQL answers it, and
 * testing/search-evaluation.ts says in plain words what it means.
 */

export type Query =
  | { kind: "everything" }
  | { kind: "nothing" }
  | { kind: "and"; of: readonly Query[] }
  | { kind: "or"; of: readonly Query[] }
  | { kind: "not"; of: Query }
  | WordsQuery
  /** Any text there, also one without words: a title that is not empty, a page with a text. */
  | { kind: "has"; field: TextField }
  | { kind: "is"; field: ExactField; value: string }
  /** A value that begins so; an empty beginning: any value. */
  | { kind: "begins"; field: ExactField; value: string }
  | { kind: "range"; field: RangeField; from: Bound | null; to: Bound | null };

/**
 * One word; or several next to each other in this order, in one part; or (with a slop) each no further from the next
 * than that many words, in either order; a word that is wanted twice is near itself.
 */
export interface WordsQuery {
  kind: "words";
  /** Null: title, source, description and pages. */
  field: TextField | null;
  words: readonly WordPattern[];
  /** Null: next to each other. No more than `widestSlop`. */
  slop: number | null;
  /** How much it counts when documents are put in order; 1 is usual. */
  boost: number;
}

/** `page` counts from 1. */
export type TextField = "title" | "source" | "description" | "text" | { page: number };

/** Words are as words.ts makes them. Only a word by itself may be fuzzy or have wildcards inside. */
export type WordPattern = PlainPattern | VocabularyPattern;

export type PlainPattern =
  | { word: string }
  /** Words that begin so. */
  | { start: string };

/** Patterns that the index cannot look up by themselves: it has a list of its words to compare them with. */
export type VocabularyPattern =
  /** Words that differ in so many letters at most. */
  | { like: string; edits: 1 | 2 }
  /** With `*` for any letters and `?` for one. */
  | { pattern: string };

export type ExactField =
  | "access"
  | "status"
  | "language"
  | "slug"
  | "noindex"
  /** A key of the document's `data`; `tag` is `_tag`. */
  | { data: string };

export type RangeField =
  | "id"
  | "user"
  | "organization"
  | "project"
  | "page_count"
  /** Bounds are timestamps, as the database has them. */
  | "created_at"
  | "updated_at";

export interface Bound {
  value: number | string;
  isIncluded: boolean;
}
