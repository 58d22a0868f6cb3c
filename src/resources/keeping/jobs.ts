import type { Context } from "../../context.ts";
import type { JobKind } from "../../jobs/running-job.ts";
import { emptyTrash, emptyTrashJob } from "../documents/trash/empty-trash.ts";
import { extendHolds, extendHoldsJob } from "./extend-holds.ts";

/**
 * The jobs that keep documents or remove them when their time has come. If one fails, the schedule queues it again.
 * `unrecorded` is what jobs have in common of whose failure nobody is told.
 */
export function keepingJobs(
  context: Context,
  unrecorded: Pick<JobKind, "failed" | "isPassing" | "attemptsAtMost">,
) {
  return {
    [emptyTrashJob]: {
      run: (job, signal) => emptyTrash(context, job, signal),
      ...unrecorded,
    },
    [extendHoldsJob]: {
      run: (job, signal) => extendHolds(context, job, signal),
      ...unrecorded,
    },
  } satisfies Record<string, JobKind>;
}
