import { type Kysely, sql } from "kysely";
import type { Dialect } from "../dialect.ts";

/** How each person is told of what, as a JSON object of those kinds for which they have chosen. */
export async function noticeChoices(db: Kysely<unknown>, { text }: Pick<Dialect, "text">): Promise<void> {
  await sql`alter table users add column notice_choices ${text} not null default '{}'`.execute(db);
}
