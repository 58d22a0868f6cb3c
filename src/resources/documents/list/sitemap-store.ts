import { sql } from "kysely";
import type { Database } from "../../../database/database.ts";
import { parameter } from "../../../database/prepared-queries.ts";
import { visibleToAll } from "../access.ts";

/** What a sitemap says of a document. Whole rows may have hundreds of kilobytes each. */
export interface SitemapRow {
  id: number;
  slug: string;
  updated_at: string;
  noindex: boolean | number;
  admin_noindex: boolean | number;
}

/** The documents after an id that everyone may see, in ascending order of ids. */
export async function listForSitemap(
  { dialect, prepared }: Database,
  afterId: number,
  limit: number,
): Promise<SitemapRow[]> {
  const id = dialect.listedId;
  return prepared.rows<SitemapRow>(
    "documents of a sitemap",
    () => sql`select documents.id, slug, updated_at, noindex, admin_noindex from documents
        where ${visibleToAll(dialect, "documents")} and ${id} > ${parameter("afterId")}
        order by ${id} limit ${parameter("limit")}`,
    { afterId, limit },
  );
}
