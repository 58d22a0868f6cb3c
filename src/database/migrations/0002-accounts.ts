import { type Kysely, sql } from "kysely";
import type { Dialect } from "../dialect.ts";

/**
 * Accounts, memberships, and the audiences of documents that are not public.
 *
 * `document_audiences` has a row for every document that is not public and every audience that may see it: its owner
 * (`user:7`), the members of its organization (`organization:3`), the collaborators of a project that shares it
 * (`project:9`). A viewer belongs to a handful of audiences, so the documents that a viewer may see are a handful of
 * ranges of one index, however many others are hidden. The rows contain the sort columns, so that this holds in every
 * ordering, and the columns of frequent filters, so that few rows are skipped. Triggers maintain the rows in the
 * transaction of the write. A row for each reader instead of each project would make joining a project of 100,000
 * documents a write of 100,000 rows.
 *
 * `document_history` outlives its documents, and the database itself refuses to change it.
 */
export async function accounts(
  db: Kysely<unknown>,
  dialect: Dialect,
  engine: "sqlite" | "postgres",
): Promise<void> {
  const { text, boolean, identity } = dialect;
  const postgres = engine === "postgres";
  const [no, yes] = postgres ? [sql`false`, sql`true`] : [sql`0`, sql`1`];
  const withoutRowid = postgres ? sql`` : sql`without rowid`;
  const newUuid = postgres
    ? sql`gen_random_uuid()::text`
    : sql.raw(`lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) || '-' ||
        substr('89ab', 1 + (random() & 3), 1) || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6)))`);

  // SQLite cannot add a column with a computed default: there a trigger does it.
  const uuidDefault = postgres ? newUuid : sql`''`;
  for (const column of [
    sql`uuid ${text} not null default ${uuidDefault}`,
    sql`email ${text} not null default ''`,
    sql`avatar_url ${text} not null default ''`,
    // Null if nobody can sign in as this user.
    sql`password_hash ${text}`,
    sql`is_active ${boolean} not null default ${yes}`,
    sql`is_administrator ${boolean} not null default ${no}`,
    sql`organization_id bigint references organizations (id)`,
    // Increases whenever all earlier tokens become invalid.
    sql`token_generation bigint not null default 0`,
  ]) {
    await sql`alter table users add column ${column}`.execute(db);
  }
  for (const column of [
    sql`uuid ${text} not null default ${uuidDefault}`,
    sql`avatar_url ${text} not null default ''`,
  ]) {
    await sql`alter table organizations add column ${column}`.execute(db);
  }
  for (const table of ["users", "organizations"]) {
    if (!postgres) await sql`update ${sql.table(table)} set uuid = ${newUuid}`.execute(db);
    await sql`create unique index ${sql.id(`${table}_by_uuid`)} on ${sql.table(table)} (uuid)
      where uuid <> ''`.execute(db);
    if (postgres) continue;
    await sql`create trigger ${sql.id(`${table}_uuid`)} after insert on ${sql.table(table)} when new.uuid = '' begin
      update ${sql.table(table)} set uuid = ${newUuid} where id = new.id; end`.execute(db);
  }
  await sql`create unique index users_by_email on users (lower(email)) where email <> ''`.execute(db);
  await sql`create index users_by_lower_username on users (lower(username))`.execute(db);

  await sql`create table organization_members (
    organization_id bigint not null references organizations (id),
    user_id bigint not null references users (id),
    is_admin ${boolean} not null default ${no},
    primary key (user_id, organization_id)
  ) ${withoutRowid}`.execute(db);
  await sql`create index organization_members_by_organization
    on organization_members (organization_id, user_id)`.execute(db);

  await sql`create table project_collaborators (
    project_id bigint not null references projects (id) on delete cascade,
    user_id bigint not null references users (id),
    access ${text} not null check (access in ('view', 'edit', 'admin')),
    primary key (user_id, project_id)
  ) ${withoutRowid}`.execute(db);
  await sql`create index project_collaborators_by_project
    on project_collaborators (project_id, user_id)`.execute(db);
  await sql`create table project_pins (
    user_id bigint not null references users (id),
    project_id bigint not null references projects (id) on delete cascade,
    primary key (user_id, project_id)
  ) ${withoutRowid}`.execute(db);
  await sql`create index project_pins_by_project on project_pins (project_id)`.execute(db);

  // Only digests of secrets are stored: reading the database does not let anyone sign in.
  await sql`create table sessions (
    digest ${text} primary key,
    user_id bigint not null references users (id),
    created_at ${text} not null,
    expires_at ${text} not null
  ) ${withoutRowid}`.execute(db);
  await sql`create index sessions_by_user on sessions (user_id)`.execute(db);
  await sql`create table refresh_tokens (
    id ${text} primary key,
    family ${text} not null,
    user_id bigint not null references users (id),
    expires_at ${text} not null,
    is_used ${boolean} not null default ${no}
  ) ${withoutRowid}`.execute(db);
  await sql`create index refresh_tokens_by_family on refresh_tokens (family)`.execute(db);
  await sql`create index refresh_tokens_by_user on refresh_tokens (user_id)`.execute(db);
  await sql`create table api_tokens (
    id ${identity},
    user_id bigint not null references users (id),
    name ${text} not null,
    prefix ${text} not null,
    digest ${text} not null unique,
    may_write ${boolean} not null,
    created_at ${text} not null,
    expires_at ${text},
    last_used_at ${text}
  )`.execute(db);
  await sql`create index api_tokens_by_user on api_tokens (user_id)`.execute(db);
  await sql`create table sign_in_attempts (
    subject ${text} primary key,
    attempts bigint not null,
    since ${text} not null
  ) ${withoutRowid}`.execute(db);

  await sql`create table document_audiences (
    audience ${text} not null,
    document_id bigint not null references documents (id) on delete cascade,
    created_at ${text} not null,
    updated_at ${text} not null,
    page_count bigint not null,
    title ${text} not null,
    source ${text} not null,
    status ${text} not null,
    user_id bigint not null,
    primary key (audience, document_id)
  ) ${withoutRowid}`.execute(db);
  await sql`create index document_audiences_by_document
    on document_audiences (document_id, audience)`.execute(db);
  for (const column of ["created_at", "updated_at", "page_count", "title", "source", "status", "user_id"]) {
    await sql`create index ${sql.id(`document_audiences_by_${column}`)}
      on document_audiences (audience, ${sql.id(column)}, document_id)`.execute(db);
  }
  await sql`insert into document_audiences ${sql.raw(audienceRows("documents", "documents"))}`.execute(db);
  // Scheduled publication had no effect before this migration: documents whose time has passed stay as they are.
  await sql`update documents set publish_at = null where publish_at <= ${new Date().toISOString()}`.execute(
    db,
  );
  await sql`create index documents_by_publish_at on documents (publish_at)
    where publish_at is not null`.execute(db);

  await sql`create table document_history (
    id ${identity},
    document_id bigint not null,
    at ${text} not null,
    user_id bigint,
    action ${text} not null,
    changes ${text} not null
  )`.execute(db);
  await sql`create index document_history_by_document on document_history (document_id, id)`.execute(db);

  // The files of deleted documents, which are still to be removed. After a crash the row is still there.
  await sql`create table file_removals (
    document_id bigint primary key,
    folder ${text} not null
  )`.execute(db);

  for (const trigger of postgres ? postgresTriggers : sqliteTriggers) await sql.raw(trigger).execute(db);
}

/** Written as in the list indexes: see 0001-first-tables.ts. */
function isPublic(row: string): string {
  return `(${row}.access = 'public' and ${row}.status in ('success', 'readable'))`;
}

function isShared(row: string): string {
  return `(not ${isPublic(row)} and ${row}.access <> 'invisible' and ${row}.status <> 'deleted')`;
}

/** Selects the audiences of `row`, which is a row of `from` or of the trigger itself (`from` is null). */
function audienceRows(row: string, from: string | null): string {
  const copied = ["created_at", "updated_at", "page_count", "title", "source", "status", "user_id"];
  const sortedBy = copied.map((column) => `${row}.${column}`).join(", ");
  const source = from === null ? "" : `from ${from}`;
  const memberships = "project_memberships m";
  return `select 'user:' || ${row}.user_id, ${row}.id, ${sortedBy} ${source} where ${isShared(row)}
    union all
    select 'organization:' || ${row}.organization_id, ${row}.id, ${sortedBy} ${source}
      where ${isShared(row)} and ${row}.access = 'organization'
    union all
    select 'project:' || m.project_id, ${row}.id, ${sortedBy}
      from ${from === null ? memberships : `${from} join ${memberships} on true`}
      where m.document_id = ${row}.id and m.edit_access and ${isShared(row)}`;
}

const columns = "access, status, user_id, organization_id, created_at, updated_at, page_count, title, source";

function membershipAudience(row: string): string {
  return `insert into document_audiences
    select 'project:' || ${row}.project_id, d.id, d.created_at, d.updated_at, d.page_count, d.title, d.source,
        d.status, d.user_id
      from documents d where d.id = ${row}.document_id and ${row}.edit_access and ${isShared("d")};`;
}

function withoutMembershipAudience(row: string): string {
  return `delete from document_audiences
    where document_id = ${row}.document_id and audience = 'project:' || ${row}.project_id;`;
}

const sqliteTriggers = [
  `create trigger document_audiences_of_new after insert on documents when ${isShared("new")} begin
    insert into document_audiences ${audienceRows("new", null)};
  end`,
  `create trigger document_audiences_of_changed after update of ${columns} on documents
  when ${isShared("new")} or ${isShared("old")} begin
    delete from document_audiences where document_id = new.id;
    insert into document_audiences ${audienceRows("new", null)};
  end`,
  `create trigger document_audiences_of_member after insert on project_memberships when new.edit_access begin
    ${membershipAudience("new")}
  end`,
  `create trigger document_audiences_of_changed_member
  after update of project_id, document_id, edit_access on project_memberships begin
    ${withoutMembershipAudience("old")}
    ${membershipAudience("new")}
  end`,
  `create trigger document_audiences_of_former_member after delete on project_memberships begin
    ${withoutMembershipAudience("old")}
  end`,
  ...["update", "delete"].map(
    (action) => `create trigger document_history_no_${action} before ${action} on document_history begin
      select raise(abort, 'history does not change');
    end`,
  ),
];

const postgresTriggers = [
  `create function document_audiences_of_document() returns trigger language plpgsql as $$ begin
    if tg_op = 'UPDATE' then delete from document_audiences where document_id = new.id; end if;
    insert into document_audiences ${audienceRows("new", null)};
    return null;
  end $$`,
  `create trigger document_audiences_of_new after insert on documents
    for each row when (${isShared("new")}) execute function document_audiences_of_document()`,
  `create trigger document_audiences_of_changed after update of ${columns} on documents
    for each row when (${isShared("new")} or ${isShared("old")}) execute function document_audiences_of_document()`,
  // The document's row is already locked: see project_memberships_publish.
  `create function document_audiences_of_membership() returns trigger language plpgsql as $$ begin
    if tg_op <> 'INSERT' then ${withoutMembershipAudience("old")} end if;
    if tg_op <> 'DELETE' then ${membershipAudience("new")} end if;
    return null;
  end $$`,
  `create trigger document_audiences_of_membership after insert or delete or update of project_id, document_id, edit_access
    on project_memberships for each row execute function document_audiences_of_membership()`,
  // Whether a membership shares the document decides who may see it, so this also takes the document's lock.
  `create trigger project_memberships_share
    before update of edit_access on project_memberships for each row execute function project_memberships_publish()`,
  `create function document_history_is_fixed() returns trigger language plpgsql as $$ begin
    raise exception 'history does not change';
  end $$`,
  `create trigger document_history_is_fixed before update or delete or truncate on document_history
    for each statement execute function document_history_is_fixed()`,
];
