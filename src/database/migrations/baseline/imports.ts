import type { Terms } from "./terms.ts";

/** How documents come in besides uploads: imports, watched folders, mirrors of other servers, and mail. */
export const imports = (terms: Terms): string[] => [
  ...importRuns(terms),
  ...mirrors(terms),
  ...mailIn(terms),
];

/**
 * Imports that people can watch, and find later: of files, records, another server's list, and of what is in an archive
 * or a mailbox. `import_files` has what became of each file, or of each record that failed. `container_id` names the
 * archive that could not give a file out. The names of files go with their documents.
 */
const importRuns = ({ text, identity }: Terms): string[] => [
  `create table imports (
    id ${identity},
    user_id bigint references users (id) on delete cascade,
    document_id bigint unique references documents (id) on delete cascade,
    kind ${text} not null,
    name ${text} not null,
    version ${text} not null,
    started_at ${text} not null,
    updated_at ${text} not null,
    ended_at ${text},
    outcome ${text},
    seen bigint,
    added bigint not null default 0,
    changed bigint not null default 0,
    known bigint not null default 0,
    skipped bigint not null default 0,
    failed bigint not null default 0
  )`,
  `create index imports_by_user on imports (user_id, id)`,
  `create table import_files (
    id ${identity},
    import_id bigint not null references imports (id) on delete cascade,
    document_id bigint references documents (id) on delete cascade,
    container_id bigint references documents (id) on delete cascade,
    path ${text} not null,
    extension ${text} not null,
    outcome ${text} not null,
    reason ${text}
  )`,
  `create index import_files_by_outcome on import_files (import_id, outcome, id)`,
  ...["document_id", "container_id"].map(
    (column) => `create index import_files_by_${column} on import_files (${column}, import_id)
      where ${column} is not null`,
  ),

  // The files that `quire watch` has taken in or given up, as they were then. So each is taken in once.
  `create table watched_files (
    path ${text} primary key,
    size bigint not null,
    changed_at ${text} not null,
    outcome ${text} not null,
    seen_at ${text} not null
  )`,
];

/**
 * Mirrors of other servers, the documents and projects that come from them, and the progress of a walk over a server's
 * list. A document or project without a row here was not mirrored, and a mirror never touches it.
 */
const mirrors = ({ text, identity }: Terms): string[] => [
  `create table mirrors (
    id ${identity},
    api ${text} not null,
    selection ${text} not null,
    walk ${text},
    next ${text},
    unique (api, selection)
  )`,
  `create table mirrored_documents (
    mirror_id bigint not null references mirrors (id) on delete cascade,
    document_id bigint not null references documents (id) on delete cascade,
    walk ${text} not null,
    content ${text},
    primary key (mirror_id, document_id)
  )`,
  `create index mirrored_documents_by_document on mirrored_documents (document_id)`,
  `create table mirrored_projects (
    project_id bigint primary key references projects (id) on delete cascade,
    api ${text} not null,
    remote_id bigint not null,
    unique (api, remote_id)
  )`,
];

/**
 * Of the key in an address for mail only the digest is stored. `mail_arrivals` has which mail became which document, so
 * that a mail that is sent again does not become another one, and the mails that were refused, with the reason.
 * `mailboxes` has how far the mails of a mailbox have been taken in.
 */
const mailIn = ({ text, identity }: Terms): string[] => [
  `create table mail_keys (
    id ${identity},
    user_id bigint not null references users (id) on delete cascade,
    project_id bigint references projects (id) on delete cascade,
    digest ${text} not null unique,
    access ${text} not null,
    created_at ${text} not null,
    used_at ${text}
  )`,
  `create unique index mail_keys_of_person on mail_keys (user_id) where project_id is null`,
  `create unique index mail_keys_of_project on mail_keys (user_id, project_id) where project_id is not null`,
  `create index mail_keys_by_project_id on mail_keys (project_id) where project_id is not null`,
  `create table mail_arrivals (
    id ${identity},
    user_id bigint references users (id) on delete cascade,
    document_id bigint references documents (id) on delete cascade,
    digest ${text} not null unique,
    way ${text} not null,
    sender ${text} not null,
    reason ${text},
    times bigint not null,
    arrived_at ${text} not null
  )`,
  ...["user_id", "document_id"].map(
    (column) =>
      `create index mail_arrivals_by_${column} on mail_arrivals (${column}) where ${column} is not null`,
  ),
  `create index mail_arrivals_refused on mail_arrivals (id) where reason is not null`,
  `create index mail_arrivals_by_time on mail_arrivals (arrived_at)`,
  `create table mailboxes (
    name ${text} primary key,
    uid_validity ${text} not null,
    last_uid bigint not null
  )`,
];
