import { sql } from "kysely";
import type { Database } from "../../../database/database.ts";
import type { Viewer } from "../../../http/request/viewer.ts";
import type { VocabularyPattern } from "../../../search/query-tree.ts";
import { shownVocabulary } from "../../../search/text-index.ts";
import { isListed, isShownTo } from "./condition-store.ts";

/** Words in more blocks of documents than this are equally common. */
const maxBlocks = 100;

/**
 * The words that match a pattern and that a document which the viewer finds has in its title, source, description or
 * pages: those in most documents first, and then in ascending order. Hidden documents and notes have no influence.
 */
export async function findShownWords(
  database: Database,
  viewer: Viewer,
  pattern: VocabularyPattern,
  { limit, timeLimitSeconds }: { limit: number; timeLimitSeconds: number },
): Promise<string[]> {
  const { dialect } = database;
  const isShown = sql`(${isListed(viewer)} or ${isShownTo(dialect, viewer)})`;
  const words = shownVocabulary(dialect, pattern, isShown, maxBlocks);
  const rows = await database.queryWithTimeout(
    sql<{
      word: string;
    }>`select word from (${words}) as words order by blocks desc, word limit ${sql.lit(limit)}`,
    timeLimitSeconds,
  );
  return rows.map(({ word }) => word);
}
