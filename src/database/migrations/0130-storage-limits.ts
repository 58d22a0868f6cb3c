import { type Kysely, sql } from "kysely";

/**
 * The newest receipt that a measurement of the storage has counted. Limits on storage add the files that have arrived
 * since.
 */
export async function storageLimits(db: Kysely<unknown>): Promise<void> {
  await sql`alter table storage_figures add column last_receipt bigint not null default 0`.execute(db);
}
