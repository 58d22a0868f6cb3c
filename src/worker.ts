import type { Context } from "./context.ts";
import { isOutOfRoom } from "./errors.ts";
import { FilesUnavailableError } from "./files/files-unavailable.ts";
import { JobRunner, type JobRunnerSettings } from "./jobs/runner.ts";
import { RemoteError } from "./remote/remote-error.ts";
import { PageError } from "./processing/pdf-pages.ts";
import { UnreadableFileError } from "./processing/unreadable-file.ts";
import { discardJob, discardUnfilled } from "./resources/documents/document-of-file.ts";
import { fetchDocument, fetchingFailed } from "./resources/documents/fetch-document.ts";
import { processDocument, processingFailed } from "./resources/documents/process-document.ts";
import { modifyDocument, modifyingFailed } from "./resources/documents/modify-document.ts";
import { purgeIndex, purgeJob } from "./resources/documents/purge-index.ts";
import { redactDocument, redactingFailed } from "./resources/documents/redact-document.ts";
import { RedactionFailedError } from "./resources/documents/redaction-check.ts";
import { modifyJob, redactJob } from "./resources/documents/rewrite-store.ts";
import { indexDocuments, indexJob } from "./resources/documents/index-store.ts";
import { processJob } from "./resources/documents/processing-store.ts";
import { fetchJob } from "./resources/documents/remote-file-store.ts";

/** The jobs that somebody waits for: when none is left, every document is as it was asked to be. */
export const awaitedJobs: readonly string[] = [
  fetchJob,
  processJob,
  redactJob,
  modifyJob,
  indexJob,
  purgeJob,
];

/** Does what is queued: the table of jobs. Nothing is done before it is started. */
export function buildWorker(
  context: Context,
  settings: Pick<JobRunnerSettings, "backoffSeconds"> = {},
): JobRunner {
  const { config, database, log } = context;
  const runner = new JobRunner({
    database,
    log,
    leaseSeconds: config.jobLeaseSeconds,
    graceSeconds: 3,
    concurrency: Math.max(1, config.processingWorkers),
    ...settings,
    kinds: {
      [indexJob]: {
        run: (job, signal) => indexDocuments(database, job, signal),
        failed: (job) => database.write((writer) => job.complete(writer)),
        attemptsAtMost: 4,
      },
      [purgeJob]: {
        run: (job, signal) => purgeIndex(database, job, signal),
        failed: (job) => database.write((writer) => job.complete(writer)),
        attemptsAtMost: 10,
      },
      [discardJob]: {
        run: (job) => discardUnfilled(context, job.subject),
        isPassing: isUnavailable,
        failed: (job) => database.write((writer) => job.complete(writer)),
        attemptsAtMost: 4,
      },
      [fetchJob]: {
        run: (job, signal) => fetchDocument(context, job, signal),
        failed: (job, reason) => fetchingFailed(context, job, reason),
        attemptsAtMost: 5,
        isFinal: (error) => error instanceof RemoteError && error.isFinal,
        isPassing: isUnavailable,
        // A slow server somewhere keeps nobody from having a file read.
        ownSlots: 4,
      },
      [redactJob]: {
        run: (job, signal) => redactDocument(context, job, signal),
        failed: (job, reason) => redactingFailed(context, job, reason),
        attemptsAtMost: 4,
        isFinal: (error) =>
          error instanceof UnreadableFileError ||
          error instanceof PageError ||
          error instanceof RedactionFailedError,
        isPassing: isUnavailable,
      },
      [modifyJob]: {
        run: (job, signal) => modifyDocument(context, job, signal),
        failed: (job, reason) => modifyingFailed(context, job, reason),
        attemptsAtMost: 4,
        isFinal: (error) => error instanceof UnreadableFileError,
        isPassing: isUnavailable,
      },
      [processJob]: {
        run: (job, signal) => processDocument(context, job, signal),
        failed: (job, reason) => processingFailed(context, job, reason),
        attemptsAtMost: 4,
        isFinal: (error) => error instanceof UnreadableFileError,
        isPassing: isUnavailable,
      },
    },
  });
  context.jobs.heard(() => runner.notify());
  return runner;
}

/** Nothing is wrong with a document whose file cannot be reached, or that there is no room for now. */
function isUnavailable(error: unknown): boolean {
  return error instanceof FilesUnavailableError || isOutOfRoom(error);
}
