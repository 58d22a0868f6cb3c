import { type Kysely, sql } from "kysely";
import type { Dialect } from "../dialect.ts";
import { fixHistory } from "./fixed-history.ts";

/**
 * Which accounts were added, disabled and enabled, whose became, and ceased to be, those of administrators, and which
 * organizations were added and renamed. The database refuses to change it, as it does the history of memberships, and
 * it outlives what it names.
 */
export async function administrationHistory(
  db: Kysely<unknown>,
  { text, identity }: Pick<Dialect, "text" | "identity">,
  engine: "sqlite" | "postgres",
): Promise<void> {
  await sql`create table administration_history (
    id ${identity},
    at ${text} not null,
    action ${text} not null,
    user_id bigint,
    organization_id bigint,
    name_before ${text},
    name_after ${text},
    by_id bigint,
    means ${text} not null,
    provider_id bigint
  )`.execute(db);
  await sql`create index administration_history_by_at on administration_history (at, id)`.execute(db);
  await fixHistory(db, engine, "administration_history");
}
