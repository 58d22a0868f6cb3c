import { type Kysely, sql } from "kysely";
import type { Dialect } from "../dialect.ts";

/** The documents that the token of a run reaches: those that were chosen for it, and those that it has made. */
export async function runScopes(db: Kysely<unknown>, { text }: Pick<Dialect, "text">): Promise<void> {
  await sql`alter table addon_runs add column scope ${text}`.execute(db);
}
