import { Client } from "pg";
import { openDatabase } from "../src/database/open-database.ts";
import { PreparedQueries } from "../src/database/prepared-queries.ts";
import { anonymous } from "../src/http/request/viewer.ts";
import { storedRecordPages } from "../src/resources/documents/list/list-store.ts";
import { defaultOrdering } from "../src/resources/documents/list/orderings.ts";
import { createThrowawayDatabase, startPostgres } from "../src/testing/postgres.ts";
import { fillPostgres } from "./fill-postgres.ts";
import { sampleDocuments } from "./sample-documents.ts";

/**
 * The number of blocks that PostgreSQL reads for the list's first page, when nothing has gathered statistics
 * since the database was empty. It is a figure of the plan, so it does not depend on the machine.
 */
export async function blocksOfFirstPage(documents: number): Promise<number> {
  const postgres = await startPostgres();
  try {
    const database = await createThrowawayDatabase(postgres.url);
    await fillPostgres(database.url, sampleDocuments(documents), { hasStatistics: false });
    const blocks = await blocksRead(database.url);
    await database.drop();
    return blocks;
  } finally {
    await postgres.stop();
  }
}

async function blocksRead(databaseUrl: string): Promise<number> {
  const database = await openDatabase({ dataFolder: "", databaseUrl });
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const statements: { sql: string; parameters: readonly unknown[] }[] = [];
    const prepared = new PreparedQueries(database.reader, {
      run(query) {
        statements.push(query);
        return [{ lines: null }];
      },
    });
    const list = { filters: {}, ordering: defaultOrdering, perPage: 25 };
    const baseUrls = { web: "http://127.0.0.1:8000", assets: "http://127.0.0.1:8000/files/" };
    const pages = storedRecordPages({ ...database, prepared }, anonymous, list, baseUrls);
    await pages({ reverse: false, offset: 0, ordering: null, key: null });
    const [statement] = statements;
    if (statement === undefined) throw new Error("Quire asked for nothing");
    const { rows } = await client.query<{ "QUERY PLAN": [{ Plan: Record<string, number> }] }>(
      `explain (analyze, buffers, format json) ${statement.sql}`,
      [...statement.parameters],
    );
    const plan = rows[0]?.["QUERY PLAN"][0].Plan ?? {};
    return (plan["Shared Hit Blocks"] ?? 0) + (plan["Shared Read Blocks"] ?? 0);
  } finally {
    await client.end();
    await database.close();
  }
}
