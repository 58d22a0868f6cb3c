import type { Database } from "../../../database/database.ts";
import { purgeStep } from "../../../search/text-index.ts";

/**
 * Rewrites the index of words without what was taken out of it, and leaves nothing of it beside the database. In small
 * steps, so that other writers wait for one of them and not for all.
 */
export async function purgeIndex(database: Database, signal: AbortSignal): Promise<void> {
  let isLeft = await database.write((writer) => purgeStep(writer, "first"));
  while (isLeft) {
    signal.throwIfAborted();
    isLeft = await database.write((writer) => purgeStep(writer, "next"));
  }
  await database.clearLog(signal);
}
