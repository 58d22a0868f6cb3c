import type { Database, Writer } from "../../../database/database.ts";
import { dialectOf } from "../../../database/dialect.ts";
import { enqueue } from "../../../jobs/queue.ts";
import type { Job } from "../../../jobs/running-job.ts";
import { purgeStep } from "../../../search/text-index.ts";

/** The job that rewrites the index of words without what was redacted. */
export const purgeJob = "purge index";

/** In the transaction of a redaction, where the engine leaves something behind. */
export async function askForPurge(writer: Writer): Promise<void> {
  if (dialectOf(writer).engine === "sqlite") await enqueue(writer, { kind: purgeJob, subject: 0 });
}

/** In small steps, so that whoever writes meanwhile waits for one of them and not for all. */
export async function purgeIndex(
  database: Database,
  job: Pick<Job, "complete">,
  signal: AbortSignal,
): Promise<void> {
  let isLeft = await database.write((writer) => purgeStep(writer, "first"));
  while (isLeft) {
    signal.throwIfAborted();
    isLeft = await database.write((writer) => purgeStep(writer, "next"));
  }
  await database.write((writer) => job.complete(writer));
}
