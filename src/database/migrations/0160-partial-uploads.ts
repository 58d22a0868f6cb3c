import { type Kysely, sql } from "kysely";
import type { Dialect } from "../dialect.ts";

/**
 * Uploads that arrive in parts at servers which share a bucket: their notes, the parts that are stored so far, and who
 * is turning a complete one into a document.
 */
export async function partialUploads(db: Kysely<unknown>, { text, boolean }: Dialect): Promise<void> {
  await sql`create table partial_uploads (
    name ${text} primary key,
    note ${text} not null,
    is_done ${boolean} not null,
    touched_at ${text} not null,
    holder ${text},
    held_until ${text}
  )`.execute(db);
  await sql`create table partial_upload_parts (
    upload ${text} not null references partial_uploads (name) on delete cascade,
    start bigint not null,
    size bigint not null,
    key ${text} not null,
    primary key (upload, start)
  )`.execute(db);
}
