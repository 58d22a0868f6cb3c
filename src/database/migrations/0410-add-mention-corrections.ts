import { type Kysely, sql } from "kysely";
import type { Dialect } from "../dialect.ts";

/**
 * What people say of mentions by hand, in one document: that a value is another one, or (`becomes` is null) that it is
 * no mention at all. `mentions.recognised` is the value of the recognisers where a correction has replaced it.
 */
export async function mentionCorrections(
  db: Kysely<unknown>,
  { text }: Pick<Dialect, "text">,
): Promise<void> {
  await sql`create table mention_corrections (
    document_id bigint not null references documents (id) on delete cascade,
    kind ${text} not null,
    value ${text} not null,
    becomes ${text},
    primary key (document_id, kind, value)
  )`.execute(db);
  await sql`create index mention_corrections_by_value on mention_corrections (kind, value)`.execute(db);
  await sql`alter table mentions add column recognised ${text}`.execute(db);
}
