import { type Kysely, sql } from "kysely";
import type { Dialect } from "../dialect.ts";
import { type LargeIndex, addLargeIndex } from "./large-index.ts";

/**
 * The documents that anonymous searches find, with all that the order of scores needs of each of them. Without it, a
 * search for a common word reads the rows of all documents that have the word, for the times at which they were
 * created.
 */
export function rankedDocuments({ conditionOfIndex }: Pick<Dialect, "conditionOfIndex">): LargeIndex {
  const isPublic = conditionOfIndex(sql<boolean>`access = 'public' and status in ('success', 'readable')`);
  return {
    name: "documents_ranked",
    table: "documents",
    entries: sql`(id, created_at) where ${isPublic} and not (noindex = true or admin_noindex = true)`,
  };
}

export async function addRankedDocuments(
  db: Kysely<unknown>,
  dialect: Dialect,
  engine: "sqlite" | "postgres",
): Promise<void> {
  await addLargeIndex(db, engine, rankedDocuments(dialect));
}
