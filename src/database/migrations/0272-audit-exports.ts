import { type Kysely, sql } from "kysely";
import type { Dialect } from "../dialect.ts";

/** Exports of the audit log: by which user, and of which part. */
export async function auditExports(
  db: Kysely<unknown>,
  { text, identity }: Pick<Dialect, "text" | "identity">,
): Promise<void> {
  await sql`create table audit_exports (
    id ${identity},
    at ${text} not null,
    user_id bigint references users (id),
    since ${text},
    until ${text},
    person bigint,
    format ${text} not null
  )`.execute(db);
}
