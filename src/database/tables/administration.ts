import type { mailKinds } from "../../contract/notification.ts";
import type { Generated } from "kysely";
import type { Flag, Timestamp } from "./column-types.ts";

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

/** The documents of a user or a project, or all of them, as the job "measure storage" has counted them. */
export interface StorageFiguresTable {
  kind: "all" | "user" | "organization" | "project";
  /** An id; 0 for all. */
  subject: number;
  documents: number;
  pages: number;
  /** The sizes of the uploaded files. */
  bytes: number;
  measured_at: Timestamp;
  /** The newest receipt that was there when the measurement began. */
  last_receipt: number;
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
  /** The position of examine-documents.ts up to which they have been examined; null if none have. */
  position: number | null;
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
  kind: (typeof mailKinds)[number];
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
  /** The problem of the latest run; null if it succeeded. */
  problem: string | null;
}

/** What administrators say of the site: at most one row. An empty text stands for the default. */
export interface SiteBrandingTable {
  id: 1;
  name: string;
  about: string;
  /** As in `#8a1c2b`. */
  colour: string;
  imprint_url: string;
  privacy_url: string;
  /** A PNG in base64. */
  logo: string;
}
