import { sql } from "kysely";
import type { Database } from "../database/database.ts";
import type { Tables } from "../database/tables.ts";
import { copiedTables } from "../database/transfer/tables.ts";
import type { TestApp } from "./test-app.ts";

/** Every table with rows that nothing else determines: what a backup copies. Reading the audit log is noted in it. */
const allTables = copiedTables.map(({ name }) => name).filter((name) => name !== "audit_exports");

/** The tables about files, including those that change only when files are processed. */
export const fileTables = [
  "documents",
  "document_history",
  "document_pages",
  "document_progress",
  "document_receipts",
  "document_rewrites",
  "file_locks",
  "jobs",
  "remote_files",
] as const;

/** Requests that change nothing else record their use in them. */
const columnsOfUse = ["last_used_at", "seen_at"];

interface Dump {
  version: string | number;
  tables: readonly (keyof Tables)[];
  lines: string;
}

/** The last dump of each database. Most requests change nothing, and a dump takes longer than many requests. */
const lastDumps = new WeakMap<Database, Dump>();

/**
 * The rows of these tables as lines of text: two states are equal if nothing has changed between them. They are read
 * again only if the database has another version.
 */
export async function dumpOf(
  { context: { database } }: Pick<TestApp, "context">,
  tables: readonly (keyof Tables)[] = allTables,
): Promise<string> {
  const version = await database.version();
  const last = lastDumps.get(database);
  if (last?.version === version && last.tables === tables) return last.lines;
  const lines = await readDump(database, tables);
  // If something was committed meanwhile, nobody knows whether the lines have it.
  if ((await database.version()) === version) lastDumps.set(database, { version, tables, lines });
  return lines;
}

async function readDump({ engine, reader }: Database, tables: readonly (keyof Tables)[]): Promise<string> {
  if (engine === "postgres") {
    // One statement instead of one for each table: the round trips took longer than the reading.
    const selects = tables.map(
      (table) =>
        sql`select ${sql.lit(`${table}: `)} || (to_jsonb(t) - ${sql.lit(`{${columnsOfUse.join()}}`)}::text[])::text
          as line from ${sql.table(table)} t`,
    );
    const { rows } = await sql<{
      line: string;
    }>`${sql.join(selects, sql` union all `)} order by line`.execute(reader);
    return rows.map(({ line }) => line).join("\n");
  }
  const lines: string[] = [];
  for (const table of tables) {
    const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(table)}`.execute(reader);
    for (const row of rows) {
      for (const column of columnsOfUse) delete row[column];
      lines.push(`${table}: ${JSON.stringify(row)}`);
    }
  }
  return lines.toSorted().join("\n");
}

/** All that requests may change: the rows of these tables, and the unfinished uploads. */
export async function stateOf(
  app: Pick<TestApp, "context">,
  tables?: readonly (keyof Tables)[],
): Promise<string> {
  const uploads = await app.context.uploads.list();
  const lines = uploads.toSorted().map((name) => `upload: ${name}`);
  return [await dumpOf(app, tables), ...lines].join("\n");
}

/** The lines of one state that are not in another. */
export function linesApart(state: string, other: string): string[] {
  const known = new Set(other.split("\n"));
  return state.split("\n").filter((line) => !known.has(line));
}
