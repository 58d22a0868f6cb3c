import { type Kysely, sql } from "kysely";
import type { Dialect } from "../dialect.ts";

/** A pending rewrite may also be the replacement of a document's file: see 0010-redactions.ts. */
export async function replacedFiles(
  db: Kysely<unknown>,
  { text }: Dialect,
  engine: "sqlite" | "postgres",
): Promise<void> {
  const kinds = sql`check (kind in ('redact', 'modify', 'replace'))`;
  if (engine === "postgres") {
    await sql`alter table document_rewrites drop constraint document_rewrites_kind_check`.execute(db);
    await sql`alter table document_rewrites add constraint document_rewrites_kind_check ${kinds}`.execute(db);
    return;
  }
  // SQLite cannot change a table's constraint, so the rows move to a new table.
  const columns = sql`document_id, kind, user_id, plan, result_hash`;
  await sql`alter table document_rewrites rename to document_rewrites_before`.execute(db);
  await sql`create table document_rewrites (
    document_id bigint primary key references documents (id) on delete cascade,
    kind ${text} not null ${kinds},
    user_id bigint not null,
    plan ${text} not null,
    result_hash ${text}
  )`.execute(db);
  await sql`insert into document_rewrites (${columns}) select ${columns} from document_rewrites_before`.execute(
    db,
  );
  await sql`drop table document_rewrites_before`.execute(db);
}
