/*
 * A parsed query as a tree. A document matches words if one of its parts (parts.ts) contains them; conditions on
 * other fields have their own rules. parse-query.ts builds the tree, each engine's SQL evaluates it, and
 * testing/search-evaluation.ts is a plain reference implementation.
 */

import type { MentionKind } from "../contract/search.ts";

export type Query =
  | { kind: "everything" }
  | { kind: "nothing" }
  | { kind: "and"; of: readonly Query[] }
  | { kind: "or"; of: readonly Query[] }
  | { kind: "not"; of: Query }
  | WordsQuery
  /** Any text, even one without words: a title that is not empty, a page with text. */
  | { kind: "has"; field: TextField }
  | { kind: "is"; field: ExactField; value: string }
  /** A value with this prefix; an empty prefix matches any value. */
  | { kind: "begins"; field: ExactField; value: string }
  | { kind: "range"; field: RangeField; from: Bound | null; to: Bound | null };

/** A query with what else its text says. */
export interface ParsedQuery {
  query: Query;
  /** The words of a long question that are not searched for, in the query language. */
  leftOut: readonly string[];
  /** The query is malformed: parts without a meaning were read as text. */
  escaped: boolean;
  /** Wildcards or a `~` were read as text, because this viewer may not use them. */
  wildcardsIgnored: boolean;
  /** From clauses about the response: `sort:title`, `hl:true`. */
  sort: string | null;
  highlighted: string | null;
}

/**
 * One word; or several adjacent words in this order, in one part; or (with a slop) words each at most that far from
 * the next, in either order. A repeated word is near itself.
 */
export interface WordsQuery {
  kind: "words";
  /** Null means title, source, description and pages. */
  field: TextField | null;
  words: readonly WordPattern[];
  /** Null means adjacent. At most `widestSlop`. */
  slop: number | null;
  /** The weight for ranking; 1 by default. */
  boost: number;
  /** Written in quotes: other forms of the word do not match. */
  exact?: true;
}

/** `page` counts from 1. */
export type TextField = "title" | "source" | "description" | "text" | { page: number };

/** Words have the form that words.ts gives them. Only a single word may be fuzzy or have wildcards inside. */
export type WordPattern = PlainPattern | VocabularyPattern;

export type PlainPattern =
  | { word: string }
  /** Words with this prefix. */
  | { start: string };

/** Patterns that the index cannot look up directly: they are compared with its vocabulary. */
export type VocabularyPattern =
  /** Words that differ in at most this many letters. */
  | { like: string; edits: 1 | 2 }
  /** `*` stands for any letters and `?` for a single one. */
  | { pattern: string };

export type ExactField =
  | "access"
  | "status"
  | "language"
  | "text_language"
  | "slug"
  | "original_extension"
  | "noindex"
  /** The folder that a document is in, and the container: at any depth. */
  | "folder"
  | "container"
  /** A key of the document's `data`; `tag` is `_tag`. */
  | { data: string }
  /** What its pages mention: values of a kind, or of any. */
  | { mention: MentionKind | null };

export type RangeField =
  | "id"
  | "user"
  | "organization"
  | "project"
  | "parent"
  | "page_count"
  /** Bounds are days, as in `2024-03-09`. */
  | "mention_date"
  | "mention_birth_date"
  /** Bounds are timestamps in the database's format. */
  | "created_at"
  | "updated_at";

export interface Bound {
  value: number | string;
  isIncluded: boolean;
}
