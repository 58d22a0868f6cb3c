import { type Kysely, sql } from "kysely";
import type { Dialect } from "../dialect.ts";

/**
 * A lock on a document's file has a table of its own: it used to be a job of a kind that no worker did anything for. See
 * resources/documents/files/file-lock-store.ts.
 */
export async function locksAndCancelledJobs(db: Kysely<unknown>, { text }: Dialect): Promise<void> {
  await sql`create table file_locks (
    document_id bigint primary key references documents (id) on delete cascade,
    holder ${text} not null,
    expires_at ${text} not null
  )`.execute(db);
  // The process that held such a lock has ended since.
  await sql`delete from jobs where kind = 'claim of a file''s place'`.execute(db);
}
