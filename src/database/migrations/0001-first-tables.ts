import { type Kysely, sql } from "kysely";
import type { Dialect } from "../dialect.ts";

/**
 * Documents, the users, organizations and projects behind their ids, and the invariants that the database itself
 * maintains:
 *
 * - `documents.revision` changes whenever the record that the API shows does: when the row changes, its projects
 *   change, or the privacy of one of its projects changes. Whichever process made the change, a stored record with an
 *   older revision is known to be stale.
 * - The indexes of documents hold only public documents, and `is_public` stands beside the keys of memberships and
 *   data, so that a walk over the public documents is one range of one index: hidden rows cost a reader nothing,
 *   however many there are.
 * - `document_data` holds the lowest and the highest value of each key of `data`, so that ordering by a key is also
 *   such a range.
 */
export async function firstTables(
  db: Kysely<unknown>,
  dialect: Dialect,
  engine: "sqlite" | "postgres",
): Promise<void> {
  const { text, boolean, identity } = dialect;
  const postgres = engine === "postgres";
  if (postgres) await sql`create sequence document_revisions`.execute(db);
  const revision = postgres
    ? sql`bigint not null default nextval('document_revisions')`
    : sql`integer not null default (random() & 9007199254740991)`;
  const no = postgres ? sql`false` : sql`0`;
  // Checked when the transaction ends, so that no statement needs to be undone alone: see `insertWhole` in dialect.ts.
  const late = postgres ? sql`` : sql`deferrable initially deferred`;

  await sql`create table users (
    id ${identity},
    username ${text} not null unique,
    name ${text} not null,
    created_at ${text} not null,
    updated_at ${text} not null
  )`.execute(db);

  await sql`create table organizations (
    id ${identity},
    name ${text} not null,
    slug ${text} not null,
    individual ${boolean} not null default ${no},
    created_at ${text} not null,
    updated_at ${text} not null
  )`.execute(db);

  await sql`create table projects (
    id ${identity},
    title ${text} not null,
    slug ${text} not null,
    description ${text} not null default '',
    private ${boolean} not null default ${no},
    user_id bigint not null references users (id),
    created_at ${text} not null,
    updated_at ${text} not null
  )`.execute(db);

  await sql`create table documents (
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
    organization_id bigint not null references organizations (id) ${late},
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
    user_id bigint not null references users (id) ${late}
  )`.execute(db);
  // A covering index: a page of the default list, even a filtered one, is read from this index alone.
  const columns = sql`id, revision, access, status, user_id, organization_id, page_count, created_at`;
  const whole = postgres ? sql`((id + 0)) include (${columns})` : sql`(${columns})`;
  await sql`create index documents_by_id on documents ${whole} where ${isPublic}`.execute(db);
  // In SQLite, an index ends in the id anyway; if it were named explicitly, the id would not count as the key's second
  // half. For PostgreSQL's expression, see `listedId` in dialect.ts.
  const id = postgres ? sql`, (id + 0)` : sql``;
  for (const column of [
    "created_at",
    "updated_at",
    "page_count",
    "title",
    "source",
    "status",
    "user_id",
    "organization_id",
  ]) {
    await sql`create index ${sql.id(`documents_by_${column}`)} on documents (${sql.id(column)}${id})
      where ${isPublic}`.execute(db);
  }
  await sql`create index documents_by_file_hash on documents (file_hash) where file_hash <> ''`.execute(db);

  await sql`create table project_memberships (
    project_id bigint not null references projects (id) on delete cascade,
    document_id bigint not null references documents (id) on delete cascade,
    edit_access ${boolean} not null default ${no},
    is_public ${boolean} not null default ${no},
    primary key (document_id, project_id)
  ) ${postgres ? sql`` : sql`without rowid`}`.execute(db);
  await sql`create index project_memberships_by_project
    on project_memberships (project_id, is_public, document_id)`.execute(db);

  await sql`create table document_data (
    document_id bigint not null references documents (id) on delete cascade ${late},
    key ${text} not null,
    lowest ${text} not null,
    highest ${text} not null,
    is_public ${boolean} not null,
    primary key (document_id, key)
  ) ${postgres ? sql`` : sql`without rowid`}`.execute(db);
  await sql`create index document_data_by_lowest
    on document_data (key, is_public, lowest, document_id)`.execute(db);
  await sql`create index document_data_by_highest
    on document_data (key, is_public, highest, document_id)`.execute(db);

  for (const trigger of postgres ? postgresTriggers : sqliteTriggers) await sql.raw(trigger).execute(db);
}

const isPublic = sql.raw("access = 'public' and status in ('success', 'readable')");

const newRevision = "random() & 9007199254740991";

const sqliteTriggers = [
  `create trigger documents_revise after update on documents when new.revision = old.revision begin
    update documents set revision = ${newRevision} where id = new.id;
  end`,
  `create trigger documents_publish after update of access, status on documents
  when ${publicRow("new")} <> ${publicRow("old")} begin
    update project_memberships set is_public = ${publicRow("new")} where document_id = new.id;
    update document_data set is_public = ${publicRow("new")} where document_id = new.id;
  end`,
  `create trigger documents_data_inserted after insert on documents when new.data <> '{}' begin
    ${sqliteDataRows()}
  end`,
  `create trigger documents_data_changed after update of data on documents when new.data <> old.data begin
    delete from document_data where document_id = new.id;
    ${sqliteDataRows()}
  end`,
  `create trigger project_memberships_inserted after insert on project_memberships begin
    ${sqlitePublishMembership()}
    update documents set revision = ${newRevision} where id = new.document_id;
  end`,
  `create trigger project_memberships_moved after update of project_id, document_id on project_memberships begin
    ${sqlitePublishMembership()}
    update documents set revision = ${newRevision} where id in (old.document_id, new.document_id);
  end`,
  `create trigger project_memberships_deleted after delete on project_memberships begin
    update documents set revision = ${newRevision} where id = old.document_id;
  end`,
  `create trigger projects_privacy after update of private on projects when new.private <> old.private begin
    update documents set revision = ${newRevision}
      where id in (select document_id from project_memberships where project_id = new.id);
  end`,
];

function publicRow(row: string): string {
  return `(${row}.access = 'public' and ${row}.status in ('success', 'readable'))`;
}

function sqlitePublishMembership(): string {
  return `update project_memberships set is_public =
      (select ${publicRow("documents")} from documents where id = new.document_id)
      where document_id = new.document_id and project_id = new.project_id;`;
}

function sqliteDataRows(): string {
  return `insert into document_data (document_id, key, lowest, highest, is_public)
      select new.id, entry.key, min(item.value), max(item.value), ${publicRow("new")}
      from json_each(new.data) entry, json_each(entry.value) item group by entry.key;`;
}

const postgresTriggers = [
  `create function documents_revise() returns trigger language plpgsql as $$ begin
    if new.revision = old.revision then new.revision := nextval('document_revisions'); end if;
    return new;
  end $$`,
  `create trigger documents_revise before update on documents
    for each row execute function documents_revise()`,
  `create function documents_publish() returns trigger language plpgsql as $$ begin
    update project_memberships set is_public = ${publicRow("new")} where document_id = new.id;
    update document_data set is_public = ${publicRow("new")} where document_id = new.id;
    return null;
  end $$`,
  `create trigger documents_publish after update of access, status on documents
    for each row when (${publicRow("new")} <> ${publicRow("old")}) execute function documents_publish()`,
  `create function documents_data() returns trigger language plpgsql as $$ begin
    if tg_op = 'UPDATE' then delete from document_data where document_id = new.id; end if;
    insert into document_data (document_id, key, lowest, highest, is_public)
      select new.id, entry.key, min(item.value collate "C"), max(item.value collate "C"), ${publicRow("new")}
      from json_each(new.data::json) entry, json_array_elements_text(entry.value) item group by entry.key;
    return null;
  end $$`,
  `create trigger documents_data_inserted after insert on documents
    for each row when (new.data <> '{}') execute function documents_data()`,
  `create trigger documents_data_changed after update of data on documents
    for each row when (new.data <> old.data) execute function documents_data()`,
  // Without the locks, a concurrent publication or change of the project's privacy could miss this row.
  `create function project_memberships_publish() returns trigger language plpgsql as $$ begin
    perform from projects where id = new.project_id for share;
    new.is_public := coalesce(
      (select ${publicRow("documents")} from documents where id = new.document_id for no key update), false);
    return new;
  end $$`,
  `create trigger project_memberships_publish
    before insert or update of project_id, document_id on project_memberships for each row execute function project_memberships_publish()`,
  `create function project_memberships_revise() returns trigger language plpgsql as $$ begin
    update documents set revision = nextval('document_revisions')
      where id in (old.document_id, new.document_id);
    return null;
  end $$`,
  `create trigger project_memberships_revise
    after insert or delete or update of project_id, document_id on project_memberships for each row execute function project_memberships_revise()`,
  `create function projects_privacy() returns trigger language plpgsql as $$ begin
    update documents set revision = nextval('document_revisions')
      where id in (select document_id from project_memberships where project_id = new.id);
    return null;
  end $$`,
  `create trigger projects_privacy after update of private on projects
    for each row when (new.private <> old.private) execute function projects_privacy()`,
];
