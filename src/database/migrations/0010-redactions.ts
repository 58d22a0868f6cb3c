import { type Kysely, sql } from "kysely";
import type { Dialect } from "../dialect.ts";

/**
 * Pending rewrites of PDFs: regions to redact, pages to move. The row is deleted with the work. `result_hash` is
 * stored before the new file replaces the old one: a worker that takes over can tell from it that the file is already
 * replaced.
 */
export async function redactions(db: Kysely<unknown>, { text }: Dialect): Promise<void> {
  await sql`create table document_rewrites (
    document_id bigint primary key references documents (id) on delete cascade,
    kind ${text} not null check (kind in ('redact', 'modify')),
    user_id bigint not null,
    plan ${text} not null,
    result_hash ${text}
  )`.execute(db);
}
