import { type Kysely, sql } from "kysely";

/**
 * The sums of a family are read from an index alone, and what is attached to PDFs is found without reading all that is in
 * an archive.
 */
export async function familySums(db: Kysely<unknown>): Promise<void> {
  await sql`drop index document_children_by_root`.execute(db);
  await sql`create index document_children_by_root on document_children (root_id, bytes)`.execute(db);
  await sql`create index document_children_attached on document_children (parent_id) where taken_from = 'pdf'`.execute(
    db,
  );
}
