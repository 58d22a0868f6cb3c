import { type RawBuilder, sql } from "kysely";
import { parameter } from "../../database/prepared-queries.ts";
import type { SignedInViewer } from "../../http/request/viewer.ts";
import { mayEdit } from "../documents/access.ts";
import { type DocumentRow, accessFacts } from "../documents/store.ts";

/**
 * An import is seen by the owner of what is imported; what is in an archive, by people who may edit the archive; and an
 * import without an owner by administrators. `document` is the archive, if the viewer may see it.
 */
export function maySeeImport(
  viewer: SignedInViewer,
  row: { document_id: number | null; user_id: number | null },
  document: DocumentRow | null,
): boolean {
  if (row.document_id !== null) return document !== null && mayEdit(viewer, accessFacts(document));
  return row.user_id === null ? viewer.isAdministrator : row.user_id === viewer.id;
}

/** The rule for the list: a person's own, of archives too. The query parameter is `viewer`. */
export function isListedFor({ isAdministrator }: SignedInViewer): RawBuilder<boolean> {
  const isOwnArchive = sql`exists (select 1 from documents where documents.id = imports.document_id
    and documents.user_id = ${parameter("viewer")} and documents.status <> 'deleted'
    and documents.access <> 'invisible')`;
  const isOfNobody = sql`(imports.user_id is null and imports.document_id is null)`;
  return sql<boolean>`(imports.user_id = ${parameter("viewer")} or ${isOwnArchive} or ${
    isAdministrator ? isOfNobody : sql`1 = 0`
  })`;
}
