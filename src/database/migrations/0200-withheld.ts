import { type Kysely, sql } from "kysely";
import type { Dialect } from "../dialect.ts";

/**
 * The boxes that redactions have blackened, each with its reason, and the reasons that administrators have added. The
 * plan of a redaction, so far a list of boxes, becomes an object that says what is drawn besides them.
 */
export async function withheld(db: Kysely<unknown>, { identity, text }: Dialect): Promise<void> {
  await sql`create table redaction_reasons (
    code ${text} primary key,
    label ${text} not null,
    position bigint not null
  )`.execute(db);
  await sql`create table redacted_boxes (
    id ${identity},
    document_id bigint not null references documents (id) on delete cascade,
    page bigint not null,
    x1 double precision not null,
    x2 double precision not null,
    y1 double precision not null,
    y2 double precision not null,
    code ${text},
    label ${text},
    redacted_at ${text} not null
  )`.execute(db);
  await sql`create index redacted_boxes_by_document on redacted_boxes (document_id, page)`.execute(db);
  await sql`update document_rewrites set plan = '{"boxes":' || plan || '}' where kind = 'redact'`.execute(db);
}
