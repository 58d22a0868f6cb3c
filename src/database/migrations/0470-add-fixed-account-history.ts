import type { Kysely } from "kysely";
import { fixHistory } from "./fixed-history.ts";

/** The database refuses to change the history of second factors, as it does the other histories. */
export function fixedAccountHistory(db: Kysely<unknown>, engine: "sqlite" | "postgres"): Promise<void> {
  return fixHistory(db, engine, "account_history");
}
