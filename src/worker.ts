import type { Context } from "./context.ts";
import { JobRunner } from "./jobs/runner.ts";
import { UnreadableFileError } from "./processing/unreadable-file.ts";
import { processDocument, processingFailed } from "./resources/documents/process-document.ts";
import { indexDocuments, indexJob } from "./resources/documents/index-store.ts";
import { processJob } from "./resources/documents/processing-store.ts";

/** Does what is queued: the table of jobs. Nothing is done before it is started. */
export function buildWorker(context: Context): JobRunner {
  const { config, database, log } = context;
  const runner = new JobRunner({
    database,
    log,
    leaseSeconds: config.jobLeaseSeconds,
    graceSeconds: 3,
    concurrency: Math.max(1, config.processingWorkers),
    kinds: {
      [indexJob]: {
        run: (job, signal) => indexDocuments(database, job, signal),
        failed: (job) => database.write((writer) => job.complete(writer)),
        attemptsAtMost: 4,
      },
      [processJob]: {
        run: (job, signal) => processDocument(context, job, signal),
        failed: (job, reason) => processingFailed(context, job, reason),
        attemptsAtMost: 4,
        isFinal: (error) => error instanceof UnreadableFileError,
      },
    },
  });
  context.jobs.heard(() => runner.notify());
  return runner;
}
