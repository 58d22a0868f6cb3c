import { sql } from "kysely";
import type { Database } from "../../../database/database.ts";
import type { Viewer } from "../../../http/request/viewer.ts";
import type { VocabularyPattern } from "../../../search/query-tree.ts";
import { shownVocabulary } from "../../../search/text-index.ts";
import { isListed, isShownTo } from "./condition-store.ts";

/** Words that occur in more blocks than this count as equally common. */
const maxBlocks = 100;

/**
 * The words that match a pattern and that occur in the title, source, description or pages of a document that the
 * viewer finds. The most common words come first, then ascending order decides. Hidden documents and notes have no
 * influence.
 */
export async function findShownWords(
  database: Database,
  viewer: Viewer,
  pattern: VocabularyPattern,
  { limit, timeLimitSeconds }: { limit: number; timeLimitSeconds: number },
): Promise<string[]> {
  const { dialect } = database;
  const isShown = sql`(${isListed(dialect, viewer)} or ${isShownTo(dialect, viewer)})`;
  const words = shownVocabulary(dialect, pattern, isShown, maxBlocks);
  const rows = await database.queryWithTimeout(
    sql<{
      word: string;
    }>`select word from (${words}) as words order by blocks desc, word limit ${sql.lit(limit)}`,
    timeLimitSeconds,
  );
  return rows.map(({ word }) => word);
}
