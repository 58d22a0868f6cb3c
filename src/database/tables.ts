import type { ColumnType, Generated } from "kysely";

/** SQLite hands back 0 and 1 where PostgreSQL hands back booleans: read it for its truth, write booleans. */
export type Flag = ColumnType<boolean | number, boolean, boolean>;

/** UTC, ISO 8601, always six digits of a second and a `Z`: text order is time order, in both engines. */
export type Timestamp = string;

/** Null unless it is given. */
type Optional<T> = ColumnType<T | null, T | null | undefined, T | null>;

/** Immutable by the database (a trigger or a generated column); a program only reads it. */
type Immutable<T> = ColumnType<T, never, never>;

export interface DocumentsTable {
  id: Generated<number>;
  /** A number this row never had before in this state: new on every change of what a record shows. */
  revision: Immutable<number>;
  access: string;
  admin_noindex: Flag;
  /** Where the files are, when they are not in our own file store (an imported record); else null. */
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

/** One row a document and key of its `data` that has a value; made by triggers, for ordering by the key. */
export interface DocumentDataTable {
  document_id: Immutable<number>;
  key: Immutable<string>;
  lowest: Immutable<string>;
  highest: Immutable<string>;
  /** Everyone may see the document: here and on memberships. */
  is_public: Immutable<boolean | number>;
}

export interface UsersTable {
  id: Generated<number>;
  uuid: Generated<string>;
  username: string;
  name: string;
  /** Empty: none is known. No two users have the same one, in whatever case. */
  email: Generated<string>;
  avatar_url: Generated<string>;
  /** Null: nobody can sign in as this user. */
  password_hash: Optional<string>;
  is_active: ColumnType<boolean | number, boolean | undefined, boolean>;
  is_administrator: ColumnType<boolean | number, boolean | undefined, boolean>;
  /** The active one, of those that the user belongs to; null for a user who was only named in a record. */
  organization_id: Optional<number>;
  /** Counts what ends every token that was given out before. */
  token_generation: Generated<number>;
  created_at: Timestamp;
  updated_at: Timestamp;
}

export interface OrganizationsTable {
  id: Generated<number>;
  /** That of its user, where the organization is one user's own. */
  uuid: Generated<string>;
  avatar_url: Generated<string>;
  name: string;
  slug: string;
  individual: Flag;
  created_at: Timestamp;
  updated_at: Timestamp;
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

export interface OrganizationMembersTable {
  organization_id: number;
  user_id: number;
  is_admin: Flag;
}

export interface ProjectCollaboratorsTable {
  project_id: number;
  user_id: number;
  access: "view" | "edit" | "admin";
}

export interface ProjectPinsTable {
  user_id: number;
  project_id: number;
}

export interface SessionsTable {
  /** SHA-256 of what the cookie holds. */
  digest: string;
  user_id: number;
  created_at: Timestamp;
  expires_at: Timestamp;
}

export interface RefreshTokensTable {
  /** The token's `jti`. */
  id: string;
  user_id: number;
  expires_at: Timestamp;
}

export interface ApiTokensTable {
  id: Generated<number>;
  user_id: number;
  name: string;
  /** How the token begins: by it a person knows it again. */
  prefix: string;
  /** SHA-256 of the whole. */
  digest: string;
  may_write: Flag;
  created_at: Timestamp;
  expires_at: Timestamp | null;
  last_used_at: Timestamp | null;
}

/** How often someone tried to sign in since a moment: by address, and by username. */
/** Where an account was signed in to from. */
export interface KnownNetworksTable {
  user_id: number;
  /** Keyed: from a copy of the database nobody learns where people are. */
  network: string;
  seen_at: Timestamp;
}

export interface SignInAttemptsTable {
  subject: string;
  attempts: number;
  since: Timestamp;
}

/** Who may see a document that not everyone may see; kept by triggers. */
export interface DocumentAudiencesTable {
  /** `user:<id>`, `organization:<id>` or `project:<id>`. */
  audience: Immutable<string>;
  document_id: Immutable<number>;
  created_at: Immutable<Timestamp>;
  updated_at: Immutable<Timestamp>;
  page_count: Immutable<number>;
  title: Immutable<string>;
  source: Immutable<string>;
  status: Immutable<string>;
  user_id: Immutable<number>;
}

export interface DocumentHistoryTable {
  id: Generated<number>;
  /** Of a document that may be gone by now. */
  document_id: number;
  at: Timestamp;
  /** Null: Quire itself, as when the time to publish has come. */
  user_id: number | null;
  action: string;
  /** JSON text: an object of `[from, to]`. */
  changes: string;
}

/** The files of documents that are gone, until they are gone too. */
export interface FileRemovalsTable {
  document_id: number;
  /** What all their keys begin with. */
  folder: string;
}

/** Where the file of a document is to be fetched from, until that has ended. */
export interface RemoteFilesTable {
  document_id: number;
  address: string;
  /** Otherwise it is found out from what is there. */
  extension_is_known: Flag;
  /** JSON text: an object, for the job that reads the file. */
  process_options: string;
}

/** What is to be done and not yet done: see jobs/lease.ts. */
export interface JobsTable {
  id: Generated<number>;
  kind: string;
  /** The id of what it is about. */
  subject: number;
  /** JSON text: an object. */
  options: string;
  created_at: Timestamp;
  /** When it may be taken: of a waiting job, when it may begin; of a leased one, when its lease is over. */
  due_at: Timestamp;
  /** How often it was begun. */
  attempts: Generated<number>;
  /** What only its holder knows; null while it waits. */
  lease: Optional<string>;
  /** Who holds the lease, for people. */
  worker: Optional<string>;
  /** It was asked for once more after it began. */
  again: ColumnType<boolean | number, boolean | undefined, boolean>;
  last_error: Optional<string>;
  /** The person whom it is done for; null: nobody in particular. */
  owner: Optional<number>;
  /** The round in which it is served: see jobs/rank.ts. */
  rank: Generated<number>;
  /** It gave way once, since it takes long. */
  is_long: ColumnType<boolean | number, boolean | undefined, boolean>;
  /** The worker that holds its lease may still be doing it. Null: it is not cancelled. */
  cancelled_at: Optional<Timestamp>;
}

/** The right to put a document's file into the store: see resources/documents/files/file-lock-store.ts. */
export interface FileLocksTable {
  document_id: number;
  /** Known only to the holder. */
  holder: string;
  /** Another holder may take the lock over from then on. */
  expires_at: Timestamp;
}

/** Pages of a document that is read again, until all of them take the places of those that it has. */
export interface RereadPagesTable {
  document_id: number;
  page: number;
  /** JSON text. */
  content: string;
}

/** The text of each page that has been read; pages count from 0. */
export interface DocumentPagesTable {
  document_id: number;
  page: number;
  text: string;
  /** By what the text was recognised; null: it was read from the file. */
  ocr: Optional<string>;
  /** From 0 to 100: how sure the recognition is. */
  confidence: Optional<number>;
  /** The language that the text was recognised in, if that is not the document's. */
  ocr_language: Optional<string>;
  /** The text that the file has for a page which was recognised all the same. */
  layer: Optional<string>;
  /** JSON text: where the words are that were recognised. */
  words: Optional<string>;
  /** Why the page, or its image, could not be read. */
  fault: Optional<string>;
}

/** The file that a document came as. */
export interface ReceivedFilesTable {
  document_id: number;
  sha1: string;
  extension: string;
}

/** How far the work on a document's file has come. */
export interface DocumentProgressTable {
  document_id: number;
  step: string;
  done: number;
  total: number | null;
  at: Timestamp;
}

/** What is to be done to a document's PDF, until it is done. */
export interface DocumentRewritesTable {
  document_id: number;
  kind: "redact" | "modify";
  /** Who asked for it. */
  user_id: number;
  /** JSON text: a list of boxes, or of pages. */
  plan: string;
  /** SHA-1 of the new PDF, from just before it takes the place of the old one. */
  result_hash: Optional<string>;
}

/** What someone says of a page, or of a part of it; pages count from 0. */
export interface NotesTable {
  id: Generated<number>;
  document_id: number;
  user_id: number;
  /** Its author's, when they wrote it. */
  organization_id: number | null;
  page_number: number;
  access: "public" | "organization" | "private" | "invisible";
  title: string;
  content: string;
  /** What is left of `content` when it is cleaned. */
  content_html: string;
  /** What it is in the index of words: see search/parts.ts. */
  part: number;
  /** Parts of the page's width and height: all are numbers, or none is. */
  x1: number | null;
  x2: number | null;
  y1: number | null;
  y2: number | null;
  created_at: Timestamp;
  updated_at: Timestamp;
}

/** Where a part of a document begins; one a page. */
export interface SectionsTable {
  id: Generated<number>;
  document_id: number;
  page_number: number;
  title: string;
}

/** A person, a place, an organization: whatever has a Wikidata id. */
export interface EntitiesTable {
  id: Generated<number>;
  /** Who added it. */
  user_id: number | null;
  wikidata_id: string;
  name: string;
  description: string;
  /** Empty: none is given. */
  wikipedia_url: string;
  /** JSON text: an object. */
  metadata: string;
  created_at: Timestamp;
  updated_at: Timestamp;
}

/** That a document has an entity; one a document and entity. */
export interface EntityOccurrencesTable {
  id: Generated<number>;
  document_id: number;
  entity_id: number;
  relevance: number;
  /** JSON text: a list of places in the document's text, and what stands there. */
  occurrences: string;
}

export interface SavedSearchesTable {
  id: Generated<number>;
  uuid: string;
  user_id: number;
  name: string;
  query: string;
  created_at: Timestamp;
  updated_at: Timestamp;
}

/** The index of words: see migrations/0007-search.ts. The engines have different columns. */
export interface DocumentWordsTable {
  /** SQLite: the document and the part in one number. */
  rowid: bigint;
  document_id: number;
  part: number;
  /** PostgreSQL: a long part is split. */
  stretch: number;
  words: string;
}

/** The words that are in the index. */
export interface SearchVocabularyTable {
  /** SQLite. */
  term: string;
  /** PostgreSQL. */
  word: string;
}

/** What happened to a document's file, step by step. */
export interface DocumentReceiptsTable {
  id: Generated<number>;
  document_id: number;
  step: string;
  outcome: "done" | "failed";
  at: Timestamp;
  milliseconds: number;
  /** JSON text: an object. */
  details: string;
}

export interface Tables {
  documents: DocumentsTable;
  document_data: DocumentDataTable;
  users: UsersTable;
  organizations: OrganizationsTable;
  projects: ProjectsTable;
  project_memberships: ProjectMembershipsTable;
  organization_members: OrganizationMembersTable;
  project_collaborators: ProjectCollaboratorsTable;
  project_pins: ProjectPinsTable;
  sessions: SessionsTable;
  refresh_tokens: RefreshTokensTable;
  api_tokens: ApiTokensTable;
  sign_in_attempts: SignInAttemptsTable;
  known_networks: KnownNetworksTable;
  document_audiences: DocumentAudiencesTable;
  document_history: DocumentHistoryTable;
  file_removals: FileRemovalsTable;
  remote_files: RemoteFilesTable;
  jobs: JobsTable;
  file_locks: FileLocksTable;
  document_pages: DocumentPagesTable;
  document_receipts: DocumentReceiptsTable;
  received_files: ReceivedFilesTable;
  notes: NotesTable;
  sections: SectionsTable;
  entities: EntitiesTable;
  entity_occurrences: EntityOccurrencesTable;
  saved_searches: SavedSearchesTable;
  document_progress: DocumentProgressTable;
  reread_pages: RereadPagesTable;
  document_rewrites: DocumentRewritesTable;
  document_words: DocumentWordsTable;
  search_vocabulary: SearchVocabularyTable;
}
