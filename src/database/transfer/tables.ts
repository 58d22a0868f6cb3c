import type { Tables } from "../tables.ts";

/** A table whose rows a backup, a restore and a move copy as they are. */
export interface CopiedTable {
  name: keyof Tables;
  /** Columns that identify a row, in the order in which rows are read. Few rows share the first one. */
  key: readonly [string, ...string[]];
}

/**
 * All tables that are copied, each after the tables that its rows refer to. The tests of this folder fail if a table of
 * the schema is neither here nor in {@link rebuiltTables}.
 *
 * Tables that triggers maintain are copied too, because triggers are disabled while a database is filled.
 */
export const copiedTables: readonly CopiedTable[] = [
  { name: "organizations", key: ["id"] },
  { name: "users", key: ["id"] },
  { name: "organization_members", key: ["user_id", "organization_id"] },
  { name: "known_networks", key: ["user_id", "network"] },
  { name: "identity_providers", key: ["id"] },
  { name: "identities", key: ["provider_id", "subject"] },
  { name: "sessions", key: ["digest"] },
  { name: "password_links", key: ["digest"] },
  { name: "second_factors", key: ["id"] },
  { name: "recovery_codes", key: ["user_id", "digest"] },
  { name: "account_history", key: ["id"] },
  { name: "membership_history", key: ["id"] },
  { name: "administration_history", key: ["id"] },
  { name: "refresh_tokens", key: ["id"] },
  { name: "addons", key: ["id"] },
  { name: "addon_pins", key: ["user_id", "addon_id"] },
  { name: "addon_events", key: ["id"] },
  { name: "addon_runs", key: ["id"] },
  { name: "api_tokens", key: ["id"] },
  { name: "assistant_clients", key: ["id"] },
  { name: "assistant_connections", key: ["id"] },
  { name: "assistant_tokens", key: ["digest"] },
  { name: "sign_in_attempts", key: ["subject"] },
  { name: "sign_in_events", key: ["id"] },
  { name: "projects", key: ["id"] },
  { name: "project_collaborators", key: ["user_id", "project_id"] },
  { name: "project_pins", key: ["user_id", "project_id"] },
  { name: "documents", key: ["id"] },
  { name: "document_children", key: ["child_id"] },
  { name: "document_data", key: ["document_id", "key"] },
  { name: "document_audiences", key: ["document_id", "audience"] },
  { name: "project_memberships", key: ["document_id", "project_id"] },
  { name: "document_pages", key: ["document_id", "page"] },
  { name: "document_languages", key: ["document_id"] },
  { name: "unrecognised_documents", key: ["document_id"] },
  { name: "document_fingerprints", key: ["document_id"] },
  { name: "fingerprint_bands", key: ["document_id", "band"] },
  { name: "mentions", key: ["document_id", "page", "start"] },
  { name: "mention_corrections", key: ["document_id", "kind", "value"] },
  { name: "unread_mentions", key: ["document_id"] },
  { name: "page_embeddings", key: ["document_id", "page"] },
  { name: "embedded_documents", key: ["document_id"] },
  { name: "reread_pages", key: ["document_id", "page"] },
  { name: "received_files", key: ["document_id"] },
  { name: "document_receipts", key: ["id"] },
  { name: "document_history", key: ["id"] },
  { name: "document_progress", key: ["document_id"] },
  { name: "document_rewrites", key: ["document_id"] },
  { name: "redacted_copies", key: ["copy_id"] },
  { name: "redacted_boxes", key: ["id"] },
  { name: "redaction_reasons", key: ["code"] },
  { name: "site_branding", key: ["id"] },
  { name: "remote_files", key: ["document_id"] },
  { name: "file_locks", key: ["document_id"] },
  { name: "deleted_documents", key: ["id"] },
  { name: "file_removals", key: ["document_id"] },
  { name: "notes", key: ["id"] },
  { name: "sections", key: ["id"] },
  { name: "entities", key: ["id"] },
  { name: "entity_occurrences", key: ["id"] },
  { name: "saved_searches", key: ["id"] },
  { name: "saved_search_finds", key: ["search_id", "document_id"] },
  { name: "guest_links", key: ["id"] },
  { name: "guest_sessions", key: ["digest", "link_id"] },
  { name: "guest_openings", key: ["digest", "link_id", "document_id"] },
  { name: "mail_keys", key: ["id"] },
  { name: "mail_arrivals", key: ["id"] },
  { name: "mailboxes", key: ["name"] },
  { name: "holds", key: ["id"] },
  { name: "held_documents", key: ["document_id", "hold_id"] },
  { name: "retention_rules", key: ["id"] },
  { name: "dispositions", key: ["id"] },
  { name: "audit_exports", key: ["id"] },
  { name: "webhooks", key: ["id"] },
  { name: "webhook_deliveries", key: ["id"] },
  { name: "mirrors", key: ["id"] },
  { name: "mirrored_documents", key: ["document_id", "mirror_id"] },
  { name: "mirrored_projects", key: ["project_id"] },
  { name: "watched_files", key: ["path"] },
  { name: "imports", key: ["id"] },
  { name: "import_files", key: ["id"] },
  { name: "bates_prefixes", key: ["prefix"] },
  { name: "productions", key: ["id"] },
  { name: "production_documents", key: ["id"] },
  { name: "notifications", key: ["id"] },
  { name: "mails", key: ["id"] },
  { name: "storage_figures", key: ["kind", "subject"] },
  { name: "examinations", key: ["id"] },
  { name: "findings", key: ["id"] },
  { name: "jobs", key: ["id"] },
];

/** @throws {Error} if the table is not copied. */
export function copiedTable(name: keyof Tables): CopiedTable {
  const found = copiedTables.find((table) => table.name === name);
  if (found === undefined) throw new Error(`${name} is not copied`);
  return found;
}

/** Tables that are rebuilt from the copied ones or start empty, with the reason. */
export const rebuiltTables: Readonly<Partial<Record<keyof Tables, string>>> = {
  assistant_codes: "codes are of use for a minute",
  document_words: "the engines index words in different forms",
  search_vocabulary: "the list of the indexed words",
  word_counts: "counted while the texts are indexed",
  block_lengths: "counted while the texts are indexed",
  document_lengths: "counted while the texts are indexed",
  word_forms: "collected while the texts are indexed",
  word_form_removals: "counted from the start",
  analysed_languages: "collected while the texts are indexed",
  counted_terms: "the list of the counted words",
  word_count_progress: "empty once the texts are indexed",
  document_paths: "computed from the data of documents and from what is in what",
  document_path_audiences: "as document_paths",
  document_records: "rendered from the rows",
  unindexed_documents: "empty once the texts are indexed",
  partial_uploads: "uploads that have not ended stay where their parts are",
  partial_upload_parts: "as partial_uploads",
  events: "cursors are of one database: the feed of a copy begins with what happens there",
  backup_runs: "the backups are those of the service that was copied",
  complete_writes: "empty outside a transaction",
};
