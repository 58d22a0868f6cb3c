import { type Kysely, sql } from "kysely";

/** Which searches have found a document: asked when it changes, since they may no longer find it. */
export async function findsByDocument(db: Kysely<unknown>): Promise<void> {
  await sql`create index saved_search_finds_by_document on saved_search_finds (document_id, search_id)`.execute(
    db,
  );
}
