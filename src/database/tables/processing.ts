import type { ColumnType, Generated } from "kysely";
import type { Flag, Optional, Timestamp } from "./column-types.ts";

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

/** An upload that arrives in parts, at servers that share a bucket. */
export interface PartialUploadsTable {
  name: string;
  /** JSON text: an UploadNote. */
  note: string;
  is_done: Flag;
  /** When its last part arrived or its note changed. */
  touched_at: Timestamp;
  /** Who turns it into a document's file; null for nobody. */
  holder: string | null;
  /** Until when, unless that is renewed; null for nobody. */
  held_until: Timestamp | null;
}

/** A part of such an upload. The parts of an upload follow one another without gaps. */
export interface PartialUploadPartsTable {
  upload: string;
  /** Its offset, in bytes. */
  start: number;
  /** In bytes. */
  size: number;
  /** The key of its file. */
  key: string;
}

/** The file that was uploaded for a document. */
export interface ReceivedFilesTable {
  document_id: number;
  sha1: string;
  extension: string;
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

/** New pages of a document that is being reprocessed, until all of them replace the existing ones. */
export interface RereadPagesTable {
  document_id: number;
  page: number;
  /** JSON text. */
  content: string;
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
  /** JSON text: boxes and what is drawn besides them, a list of pages, or the new file. */
  plan: string;
  /** SHA-1 of the new PDF, stored just before it replaces the old one. */
  result_hash: Optional<string>;
  status_before: "success" | "error";
}

/** A document that is the redacted copy of another. */
export interface RedactedCopiesTable {
  copy_id: number;
  original_id: number;
  /** SHA-1 of the PDF that is copied. */
  original_hash: string;
  /** The access that the original gets once the copy is made; null to leave it as it is. */
  original_access: string | null;
  /** When the copy was made: from then on, it is a document like any other. Null until then. */
  made_at: Optional<Timestamp>;
}

/** A box that a redaction has blackened. Pages count from 0. */
export interface RedactedBoxesTable {
  id: Generated<number>;
  document_id: number;
  page: number;
  /** Fractions of the page's width and height. */
  x1: number;
  x2: number;
  y1: number;
  y2: number;
  /** The code of the reason; null if none was given. */
  code: Optional<string>;
  /** What the code meant at that time. */
  label: Optional<string>;
  redacted_at: Timestamp;
}

/** A reason for redactions that administrators have added. */
export interface RedactionReasonsTable {
  code: string;
  label: string;
  /** Counts from 0. */
  position: number;
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

/** A file that `quire watch` has taken in or given up, as it was then: see migrations/baseline/imports.ts. */
export interface WatchedFilesTable {
  path: string;
  size: number;
  changed_at: string;
  outcome: string;
  seen_at: string;
}
