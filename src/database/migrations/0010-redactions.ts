import { type Kysely, sql } from "kysely";
import type { Dialect } from "../dialect.ts";

/**
 * What is to be done to the PDFs of documents: boxes to blacken, pages to move. It goes with the work. `result_hash` is
 * noted before the new file takes the old one's place: whoever takes the work over knows by it that this is done.
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
