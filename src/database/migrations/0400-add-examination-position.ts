import { type Kysely, sql } from "kysely";

/** How far an examination has come, so that another worker goes on from there. */
export async function examinationPosition(db: Kysely<unknown>): Promise<void> {
  await sql`alter table examinations add column position bigint`.execute(db);
}
