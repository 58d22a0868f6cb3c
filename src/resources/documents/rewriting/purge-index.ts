import type { Database } from "../../../database/database.ts";
import { purgeStep } from "../../../search/text-index.ts";

/**
 * The job with which earlier versions rewrote the index after a redaction, and which may still wait after an upgrade. A
 * redaction now does that itself before it ends.
 */
export const purgeJob = "purge index";

/**
 * Rewrites the search index without its deleted entries, and clears the database's log of them. It works in small
 * steps, so that other writers wait for one step and not for all.
 */
export async function purgeIndex(database: Database, signal: AbortSignal): Promise<void> {
  let isLeft = await database.write((writer) => purgeStep(writer, "first"));
  while (isLeft) {
    signal.throwIfAborted();
    isLeft = await database.write((writer) => purgeStep(writer, "next"));
  }
  await database.clearLog(signal);
}
