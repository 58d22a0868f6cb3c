import { sql } from "kysely";
import type { Database } from "../../../database/database.ts";
import type { Viewer } from "../../../http/request/viewer.ts";
import { bandsOf, similarityOf } from "../pages/fingerprints.ts";
import { isListed, isShownTo } from "../search/condition-store.ts";

/** Of the documents that have a band, the newest are compared. */
const maxOfBand = 200;
const timeLimitSeconds = 10;
/** Texts that have less in common are not called similar. */
const minSimilarity = 0.5;

/**
 * The documents whose texts are nearly that of another one, among those that the viewer finds, the most similar first.
 * Hidden documents have no influence. Empty if the text is too short, or not read yet.
 */
export async function findSimilar(
  database: Database,
  viewer: Viewer,
  documentId: number,
  max: number,
): Promise<{ id: number; similarity: number }[]> {
  const { dialect, reader } = database;
  const own = await reader
    .selectFrom("document_fingerprints")
    .select("hashes")
    .where("document_id", "=", documentId)
    .executeTakeFirst();
  if (own === undefined || own.hashes === null) return [];
  const { hashes } = own;
  const ofBands = bandsOf(hashes).map(
    (band) => sql`select document_id from (
      select document_id from fingerprint_bands where band = ${band} and document_id <> ${documentId}
        and exists (select 1 from documents where documents.id = fingerprint_bands.document_id
          and (${isListed(dialect, viewer)} or ${isShownTo(dialect, viewer)}))
      order by document_id desc limit ${sql.lit(maxOfBand)}
    ) as newest`,
  );
  const candidates = await database.queryWithTimeout(
    sql<{ id: number; hashes: string }>`select document_fingerprints.document_id as id, hashes
      from document_fingerprints where hashes is not null
        and document_id in (${sql.join(ofBands, sql` union `)})`,
    timeLimitSeconds,
  );
  return candidates
    .map(({ id, hashes: others }) => ({ id, similarity: similarityOf(hashes, others) }))
    .filter(({ similarity }) => similarity >= minSimilarity)
    .toSorted((a, b) => b.similarity - a.similarity || a.id - b.id)
    .slice(0, max);
}
