import type { Generated } from "kysely";
import type { AudienceColumn } from "../audiences/columns.ts";
import type { Flag, Immutable, Optional, Timestamp } from "./column-types.ts";

export interface DocumentsTable {
  id: Generated<number>;
  /** A new number for every change of the record that the API shows. */
  revision: Immutable<number>;
  access: string;
  admin_noindex: Flag;
  /** The address of the files of an imported record; null if they are in our own file store. */
  asset_url: string | null;
  created_at: Timestamp;
  /** JSON text: an object of arrays of strings. */
  data: string;
  description: string;
  file_hash: string;
  language: string;
  noindex: Flag;
  organization_id: number;
  original_extension: string;
  page_count: number;
  page_spec: string;
  publish_at: Timestamp | null;
  published_url: string;
  related_article: string;
  revision_control: Flag;
  slug: string;
  source: string;
  status: string;
  title: string;
  updated_at: Timestamp;
  user_id: number;
}

/** One row for each document and key of its `data` that has a value; maintained by triggers, for ordering by a key. */
export interface DocumentDataTable {
  document_id: Immutable<number>;
  key: Immutable<string>;
  lowest: Immutable<string>;
  highest: Immutable<string>;
  /** Whether the document is public. Memberships have the same column. */
  is_public: Immutable<boolean | number>;
}

/** A document's record as text: see migrations/baseline/documents.ts. */
export interface DocumentRecordsTable {
  document_id: number;
  format: number | null;
  /** The digest of the text; it does not depend on the files' address or on the viewer. */
  digest: string | null;
  /** Up to `asset_url`, including its value if the files are not in Quire's own store. */
  opening: string | null;
  has_own_files: boolean | number | null;
  /** Where the value of `edit_access` begins in `rest`, in characters. */
  edit_at: number | null;
  /** Where the ids in `projects` begin in `rest`, in characters. */
  projects_at: number | null;
  /** The ids of its public projects, as written in `rest`. */
  projects: string | null;
  /** The text after the host of `canonical_url`. Null if the record is outdated. */
  rest: string | null;
}

/** The audiences of documents that are not public; maintained by triggers. */
export type DocumentAudiencesTable = {
  /** `user:<id>`, `organization:<id>` or `project:<id>`. */
  audience: Immutable<string>;
  document_id: Immutable<number>;
} & { [Column in AudienceColumn]: Immutable<DocumentsTable[Column]> };

export interface DocumentHistoryTable {
  id: Generated<number>;
  /** The document may have been deleted since. */
  document_id: number;
  at: Timestamp;
  /** Null for a change by Quire itself, such as a scheduled publication. */
  user_id: number | null;
  action: string;
  /** JSON text: an object of `[from, to]`. */
  changes: string;
}

/** Deleted documents that can be brought back: the trash. Each has the status `deleted`. */
export interface DeletedDocumentsTable {
  id: Generated<number>;
  document_id: number;
  /** The status that the document had. */
  status: string;
  /** Its owner and its organization. */
  user_id: number;
  organization_id: number;
  deleted_at: Timestamp;
  /** The id of the user who deleted it. */
  deleted_by: number;
}

/** Only on SQLite, and empty outside a transaction: see migrations/baseline/documents.ts. */
export interface CompleteWritesTable {
  id: number;
}

export interface ProjectsTable {
  id: Generated<number>;
  title: string;
  slug: string;
  description: string;
  private: Flag;
  user_id: number;
  created_at: Timestamp;
  updated_at: Timestamp;
}

export interface ProjectMembershipsTable {
  project_id: number;
  document_id: number;
  edit_access: Flag;
  is_public: Immutable<boolean | number>;
}

/** A note on a page or a region of it; pages count from 0. */
export interface NotesTable {
  id: Generated<number>;
  document_id: number;
  user_id: number;
  /** The author's organization at the time of writing. */
  organization_id: number | null;
  page_number: number;
  access: "public" | "organization" | "private" | "invisible";
  title: string;
  content: string;
  /** `content`, sanitized. */
  content_html: string;
  /** Its part number in the text index: see search/parts.ts. */
  part: number;
  /** Fractions of the page's width and height; all four are set, or none. */
  x1: number | null;
  x2: number | null;
  y1: number | null;
  y2: number | null;
  created_at: Timestamp;
  updated_at: Timestamp;
}

/** The start of a section; at most one for each page. */
export interface SectionsTable {
  id: Generated<number>;
  document_id: number;
  page_number: number;
  title: string;
}

/** A person, place, organization or anything else with a Wikidata id. */
export interface EntitiesTable {
  id: Generated<number>;
  /** The user who added it. */
  user_id: number | null;
  wikidata_id: string;
  name: string;
  description: string;
  /** Empty if unknown. */
  wikipedia_url: string;
  /** JSON text: an object. */
  metadata: string;
  created_at: Timestamp;
  updated_at: Timestamp;
}

/** The occurrences of an entity in a document; one row for each pair. */
export interface EntityOccurrencesTable {
  id: Generated<number>;
  document_id: number;
  entity_id: number;
  relevance: number;
  /** JSON text: a list of positions in the document's text, with the text there. */
  occurrences: string;
}

export interface SavedSearchesTable {
  id: Generated<number>;
  uuid: string;
  user_id: number;
  name: string;
  query: string;
  /** Whether and when its owner is told of what it newly finds. */
  alert: Generated<"off" | "page" | "at_once" | "daily" | "weekly">;
  /** How many of its finds its owner has not seen. */
  new_count: Generated<number>;
  /** What decides about its results besides the documents, when it was last compared: see searches/compare.ts. */
  basis: Optional<string>;
  /** When it was last compared with all documents. */
  compared_at: Optional<Timestamp>;
  /** When a mail about its finds was queued last, or the alert was switched on. */
  mailed_at: Optional<Timestamp>;
  /** The position behind the last event with which it was compared; null for the beginning. */
  transaction_id: Optional<number>;
  event_id: Optional<number>;
  created_at: Timestamp;
  updated_at: Timestamp;
}

/** What a saved search with an alert finds. */
export interface SavedSearchFindsTable {
  search_id: number;
  document_id: number;
  /** Null for what it found when the alert was switched on. */
  found_at: Timestamp | null;
  is_new: Flag;
  /** The mail that tells of it. */
  mail_id: Optional<number>;
}

/** Documents that are part of another, such as the attachments of a mail: see migrations/baseline/families.ts. */
export interface DocumentChildrenTable {
  child_id: number;
  /** The document in whose file it is. */
  parent_id: number;
  /** The outermost container, which is part of no document. Its rights are those of all its parts. */
  root_id: number;
  /** Its number in the container, from 0; there are gaps where something was left out. */
  position: number;
  /** 1 for what is in the root itself. */
  depth: number;
  /** Its name in the container, with folders. */
  path: string;
  bytes: number;
  /** The status that it had before its root was deleted, while the root is in the trash. */
  status_before: Optional<string>;
  /** The type of the container's file that it was taken out of. A redaction makes another one of some containers. */
  taken_from: string;
}

/** The positions of documents in the tree of folders and containers, by triggers: see migrations/baseline/paths.ts. */
export interface DocumentPathsTable {
  document_id: Immutable<number>;
  path: Immutable<string>;
}

/** The same for each audience of a document, and for `all` if it is public and ready. */
export interface DocumentPathAudiencesTable extends DocumentPathsTable {
  audience: Immutable<string>;
}
