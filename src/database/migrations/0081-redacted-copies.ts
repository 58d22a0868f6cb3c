import { type Kysely, sql } from "kysely";
import type { Dialect } from "../dialect.ts";

/** Documents that are redacted copies of others, made or still to be made. */
export async function redactedCopies(db: Kysely<unknown>, { text }: Dialect): Promise<void> {
  await sql`create table redacted_copies (
    copy_id bigint primary key references documents (id) on delete cascade,
    original_id bigint not null references documents (id) on delete cascade,
    original_hash ${text} not null,
    original_access ${text},
    made_at ${text}
  )`.execute(db);
  await sql`create index redacted_copies_by_original on redacted_copies (original_id)`.execute(db);
}
