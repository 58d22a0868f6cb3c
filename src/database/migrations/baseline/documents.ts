import { documentsOnPostgres } from "./documents-on-postgres.ts";
import { documentsOnSqlite } from "./documents-on-sqlite.ts";
import type { Terms } from "./terms.ts";

/**
 * Documents, and what follows from their rows. Triggers keep it true, whichever program makes a change:
 *
 * - `documents.revision` changes whenever the record that the API shows does: when the row changes, its projects
 *   change, or the privacy of one of its projects changes.
 * - The indexes of documents hold only public documents, and `is_public` stands beside the keys of memberships and
 *   data, so that a walk over the public documents is one range of one index: hidden rows cost a reader nothing,
 *   however many there are.
 * - `document_data` holds the lowest and the highest value of each key of `data`, so that ordering by a key is also
 *   such a range.
 * - `document_records` has the records as texts, so that a page of the list is the concatenation of a few texts. A
 *   stored text is always current: a new revision empties it in the same transaction (`rest` is null then), so a reader
 *   need not compare it with the document. The trigger inserts the row, or updates it if it exists. So it always locks
 *   the row, even if its own snapshot is too old to show it: while one transaction empties a text, no other one writes
 *   it. A transaction that stores texts locks their rows before it reads the documents
 *   (resources/documents/record-store.ts).
 *
 * A transaction that inserts new documents may announce that it writes all of this itself, and their memberships with
 * `is_public` (`Dialect.writesAll`). Triggers then leave these documents alone: they take longer than the rows. The
 * announcement is a row of `complete_writes` on SQLite, and a setting of the transaction on PostgreSQL. It is withdrawn
 * in the same transaction, so no other transaction ever sees it.
 */
export const documents = (terms: Terms): string[] => [
  ...documentsTable(terms),
  ...documentIndexes(terms),
  ...derivedTables(terms),
  ...(terms.engine === "postgres" ? documentsOnPostgres : documentsOnSqlite),
];

/** Checked at the end of a transaction, so that no statement need be undone alone: see `insertWhole` in dialect.ts. */
const late = ({ engine }: Terms): string => (engine === "postgres" ? "" : "deferrable initially deferred");

function documentsTable(terms: Terms): string[] {
  const { engine, text, boolean, identity, no } = terms;
  const isPostgres = engine === "postgres";
  const revision = isPostgres
    ? "bigint not null default nextval('document_revisions')"
    : "integer not null default (random() & 9007199254740991)";
  return [
    ...(isPostgres ? ["create sequence document_revisions"] : []),
    `create table documents (
      id ${identity},
      revision ${revision},
      access ${text} not null check (access in ('public', 'organization', 'private', 'invisible')),
      admin_noindex ${boolean} not null default ${no},
      asset_url ${text},
      created_at ${text} not null,
      data ${text} not null default '{}',
      description ${text} not null default '',
      file_hash ${text} not null default '',
      language ${text} not null default 'eng',
      noindex ${boolean} not null default ${no},
      organization_id bigint not null references organizations (id) ${late(terms)},
      original_extension ${text} not null default 'pdf',
      page_count bigint not null default 0,
      page_spec ${text} not null default '',
      publish_at ${text},
      published_url ${text} not null default '',
      related_article ${text} not null default '',
      revision_control ${boolean} not null default ${no},
      slug ${text} not null,
      source ${text} not null default '',
      status ${text} not null check (status in ('success', 'readable', 'pending', 'error', 'nofile', 'deleted')),
      title ${text} not null,
      updated_at ${text} not null,
      user_id bigint not null references users (id) ${late(terms)}
    )`,
  ];
}

/** The columns by which lists are sorted or filtered. */
const listed = [
  "created_at",
  "updated_at",
  "page_count",
  "title",
  "source",
  "status",
  "user_id",
  "organization_id",
];

function documentIndexes({ engine }: Terms): string[] {
  const isPostgres = engine === "postgres";
  const isPublic = "access = 'public' and status in ('success', 'readable')";
  // For PostgreSQL's planner: see `conditionOfIndex` in dialect.ts.
  const isListed = isPostgres ? `case when ${isPublic} then true else false end` : isPublic;
  // A covering index: a page of the default list, even a filtered one, is read from this index alone.
  const covered = "(id, revision, access, status, user_id, organization_id, page_count, created_at)";
  // In SQLite, an index ends in the id anyway; if it were named explicitly, the id would not count as the key's second
  // half. For PostgreSQL's expression, see `listedId` in dialect.ts.
  const id = isPostgres ? ", (id + 0)" : "";
  return [
    `create index documents_by_id on documents ${isPostgres ? `((id + 0)) include ${covered}` : covered}
      where ${isListed}`,
    ...listed.map(
      (column) => `create index documents_by_${column} on documents (${column}${id}) where ${isListed}`,
    ),
    `create index documents_by_file_hash on documents (file_hash) where file_hash <> ''`,
    `create index documents_by_publish_at on documents (publish_at) where publish_at is not null`,
    `create index documents_in_error on documents (id) where status = 'error'`,
    // Counts the documents that anonymous searches find.
    `create index documents_searched on documents (id)
      where ${isListed} and not (noindex = true or admin_noindex = true)`,
  ];
}

function derivedTables(terms: Terms): string[] {
  const { engine, text, boolean, id, no, withoutRowid } = terms;
  const isPostgres = engine === "postgres";
  // On PostgreSQL, a trigger removes these rows: see `documents_forget`.
  const ofDocument = isPostgres ? "" : `references documents (id) on delete cascade ${late(terms)}`;
  return [
    `create table document_data (
      document_id bigint not null ${ofDocument},
      key ${text} not null,
      lowest ${text} not null,
      highest ${text} not null,
      is_public ${boolean} not null,
      primary key (document_id, key)
    ) ${withoutRowid}`,
    `create index document_data_by_lowest on document_data (key, is_public, lowest, document_id)`,
    `create index document_data_by_highest on document_data (key, is_public, highest, document_id)`,

    `create table project_memberships (
      project_id bigint not null references projects (id) on delete cascade,
      document_id bigint not null references documents (id) on delete cascade,
      edit_access ${boolean} not null default ${no},
      is_public ${boolean} not null default ${no},
      primary key (document_id, project_id)
    ) ${withoutRowid}`,
    `create index project_memberships_by_project on project_memberships (project_id, is_public, document_id)`,

    // No foreign key: while one transaction deletes a document, another one may write its text without waiting.
    `create table document_records (
      document_id ${id} primary key,
      format integer,
      digest ${text},
      opening ${text},
      has_own_files ${boolean},
      edit_at integer,
      projects_at integer,
      projects ${text},
      rest ${text}
    )`,
    `create index document_records_outdated on document_records (document_id) where rest is null`,
    ...(isPostgres ? [] : ["create table complete_writes (id integer primary key)"]),
  ];
}
