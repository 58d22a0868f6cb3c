import type { Generated } from "kysely";
import type { Optional, Timestamp } from "./column-types.ts";

export type ImportEnd = "done" | "stopped" | "failed";

/** Imports, while they run and later: see migrations/baseline/imports.ts. */
export interface ImportsTable {
  id: Generated<number>;
  /** The owner of what is imported; null if that is said by each record, or by the archive. */
  user_id: Optional<number>;
  /** The archive or mailbox whose files it is about. */
  document_id: Optional<number>;
  kind: "files" | "records" | "server" | "mirror" | "watch" | "container" | "upload";
  /** The folder, file or address that was named; empty for an archive, which has a title. */
  name: string;
  /** The version of Quire that ran it. */
  version: string;
  started_at: Timestamp;
  /** Its process has been alive at this time. */
  updated_at: Timestamp;
  ended_at: Optional<Timestamp>;
  /** Null while it runs, and if its process was killed. */
  outcome: Optional<ImportEnd>;
  /** How many files there are; null if that is not known. */
  seen: Optional<number>;
  added: Generated<number>;
  changed: Generated<number>;
  known: Generated<number>;
  skipped: Generated<number>;
  failed: Generated<number>;
}

/** What became of each file of an import, and of each record that failed. */
export interface ImportFilesTable {
  id: Generated<number>;
  import_id: number;
  document_id: Optional<number>;
  /** The archive that could not give it out. */
  container_id: Optional<number>;
  path: string;
  /** In lower case, without a dot; empty without one. */
  extension: string;
  outcome: "added" | "changed" | "known" | "skipped" | "failed";
  /** Why it was skipped, or failed. */
  reason: Optional<string>;
}
