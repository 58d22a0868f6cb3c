import { hash } from "node:crypto";
import { Client } from "pg";
import { storeAllRecords } from "./stored-records.ts";
import type { Database } from "../src/database/database.ts";
import { openDatabase } from "../src/database/open-database.ts";
import { type SampleDocument, owners, viewers } from "./sample-documents.ts";

const batchSize = 1000;

/**
 * Creates the schema in an empty database and fills it, to its state before or after autovacuum. Returns the last id.
 */
export async function fillPostgres(
  databaseUrl: string,
  documents: Iterable<SampleDocument>,
  { hasStatistics = true }: { hasStatistics?: boolean } = {},
): Promise<number> {
  const database = await openDatabase({ dataFolder: "", databaseUrl });
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    if (!hasStatistics) await client.query("alter table documents set (autovacuum_enabled = off)");
    await client.query("begin");
    await addOwners(client);
    await addViewers(client);
    let lastId = 0;
    let batch: SampleDocument[] = [];
    for (const document of documents) {
      batch.push(document);
      lastId = document.id;
      if (batch.length < batchSize) continue;
      await addDocuments(client, batch);
      batch = [];
    }
    if (batch.length > 0) await addDocuments(client, batch);
    await client.query("commit");
    await afterOwnIds(database);
    await storeAllRecords({ dataFolder: "", databaseUrl });
    if (hasStatistics) await client.query("vacuum analyze");
    return lastId;
  } finally {
    await client.end();
    await database.close();
  }
}

async function addDocuments(client: Client, documents: readonly SampleDocument[]): Promise<void> {
  const rows = documents.map(({ projects, ...row }) => ({ row, projects }));
  const columns = Object.keys(rows[0]?.row ?? {}).join(", ");
  await client.query(
    `insert into documents (${columns}) select ${columns} from json_populate_recordset(null::documents, $1)`,
    [JSON.stringify(rows.map(({ row }) => row))],
  );
  const memberships = rows.flatMap(({ row, projects }) =>
    projects.map((project) => ({ document_id: row.id, project_id: project })),
  );
  await client.query(
    `insert into project_memberships (project_id, document_id)
      select project_id, document_id from json_populate_recordset(null::project_memberships, $1)`,
    [JSON.stringify(memberships)],
  );
}

async function addOwners(client: Client): Promise<void> {
  const moment = "'2012-01-01T00:00:00.000000Z', '2012-01-01T00:00:00.000000Z'";
  await client.query(`
    insert into users (id, username, name, created_at, updated_at)
      select n, 'user-' || n, 'User ' || n, ${moment} from generate_series(1, ${owners.users}) n;
    insert into organizations (id, name, slug, created_at, updated_at)
      select n, 'Organization ' || n, 'organization-' || n, ${moment}
      from generate_series(1, ${owners.organizations}) n;
    insert into projects (id, title, slug, private, user_id, created_at, updated_at)
      select n, 'Project ' || n, 'project-' || n, n % 10 = 0, n, ${moment}
      from generate_series(1, ${owners.projects}) n;
  `);
}

async function addViewers(client: Client): Promise<void> {
  const moment = "2012-01-01T00:00:00.000000Z";
  for (const { id, token, organizations } of Object.values(viewers)) {
    await client.query(
      "insert into users (id, username, name, created_at, updated_at) values ($1, $2, $3, $4, $4)",
      [id, `viewer-${id}`, `Viewer ${id}`, moment],
    );
    for (const organization of organizations)
      await client.query("insert into organization_members (organization_id, user_id) values ($1, $2)", [
        organization,
        id,
      ]);
    await client.query(
      `insert into api_tokens (user_id, name, prefix, digest, may_write, created_at)
        values ($1, 'bench', $2, $3, false, $4)`,
      [id, token, hash("sha256", token, "hex"), moment],
    );
  }
}

/** Advances the sequences past the ids of the inserted rows, because the server adds an administrator. */
export async function afterOwnIds(database: Database): Promise<void> {
  const { dialect } = database;
  for (const table of ["users", "organizations", "projects"] as const) {
    await database.write(async (writer) => void (await dialect.afterOwnIds(table)?.execute(writer)));
  }
}
