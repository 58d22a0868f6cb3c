import { type Kysely, sql } from "kysely";
import { type LargeIndex, addLargeIndex } from "./large-index.ts";

/**
 * What filters of searches compare, and what decides who finds a document. So this index alone counts the documents
 * that a filter leaves. Every rule of access begins with the access and the status: documents that are not public are
 * not read for anonymous viewers. The id comes before what only access needs, so that documents which are looked up
 * for other conditions are read in their order in the table. Every document has an id above 0. SQLite's planner would
 * choose this index for conditions on the access and another column, and read all public documents in it. So it is only
 * for statements that have this condition too.
 */
export const filteredDocuments: LargeIndex = {
  name: "documents_filtered",
  table: "documents",
  entries: sql`(access, status, language, original_extension, noindex, admin_noindex, id, organization_id, user_id)
    where id > 0`,
};

export async function addFilteredDocuments(
  db: Kysely<unknown>,
  engine: "sqlite" | "postgres",
): Promise<void> {
  await addLargeIndex(db, engine, filteredDocuments);
}
