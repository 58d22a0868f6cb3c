import type { ColumnType, Generated } from "kysely";
import type {
  BlockLengthsTable,
  CountedTermsTable,
  DocumentLengthsTable,
  DocumentWordsTable,
  SearchVocabularyTable,
  WordCountProgressTable,
  WordCountsTable,
  WordFormRemovalsTable,
  WordFormsTable,
} from "./index-tables.ts";

/** SQLite returns 0 and 1, PostgreSQL returns booleans: test the value for truth, and write booleans. */
export type Flag = ColumnType<boolean | number, boolean, boolean>;

/** UTC in ISO 8601 with exactly six digits of a second and a `Z`, so that text order is time order in both engines. */
export type Timestamp = string;

/** Null by default. */
type Optional<T> = ColumnType<T | null, T | null | undefined, T | null>;

/** Maintained by the database (a trigger or a generated column); programs only read it. */
type Immutable<T> = ColumnType<T, never, never>;

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

/** A document's record as text: see 0027-record-texts.ts. */
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

/** The documents whose words are not in the index yet: see 0045-importing-records.ts. */
export interface UnindexedDocumentsTable {
  document_id: number;
}

/** Only on SQLite, and empty outside a transaction: see 0045-importing-records.ts. */
export interface CompleteWritesTable {
  id: number;
}

export interface UsersTable {
  id: Generated<number>;
  uuid: Generated<string>;
  username: string;
  name: string;
  /** Empty if unknown. Unique, ignoring case. */
  email: Generated<string>;
  avatar_url: Generated<string>;
  /** Null if the user has no account; `unset` until the user of an account has chosen a password. */
  password_hash: Optional<string>;
  is_active: ColumnType<boolean | number, boolean | undefined, boolean>;
  is_administrator: ColumnType<boolean | number, boolean | undefined, boolean>;
  /** The active one of the user's organizations; null for a user who is only named in a record. */
  organization_id: Optional<number>;
  /** Increases whenever all earlier tokens become invalid. */
  token_generation: Generated<number>;
  /** The language of the pages that the user sees, such as `de`. Empty: their browser chooses. */
  language: Generated<string>;
  /** An IANA name, such as `Europe/Berlin`. Empty: UTC. */
  time_zone: Generated<string>;
  /** Whether the user gets mails that only inform. Mails with a link that somebody asked for are always sent. */
  mail_notices: ColumnType<boolean | number, boolean | undefined, boolean>;
  created_at: Timestamp;
  updated_at: Timestamp;
}

export interface OrganizationsTable {
  id: Generated<number>;
  /** The user's UUID, if the organization is an individual user's. */
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
  /** The user who added this one; null for the first admin of a project, and if it is unknown. */
  added_by: Optional<number>;
  /** Null if unknown. */
  added_at: Optional<Timestamp>;
}

export interface ProjectPinsTable {
  user_id: number;
  project_id: number;
}

export interface SessionsTable {
  /** SHA-256 of the cookie's value. */
  digest: string;
  user_id: number;
  /** The User-Agent of the browser that began it; empty if it sent none. */
  browser: Generated<string>;
  created_at: Timestamp;
  /** To within a few minutes; null if it was never recorded. */
  seen_at: Optional<Timestamp>;
  expires_at: Timestamp;
}

/** Links with which users set their password. */
export interface PasswordLinksTable {
  /** SHA-256 of the token in the link. */
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
  /** The start of the token, by which people recognise it. */
  prefix: string;
  /** SHA-256 of the whole token. */
  digest: string;
  may_write: Flag;
  created_at: Timestamp;
  expires_at: Timestamp | null;
  last_used_at: Timestamp | null;
}

/** Networks from which an account has signed in. */
export interface KnownNetworksTable {
  user_id: number;
  /** A keyed hash: a copy of the database does not reveal where users are. */
  network: string;
  seen_at: Timestamp;
}

export interface SignInAttemptsTable {
  subject: string;
  attempts: number;
  since: Timestamp;
}

/** The audiences of documents that are not public; maintained by triggers. */
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

/** Files of documents that are gone, which are still to be removed. */
export interface FileRemovalsTable {
  document_id: number;
  /** The common prefix of their keys. */
  folder: string;
}

/** The address from which a document's file is to be fetched, until the fetch has ended. */
export interface RemoteFilesTable {
  document_id: number;
  address: string;
  /** If false, the extension is detected from the response. */
  extension_is_known: Flag;
  /** JSON text: an object, for the job that reads the file. */
  process_options: string;
}

/** Jobs that are waiting or running: see jobs/lease.ts. */
export interface JobsTable {
  id: Generated<number>;
  kind: string;
  /** The id of the job's subject. */
  subject: number;
  /** JSON text: an object. */
  options: string;
  created_at: Timestamp;
  /** When a worker may take the job: the start time of a waiting job, or the end of the lease. */
  due_at: Timestamp;
  /** The number of starts. */
  attempts: Generated<number>;
  /** A secret of the lease's holder; null while the job waits. */
  lease: Optional<string>;
  /** The name of the worker that holds the lease, for people. */
  worker: Optional<string>;
  /** The job was requested again after it had started. */
  again: ColumnType<boolean | number, boolean | undefined, boolean>;
  last_error: Optional<string>;
  /** The user for whom the job runs; null if it runs for no particular user. */
  owner: Optional<number>;
  /** The round in which the job is served: see jobs/rank.ts. */
  rank: Generated<number>;
  /** The job takes long and has already given way once. */
  is_long: ColumnType<boolean | number, boolean | undefined, boolean>;
  /** When the job was cancelled; null if it is not. The worker that holds its lease may still be running it. */
  cancelled_at: Optional<Timestamp>;
}

/** The right to put a document's file into the store: see resources/documents/files/file-lock-store.ts. */
export interface FileLocksTable {
  document_id: number;
  /** Known only to the holder. */
  holder: string;
  /** From this time on, another holder may take the lock over. */
  expires_at: Timestamp;
}

/** New pages of a document that is being reprocessed, until all of them replace the existing ones. */
export interface RereadPagesTable {
  document_id: number;
  page: number;
  /** JSON text. */
  content: string;
}

/** The text of each processed page; pages count from 0. */
export interface DocumentPagesTable {
  document_id: number;
  page: number;
  text: string;
  /** The OCR engine; null if the text comes from the file. */
  ocr: Optional<string>;
  /** The confidence of the OCR, from 0 to 100. */
  confidence: Optional<number>;
  /** The language of the OCR, if it is not the document's. */
  ocr_language: Optional<string>;
  /** The text in the file, for a page that was recognised by OCR anyway. */
  layer: Optional<string>;
  /** JSON text: the positions of the recognised words. */
  words: Optional<string>;
  /** Why the page, or its image, could not be read. */
  fault: Optional<string>;
}

/** The file that was uploaded for a document. */
export interface ReceivedFilesTable {
  document_id: number;
  sha1: string;
  extension: string;
}

/** The progress of processing a document's file. */
export interface DocumentProgressTable {
  document_id: number;
  step: string;
  done: number;
  total: number | null;
  at: Timestamp;
}

/** A rewrite of a document's PDF that a user has requested. If it fails, the document gets its status back. */
export interface DocumentRewritesTable {
  document_id: number;
  kind: "redact" | "modify" | "replace";
  user_id: number;
  /** JSON text: a list of boxes, a list of pages, or the new file. */
  plan: string;
  /** SHA-1 of the new PDF, stored just before it replaces the old one. */
  result_hash: Optional<string>;
  status_before: "success" | "error";
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
  /** Empty if there is none. */
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
  created_at: Timestamp;
  updated_at: Timestamp;
}

/** The processing history of a document's file, step by step. */
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

/** A mirror of documents from another server. */
export interface MirrorsTable {
  id: Generated<number>;
  /** The address of the other server's API, with a slash at the end. */
  api: string;
  /** The query of its list that selects the documents; empty for all of them. */
  selection: string;
  /** Identifies the walk over the list that is unfinished, or else the last finished one. */
  walk: string | null;
  /** The address of the next page of the unfinished walk. */
  next: string | null;
}

export interface MirroredDocumentsTable {
  mirror_id: number;
  document_id: number;
  /** The last walk that found the document. */
  walk: string;
  /** Identifies the fetched file and texts; null if they have not been fetched. */
  content: string | null;
}

export interface MirroredProjectsTable {
  project_id: number;
  api: string;
  /** The project's id at the other server. */
  remote_id: number;
}

/** Sign-ins, and refusals of attempts to sign in, from one network within a quarter of an hour. */
export interface SignInEventsTable {
  id: Generated<number>;
  /** Equal for events that are counted together. */
  subject: string;
  kind: string;
  /** Null if no account has the username that was sent, which is not stored. */
  user_id: number | null;
  /** A keyed hash, as in known_networks. */
  network: string;
  /** Whether the account had signed in from this network before. */
  is_known: Flag;
  times: number;
  began_at: Timestamp;
  /** The latest one. */
  at: Timestamp;
}

/** The documents of a user or a project, or all of them, as the job "measure storage" has counted them. */
export interface StorageFiguresTable {
  kind: "all" | "user" | "project";
  /** An id; 0 for all. */
  subject: number;
  documents: number;
  pages: number;
  /** The sizes of the uploaded files. */
  bytes: number;
  measured_at: Timestamp;
}

/** An examination by `doctor`, requested by an administrator. Only the latest one is stored. */
export interface ExaminationsTable {
  id: Generated<number>;
  repairs: Flag;
  hashes: Flag;
  requested_at: Timestamp;
  ended_at: Timestamp | null;
  /** The number of documents when it began, and how many of them have been examined. */
  documents: number;
  examined: number;
  found: number;
  mended: number;
  /** Why it was given up; null otherwise. */
  problem: string | null;
}

export interface FindingsTable {
  id: Generated<number>;
  examination_id: number;
  what: string;
  outcome: "repairable" | "not repairable" | "mended" | "failed";
  /** Why the repair failed; null otherwise. */
  problem: string | null;
}

/** Mails that wait, were sent, or were given up. They hold no links: see resources/mails/. */
export interface MailsTable {
  id: Generated<number>;
  kind: "invitation" | "reset" | "shared project" | "failed documents";
  /** Null for a reset of an account that does not exist. */
  user_id: number | null;
  /** JSON text: an object. */
  details: string;
  created_at: Timestamp;
  sent_at: Timestamp | null;
  /** Why it was given up; null otherwise. */
  problem: string | null;
}

/** The latest run of `quire backup` into each repository. */
export interface BackupRunsTable {
  /** A folder, or `s3://bucket/folder`. */
  repository: string;
  /** The moment whose contents the latest good backup has; null if there was none. */
  good_at: Timestamp | null;
  ended_at: Timestamp;
  /** What was wrong with the latest run; null if it was good. */
  problem: string | null;
}

export interface Tables {
  backup_runs: BackupRunsTable;
  mails: MailsTable;
  sign_in_events: SignInEventsTable;
  storage_figures: StorageFiguresTable;
  examinations: ExaminationsTable;
  findings: FindingsTable;
  documents: DocumentsTable;
  document_data: DocumentDataTable;
  document_records: DocumentRecordsTable;
  unindexed_documents: UnindexedDocumentsTable;
  complete_writes: CompleteWritesTable;
  users: UsersTable;
  organizations: OrganizationsTable;
  projects: ProjectsTable;
  project_memberships: ProjectMembershipsTable;
  organization_members: OrganizationMembersTable;
  project_collaborators: ProjectCollaboratorsTable;
  project_pins: ProjectPinsTable;
  sessions: SessionsTable;
  password_links: PasswordLinksTable;
  refresh_tokens: RefreshTokensTable;
  api_tokens: ApiTokensTable;
  sign_in_attempts: SignInAttemptsTable;
  known_networks: KnownNetworksTable;
  document_audiences: DocumentAudiencesTable;
  document_history: DocumentHistoryTable;
  deleted_documents: DeletedDocumentsTable;
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
  mirrors: MirrorsTable;
  mirrored_documents: MirroredDocumentsTable;
  mirrored_projects: MirroredProjectsTable;
  document_words: DocumentWordsTable;
  search_vocabulary: SearchVocabularyTable;
  word_counts: WordCountsTable;
  word_count_progress: WordCountProgressTable;
  block_lengths: BlockLengthsTable;
  document_lengths: DocumentLengthsTable;
  word_forms: WordFormsTable;
  word_form_removals: WordFormRemovalsTable;
  counted_terms: CountedTermsTable;
}
