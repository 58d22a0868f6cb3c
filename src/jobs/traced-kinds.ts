import { inTrace } from "../trace.ts";
import type { JobKind } from "./running-job.ts";

/** The option in which a job keeps the trace of the request that has queued it. */
export const traceOption = "traceparent";

/** The same kinds of jobs; each job runs as a part of the trace in which it was queued. */
export function tracedKinds(kinds: Readonly<Record<string, JobKind>>): Readonly<Record<string, JobKind>> {
  const traced = Object.entries(kinds).map(([name, kind]): [string, JobKind] => [
    name,
    { ...kind, run: (job, signal) => inTrace(job.options[traceOption], () => kind.run(job, signal)) },
  ]);
  return Object.fromEntries(traced);
}
