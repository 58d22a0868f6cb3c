import { sql } from "kysely";
import type { Database } from "../../../database/database.ts";
import type { Viewer } from "../../../http/request/viewer.ts";
import { firstNotePart } from "../../../search/parts.ts";
import { countsOf } from "../../../search/text-index.ts";
import { isListed, isShownTo } from "./condition-store.ts";

/** Words that more documents have count as equally common. */
export const maxDocuments = 200;

/**
 * The number of documents that the viewer finds, besides one, with each of these words in their titles, sources,
 * descriptions or pages, counted up to {@link maxDocuments}. Hidden documents and notes have no influence.
 */
export async function countDocumentsWith(
  database: Database,
  viewer: Viewer,
  words: readonly string[],
  { besides, timeLimitSeconds }: { besides: number | null; timeLimitSeconds: number },
): Promise<Map<string, number>> {
  if (words.length === 0) return new Map();
  const { dialect } = database;
  const isOther = besides === null ? sql`` : sql`and documents.id <> ${besides}`;
  const isFound = sql`(${isListed(dialect, viewer)} or ${isShownTo(dialect, viewer)}) ${isOther}`;
  const counts = words.map(
    (word, index) => sql`select ${sql.lit(index)} as word, (select count(*) from (
        select distinct counts.document_id from (${countsOf(dialect, word, [])}) as counts
        where counts.part < ${sql.lit(firstNotePart)}
          and exists (select 1 from documents where documents.id = counts.document_id and ${isFound})
        limit ${sql.lit(maxDocuments)}
      ) as found) as documents`,
  );
  const rows = await database.queryWithTimeout(
    sql<{ word: number; documents: number }>`${sql.join(counts, sql` union all `)}`,
    timeLimitSeconds,
  );
  return new Map(rows.map(({ word, documents }) => [words[word] ?? "", documents]));
}
