import { hash } from "node:crypto";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { Kysely } from "kysely";
import { sqliteDialect } from "../src/database/sqlite/dialect.ts";
import { migrate } from "../src/database/migrate.ts";
import { NodeSqliteDialect, SqliteConnection } from "../src/database/sqlite/connection.ts";
import type { Tables } from "../src/database/tables.ts";
import { type SampleDocument, owners, viewers } from "./sample-documents.ts";

/**
 * Creates a SQLite database with these documents at `fileName`. It has the application's schema, and the triggers are
 * active. Indexes are created last, and durability is switched off while filling. Returns the last id.
 */
export async function fillSqlite(fileName: string, documents: Iterable<SampleDocument>): Promise<number> {
  return withSchema(fileName, (file) => {
    file.exec("begin");
    const indexes = file
      .prepare("select name, sql from sqlite_master where type = 'index' and sql is not null")
      .all() as { name: string; sql: string }[];
    for (const { name } of indexes) file.exec(`drop index ${name}`);
    addOwners(file);
    addViewers(file);
    const lastId = addDocuments(file, documents);
    for (const { sql } of indexes) file.exec(sql);
    file.exec("commit; pragma journal_mode = wal;");
    return lastId;
  });
}

/** The schema of a new database, as text. */
export async function sqliteSchema(): Promise<string> {
  return withSchema(":memory:", (file) => {
    const rows = file.prepare("select sql from sqlite_master where sql is not null order by name").all();
    return rows.map(({ sql }) => String(sql)).join("\n");
  });
}

async function withSchema<T>(fileName: string, work: (file: DatabaseSync) => T): Promise<T> {
  const connection = new SqliteConnection(new DatabaseSync(fileName));
  const kysely = new Kysely<Tables>({ dialect: new NodeSqliteDialect(connection) });
  try {
    connection.database.exec(`
      pragma journal_mode = off;
      pragma synchronous = off;
      pragma cache_size = -524288;
      pragma temp_store = memory;
    `);
    await migrate(kysely, sqliteDialect);
    return work(connection.database);
  } finally {
    await kysely.destroy();
  }
}

function addDocuments(file: DatabaseSync, documents: Iterable<SampleDocument>): number {
  let lastId = 0;
  let insert: StatementSync | null = null;
  const join = file.prepare("insert into project_memberships (project_id, document_id) values (?, ?)");
  for (const { projects, ...row } of documents) {
    const columns = Object.keys(row);
    insert ??= file.prepare(
      `insert into documents (${columns.join(", ")}) values (${columns.map(() => "?").join(", ")})`,
    );
    insert.run(...Object.values(row).map((value) => (typeof value === "boolean" ? Number(value) : value)));
    for (const project of projects) join.run(project, row.id);
    lastId = row.id;
  }
  return lastId;
}

function addOwners(file: DatabaseSync): void {
  const moment = "'2012-01-01T00:00:00.000000Z', '2012-01-01T00:00:00.000000Z'";
  file.exec(`
    insert into users (id, username, name, created_at, updated_at)
      ${numbers(owners.users)} select n, 'user-' || n, 'User ' || n, ${moment} from numbers;
    insert into organizations (id, name, slug, created_at, updated_at)
      ${numbers(owners.organizations)} select n, 'Organization ' || n, 'organization-' || n, ${moment} from numbers;
    insert into projects (id, title, slug, private, user_id, created_at, updated_at)
      ${numbers(owners.projects)}
      select n, 'Project ' || n, 'project-' || n, n % 10 = 0, n, ${moment} from numbers;
  `);
}

function addViewers(file: DatabaseSync): void {
  const moment = "2012-01-01T00:00:00.000000Z";
  for (const { id, token, organizations } of Object.values(viewers)) {
    file
      .prepare("insert into users (id, username, name, created_at, updated_at) values (?, ?, ?, ?, ?)")
      .run(id, `viewer-${id}`, `Viewer ${id}`, moment, moment);
    for (const organization of organizations) {
      file
        .prepare("insert into organization_members (organization_id, user_id) values (?, ?)")
        .run(organization, id);
    }
    file
      .prepare(
        "insert into api_tokens (user_id, name, prefix, digest, may_write, created_at) values (?, 'bench', ?, ?, 0, ?)",
      )
      .run(id, token, hash("sha256", token, "hex"), moment);
  }
}

function numbers(end: number): string {
  return `with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${end})`;
}
