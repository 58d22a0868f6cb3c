import type { Context } from "../../context.ts";
import { TooSlowError } from "../../database/read-worker.ts";
import { enqueue } from "../../jobs/queue.ts";
import type { Job } from "../../jobs/running-job.ts";
import { keepCovered } from "../documents/holds/held-documents.ts";
import { findHoldsInForce } from "../documents/holds/hold-store.ts";

/** The job that keeps what holds have newly found. */
export const extendHoldsJob = "extend legal holds";

/** Keeps what the holds in force find now and did not find before: documents that have arrived or changed since. */
export async function extendHolds(
  context: Pick<Context, "database" | "log">,
  job: Job,
  signal: AbortSignal,
): Promise<void> {
  const { database, log } = context;
  for (const hold of await findHoldsInForce(database.reader)) {
    try {
      await keepCovered(context, hold, null, signal);
    } catch (error) {
      if (!(error instanceof TooSlowError)) throw error;
      log.warn(
        { hold: hold.id },
        "The search of a legal hold takes too long: it covers what it finds at each action",
      );
    }
  }
  await database.write((writer) => job.complete(writer));
}

/** Queues {@link extendHoldsJob}, if a hold is in force. */
export async function queueExtending({ database, jobs }: Pick<Context, "database" | "jobs">): Promise<void> {
  if ((await findHoldsInForce(database.reader)).length === 0) return;
  await database.write((writer) => enqueue(writer, { kind: extendHoldsJob, subject: 0 }));
  jobs.notify();
}
