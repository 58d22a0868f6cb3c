import type { Context } from "../../context.ts";
import type { JobKind } from "../../jobs/running-job.ts";
import { makeJob, makeProduction, makingFailed } from "./make-production.ts";

/** The job that makes the files of a production. `isPassing` says which errors are those of the store or the disk. */
export function productionJobs(context: Context, isPassing: (error: unknown) => boolean) {
  return {
    [makeJob]: {
      run: (job, signal) => makeProduction(context, job, signal),
      failed: (job, reason) => makingFailed(context, job, reason),
      isPassing,
      attemptsAtMost: 4,
      // A separate slot: with many documents it takes hours.
      ownSlots: 1,
    },
  } satisfies Record<string, JobKind>;
}
