import type { Context } from "../../context.ts";
import type { JobKind } from "../../jobs/running-job.ts";
import { emptyTrash, emptyTrashJob } from "../documents/trash/empty-trash.ts";
import { disposeJob, disposeOfApproved } from "./dispose.ts";
import { extendHolds, extendHoldsJob } from "./extend-holds.ts";
import { proposeDispositions, proposeJob } from "./propose.ts";

/**
 * The jobs that keep documents or remove them when their time has come. If one fails, the schedule queues it again, but
 * for the deletion of what was approved, which the next approval queues.
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
    [proposeJob]: {
      run: (job, signal) => proposeDispositions(context, job, signal),
      ...unrecorded,
    },
    [disposeJob]: {
      run: (job, signal) => disposeOfApproved(context, job, signal),
      ...unrecorded,
    },
    [extendHoldsJob]: {
      run: (job, signal) => extendHolds(context, job, signal),
      ...unrecorded,
    },
  } satisfies Record<string, JobKind>;
}
