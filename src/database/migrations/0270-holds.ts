import { type Kysely, sql } from "kysely";
import type { Dialect } from "../dialect.ts";

/**
 * Legal holds. One that is in force protects what it covers: some documents, those of a project, or what a query finds.
 * `held_documents` has the documents that were found, and keeps them until the hold is released. Its reference is
 * without a cascade: no program removes the row of a held document.
 */
export async function holds(
  db: Kysely<unknown>,
  { text, identity }: Pick<Dialect, "text" | "identity">,
): Promise<void> {
  await sql`create table holds (
    id ${identity},
    name ${text} not null,
    reason ${text} not null,
    organization_id bigint references organizations (id),
    project_id bigint references projects (id) on delete set null,
    query ${text},
    user_id bigint not null references users (id),
    created_at ${text} not null,
    released_at ${text},
    released_by bigint references users (id)
  )`.execute(db);
  await sql`create index holds_in_force on holds (id) where released_at is null`.execute(db);
  await sql`create index holds_by_project on holds (project_id, id)`.execute(db);
  await sql`create table held_documents (
    document_id bigint not null references documents (id),
    hold_id bigint not null references holds (id),
    primary key (document_id, hold_id)
  )`.execute(db);
  await sql`create index held_documents_by_hold on held_documents (hold_id, document_id)`.execute(db);
}
