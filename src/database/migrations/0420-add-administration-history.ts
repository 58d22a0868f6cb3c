import { type Kysely, sql } from "kysely";
import type { Dialect } from "../dialect.ts";

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
  for (const trigger of engine === "postgres" ? postgresTriggers : sqliteTriggers)
    await sql.raw(trigger).execute(db);
}

const sqliteTriggers = ["update", "delete"].map(
  (
    action,
  ) => `create trigger administration_history_no_${action} before ${action} on administration_history begin
    select raise(abort, 'history does not change');
  end`,
);

const postgresTriggers = [
  `create trigger administration_history_is_fixed before update or delete or truncate on administration_history
    for each statement execute function document_history_is_fixed()`,
];
