import { type Kysely, sql } from "kysely";
import { fixHistory } from "./fixed-history.ts";

/** The database refuses to change the history of second factors, as it does the other histories. */
export async function fixedAccountHistory(db: Kysely<unknown>, engine: "sqlite" | "postgres"): Promise<void> {
  // As the other histories, it outlives what it names. PostgreSQL would refuse to remove any user at all, because the
  // cascade is a statement on this table even where it removes no row.
  if (engine === "postgres")
    await sql`alter table account_history drop constraint account_history_user_id_fkey`.execute(db);
  await fixHistory(db, engine, "account_history");
}
