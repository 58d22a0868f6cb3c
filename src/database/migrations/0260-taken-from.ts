import { type Kysely, sql } from "kysely";
import type { Dialect } from "../dialect.ts";

/**
 * The type of the file that a part was taken out of. A container that was redacted has become a PDF: if it was another
 * type before, its file no longer has the part. Until now nothing was taken out of a PDF.
 */
export async function takenFrom(db: Kysely<unknown>, { text }: Pick<Dialect, "text">): Promise<void> {
  await sql`alter table document_children add column taken_from ${text} not null default ''`.execute(db);
  await sql`update document_children set taken_from = (
      select original_extension from documents where documents.id = document_children.parent_id)
    where parent_id in (select id from documents where original_extension <> 'pdf')`.execute(db);
}
