import { type Kysely, sql } from "kysely";
import type { Dialect } from "../dialect.ts";

/** Whether people may run an add-on now, and the configuration that an administrator has given it on a page. */
export async function addonSwitch(
  db: Kysely<unknown>,
  { text, boolean }: Pick<Dialect, "text" | "boolean">,
): Promise<void> {
  await sql`alter table addons add column is_enabled ${boolean} not null default true`.execute(db);
  await sql`alter table addons add column config ${text}`.execute(db);
}
