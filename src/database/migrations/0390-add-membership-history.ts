import { type Kysely, sql } from "kysely";
import type { Dialect } from "../dialect.ts";
import { fixHistory } from "./fixed-history.ts";

/**
 * Who became, and ceased to be, a member of an organization or a collaborator of a project. The database refuses to
 * change it, as it does the history of documents; it outlives people, organizations and projects. The other indexes
 * are the order of the audit log.
 */
export async function membershipHistory(
  db: Kysely<unknown>,
  { text, identity }: Pick<Dialect, "text" | "identity">,
  engine: "sqlite" | "postgres",
): Promise<void> {
  await sql`create table membership_history (
    id ${identity},
    at ${text} not null,
    organization_id bigint,
    project_id bigint,
    user_id bigint not null,
    by_id bigint,
    means ${text} not null,
    provider_id bigint,
    action ${text} not null,
    role_before ${text},
    role_after ${text}
  )`.execute(db);
  await fixHistory(db, engine, "membership_history");
  await sql`alter table audit_exports add column source ${text}`.execute(db);
  await sql`create index membership_history_by_at on membership_history (at, id)`.execute(db);
  await sql`create index document_history_by_at on document_history (at, id)`.execute(db);
  await sql`create index document_history_by_user on document_history (user_id, at, id)`.execute(db);
  await sql`create index sign_in_events_by_beginning on sign_in_events (began_at, id)`.execute(db);
}
