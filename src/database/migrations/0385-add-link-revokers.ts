import { type Kysely, sql } from "kysely";

/** The person who has revoked a guest link: everyone who may share its document may do so. */
export async function linkRevokers(db: Kysely<unknown>): Promise<void> {
  await sql`alter table guest_links
    add column revoked_by bigint references users (id) on delete set null`.execute(db);
}
