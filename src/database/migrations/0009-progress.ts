import { type Kysely, sql } from "kysely";
import type { Dialect } from "../dialect.ts";

/** How far the work on a document's file has come, while it goes on: for who waits. */
export async function progress(db: Kysely<unknown>, { text }: Dialect): Promise<void> {
  await sql`create table document_progress (
    document_id bigint primary key references documents (id) on delete cascade,
    step ${text} not null,
    done bigint not null,
    total bigint,
    at ${text} not null
  )`.execute(db);
}
