import { type Kysely, sql } from "kysely";
import type { Dialect } from "../dialect.ts";

/** Whether a person gets mails about what happens to their documents, and about what others share with them. */
export async function mailNotices(
  db: Kysely<unknown>,
  { boolean }: Dialect,
  engine: "sqlite" | "postgres",
): Promise<void> {
  const yes = sql.raw(engine === "sqlite" ? "1" : "true");
  await sql`alter table users add column mail_notices ${boolean} not null default ${yes}`.execute(db);
}
