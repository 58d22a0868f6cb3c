import { type Kysely, sql } from "kysely";
import type { Dialect } from "../dialect.ts";

/** The progress of processing a document's file, for clients that wait. */
export async function progress(db: Kysely<unknown>, { text }: Dialect): Promise<void> {
  await sql`create table document_progress (
    document_id bigint primary key references documents (id) on delete cascade,
    step ${text} not null,
    done bigint not null,
    total bigint,
    at ${text} not null
  )`.execute(db);
}
