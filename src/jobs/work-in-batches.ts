import type { Database } from "../database/database.ts";
import type { Job } from "./running-job.ts";

/**
 * Does the work of a job in batches, and completes the job. The work may be interrupted between two batches.
 *
 * @param doNext does the next batch, and returns false if there is nothing after it
 */
export async function workInBatches(
  database: Pick<Database, "write">,
  job: Pick<Job, "complete">,
  signal: AbortSignal,
  doNext: () => Promise<boolean>,
): Promise<void> {
  for (let isLeft = true; isLeft;) {
    signal.throwIfAborted();
    isLeft = await doNext();
  }
  await database.write((writer) => job.complete(writer));
}
