import { type Kysely, type QueryExecutorProvider, sql } from "kysely";
import { dialectOf } from "../dialects.ts";
import type { Tables } from "../tables.ts";

/*
 * A database that is being filled has a marker table, from before its first row until the commit of its last one. No
 * migration creates this table, because it exists before any migration has run.
 */

const table = sql.table("unfinished_transfer");

/** How a database is being filled. */
export interface UnfinishedTransfer {
  /** The command, in a form for people. */
  command: string;
  /** When it began. */
  began_at: string;
}

export class UnfinishedTransferError extends Error {
  override readonly name = "UnfinishedTransferError";

  constructor({ command, began_at }: UnfinishedTransfer) {
    super(
      `The database is incomplete: ${command} began to fill it on ${began_at} and has not finished. ` +
        "Run that command again, or begin with an empty database",
    );
  }
}

/** Null for a database that is not being filled. */
export async function findUnfinishedTransfer(
  database: QueryExecutorProvider,
): Promise<UnfinishedTransfer | null> {
  if (!(await hasTable(database, "unfinished_transfer"))) return null;
  const { rows } = await sql<UnfinishedTransfer>`select command, began_at from ${table}`.execute(database);
  return rows[0] ?? null;
}

/** @throws {UnfinishedTransferError} */
export async function refuseUnfinishedTransfer(database: QueryExecutorProvider): Promise<void> {
  const found = await findUnfinishedTransfer(database);
  if (found !== null) throw new UnfinishedTransferError(found);
}

export async function noteUnfinishedTransfer(
  database: Kysely<Tables>,
  { command, began_at }: UnfinishedTransfer,
): Promise<void> {
  await database.transaction().execute(async (writer) => {
    await sql`create table ${table} (command text not null, began_at text not null)`.execute(writer);
    await sql`insert into ${table} (command, began_at) values (${command}, ${began_at})`.execute(writer);
  });
}

export async function endUnfinishedTransfer(writer: QueryExecutorProvider): Promise<void> {
  await sql`drop table ${table}`.execute(writer);
}

export async function hasTable(database: QueryExecutorProvider, name: string): Promise<boolean> {
  const { rows } = await dialectOf(database).tableNamed(name).execute(database);
  return rows.length > 0;
}
