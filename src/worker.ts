import type { Context } from "./context.ts";
import { DatabaseInUseError, type Writer } from "./database/database.ts";
import { isDatabaseFull } from "./database/dialects.ts";
import { isOutOfRoom } from "./errors.ts";
import { FilesUnavailableError } from "./files/files-unavailable.ts";
import { documentFolder } from "./files/keys.ts";
import type { KnownJobKind } from "./jobs/kinds.ts";
import type { Job, JobKind } from "./jobs/running-job.ts";
import { tracedKinds } from "./jobs/traced-kinds.ts";
import { JobRunner, type JobRunnerSettings } from "./jobs/runner.ts";
import { measuredKinds } from "./metrics/measured.ts";
import { RemoteError } from "./remote/remote-error.ts";
import { PageError } from "./processing/pdf/pdf-pages.ts";
import { UnreadableFileError } from "./processing/unreadable-file.ts";
import { toldNow } from "./resources/account/find-told.ts";
import { examine, examineJob, examiningFailed } from "./resources/administration/examine.ts";
import { measureJob, measureStorage } from "./resources/administration/measure-storage.ts";
import { keepingJobs } from "./resources/keeping/jobs.ts";
import { mailJob } from "./resources/mails/mail-store.ts";
import {
  type MailContents,
  UnsendableMailError,
  sendMail,
  sendingFailed,
} from "./resources/mails/send-mail.ts";
import { isThere } from "./resources/documents/record/change-store.ts";
import { discardJob, discardUnfilled } from "./resources/documents/uploads/document-of-file.ts";
import { fetchDocument, fetchingFailed } from "./resources/documents/uploads/fetch-document.ts";
import { fetchReplacement } from "./resources/documents/uploads/fetch-replacement.ts";
import {
  processDocument,
  processingFailed,
  stepOf,
} from "./resources/documents/processing/process-document.ts";
import { modifyDocument, modifyingFailed } from "./resources/documents/rewriting/modify-document.ts";
import { purgeIndex, purgeJob } from "./resources/documents/rewriting/purge-index.ts";
import { redactDocument } from "./resources/documents/rewriting/redact-document.ts";
import { redactingFailed } from "./resources/documents/rewriting/redacting-failed.ts";
import { replaceFileOfDocument, replacingFailed } from "./resources/documents/rewriting/replace-file.ts";
import { removeFiles, removeFilesJob } from "./resources/documents/record/remove-files.ts";
import { RedactionFailedError } from "./resources/documents/rewriting/redaction-check.ts";
import {
  fetchReplacementJob,
  modifyJob,
  redactJob,
  replaceJob,
} from "./resources/documents/processing/rewrite-store.ts";
import { processAgainJob, queueAgain } from "./resources/imports/process-again.ts";
import { productionJobs } from "./resources/productions/jobs.ts";
import { findAlert } from "./resources/searches/alert-mails.ts";
import { followAllCommits, followingJobs } from "./serving/followers.ts";
import { indexJob } from "./resources/documents/indexed-fields.ts";
import { countJob, countWords, indexDocuments } from "./resources/documents/search/index-store.ts";
import { findFileFacts, processJob } from "./resources/documents/file-facts-store.ts";
import { keepRecordsStored, storeRecords, storeRecordsJob } from "./resources/documents/record-store.ts";
import { addReceiptOnce } from "./resources/documents/receipt-store.ts";
import { findMissingMentions, mentionJob } from "./resources/documents/pages/mention-store.ts";
import { fingerprintJob, makeFingerprints } from "./resources/documents/pages/fingerprint-store.ts";
import { languageJob, recogniseLanguages } from "./resources/documents/pages/language-store.ts";
import { embeddingJobs } from "./resources/documents/embeddings/embed-documents.ts";
import { fetchJob } from "./resources/documents/files/remote-file-store.ts";

/** The kinds of jobs that users wait for. When no such job is left, all requested changes of documents are complete. */
export const awaitedJobs: readonly string[] = [
  fetchJob,
  processJob,
  redactJob,
  modifyJob,
  fetchReplacementJob,
  replaceJob,
  indexJob,
];

/** Builds the runner of queued jobs, with a handler for each kind of job. It runs nothing until it is started. */
export function buildWorker(
  context: Context,
  settings: Pick<JobRunnerSettings, "backoffSeconds" | "lookEverySeconds"> = {},
): JobRunner {
  const { config, database, log } = context;
  keepRecordsStored(database);
  followAllCommits(context);
  const runner = new JobRunner({
    database,
    log,
    leaseSeconds: config.jobLeaseSeconds,
    graceSeconds: 3,
    concurrency: Math.max(1, config.processingWorkers),
    turnMilliseconds,
    lookEverySeconds: () => (database.hints?.areHeard === true ? hintedSeconds : 1),
    ...settings,
    kinds: allKinds(context, {
      [indexJob]: {
        run: (job, signal) => indexDocuments(database, job, signal),
        failed: (job) => database.write((writer) => job.complete(writer)),
        attemptsAtMost: 4,
      },
      [storeRecordsJob]: {
        run: (_job, signal) => storeRecords(database, signal),
        failed: (job) => database.write((writer) => job.complete(writer)),
        attemptsAtMost: 4,
      },
      ...improvements(context),
      [mailJob]: {
        run: (job) => sendMail(context, job, mailContents(context)),
        failed: (job, reason) => sendingFailed(context, job, reason),
        isFinal: (error) => error instanceof UnsendableMailError,
        attemptsAtMost: 6,
        // Separate slots, so that a slow mail server does not delay the processing of documents.
        ownSlots: 2,
      },
      ...followingJobs(context, (attempts) => unrecorded(database, attempts)),
      [examineJob]: {
        run: (job, signal) => examine(context, job, signal),
        failed: (job, reason) => examiningFailed(context, job, reason),
        isPassing: isUnavailable,
        attemptsAtMost: 3,
        // A separate slot: with many documents it takes hours.
        ownSlots: 1,
      },
      [measureJob]: {
        run: (job, signal) => measureStorage(context, job, signal),
        ...unrecorded(database, 4),
        ownSlots: 1,
      },
      [purgeJob]: { run: (_job, signal) => purgeIndex(database, signal), ...unrecorded(database, 10) },
      [discardJob]: silent(database, (job) => discardUnfilled(context, job.subject)),
      [processAgainJob]: silent(database, (job, signal) => queueAgain(context, job, signal)),
      [removeFilesJob]: {
        run: (job) => removeFiles(context, job.subject),
        isPassing: isUnavailable,
        // The record that the files are to be removed stays, for `quire doctor` and the next hour.
        failed: (job) => database.write((writer) => job.complete(writer)),
        attemptsAtMost: 10,
        // A separate slot, so that a store that does not answer does not delay the processing of documents.
        ownSlots: 1,
      },
      ...keepingJobs(context, unrecorded(database, 4)),
      ...productionJobs(context, isUnavailable),
      [fetchJob]: {
        run: (job, signal) => unlessDeleted(context, job, fetchDocument(context, job, signal)),
        failed: (job, reason) => fetchingFailed(context, job, reason),
        ...fetching,
      },
      [redactJob]: {
        run: (job, signal) => unlessDeleted(context, job, redactDocument(context, job, signal)),
        failed: (job, reason) => redactingFailed(context, job, reason),
        postponed: saying("redacted"),
        attemptsAtMost: 4,
        isFinal: (error) =>
          error instanceof UnreadableFileError ||
          error instanceof PageError ||
          error instanceof RedactionFailedError,
        isPassing: isUnavailable,
      },
      [modifyJob]: {
        run: (job, signal) => unlessDeleted(context, job, modifyDocument(context, job, signal)),
        failed: (job, reason) => modifyingFailed(context, job, reason),
        postponed: saying("modified"),
        ...reading,
      },
      [fetchReplacementJob]: {
        run: (job, signal) => unlessDeleted(context, job, fetchReplacement(context, job, signal)),
        failed: (job, reason) => replacingFailed(context, job, reason),
        ...fetching,
      },
      [replaceJob]: {
        run: (job, signal) => unlessDeleted(context, job, replaceFileOfDocument(context, job, signal)),
        failed: (job, reason) => replacingFailed(context, job, reason),
        postponed: saying("replaced"),
        ...reading,
      },
      [processJob]: {
        run: (job, signal) => unlessDeleted(context, job, processDocument(context, job, signal)),
        failed: (job, reason) => processingFailed(context, job, reason),
        postponed: saying(),
        ...reading,
      },
    }),
  });
  context.jobs.onNotify(() => runner.notify());
  database.hints?.onHint("jobs", () => runner.notify());
  return runner;
}

const mailContents = (context: Context): MailContents => ({
  alert: (mail) => findAlert(context, mail),
  ...toldNow(context),
});

/** The same kinds of jobs, with what all of them have in common. */
function allKinds(
  { metrics }: Pick<Context, "metrics">,
  kinds: Readonly<Record<KnownJobKind, JobKind>>,
): Readonly<Record<string, JobKind>> {
  return tracedKinds(measuredKinds(metrics, kinds));
}

/** How often the runner polls although it is told of jobs: a hint may be lost. */
const hintedSeconds = 10;

/** Files of one user share the process that converts them. To start one costs as much as ten small files. */
const turnMilliseconds = { [processJob]: 1000 };

/** Searches are correct without these jobs, only slower, or find fewer forms of words, or no similar documents. */
const improvements = ({ config, database }: Context) => ({
  [countJob]: improving(database, countWords),
  [languageJob]: improving(database, recogniseLanguages),
  [fingerprintJob]: improving(database, makeFingerprints),
  [mentionJob]: improving(database, findMissingMentions),
  ...embeddingJobs({ config, database }, unrecorded(database, 4)),
});
const silent = (database: Context["database"], run: JobKind["run"]): JobKind => ({
  run,
  ...unrecorded(database, 4),
});

/** A job that waits while the store or the disk is away, and of whose failure nobody is told. */
function unrecorded(
  database: Context["database"],
  attemptsAtMost: number,
): Pick<JobKind, "failed" | "isPassing" | "attemptsAtMost"> {
  return {
    failed: (job) => database.write((writer) => job.complete(writer)),
    isPassing: isUnavailable,
    attemptsAtMost,
  };
}

/** A job that goes through all documents, without which everything works. */
function improving(
  database: Context["database"],
  work: (database: Context["database"], job: Job, signal: AbortSignal) => Promise<void>,
): JobKind {
  return {
    run: (job, signal) => work(database, job, signal),
    failed: (job) => database.write((writer) => job.complete(writer)),
    isPassing: () => true,
    attemptsAtMost: 4,
  };
}

/** What jobs have in common that read a file. */
const reading: Pick<JobKind, "attemptsAtMost" | "isFinal" | "isPassing"> = {
  attemptsAtMost: 4,
  isFinal: (error) => error instanceof UnreadableFileError,
  isPassing: isUnavailable,
};

/** What jobs have in common that fetch a file from an address. */
const fetching: Pick<JobKind, "postponed" | "attemptsAtMost" | "isFinal" | "isPassing" | "ownSlots"> = {
  postponed: saying("fetched"),
  attemptsAtMost: 5,
  isFinal: (error) => error instanceof RemoteError && error.isFinal,
  isPassing: isUnavailable,
  // Separate slots, so that slow remote servers do not delay the processing of documents.
  ownSlots: 4,
};

/** Deletes the files that a job writes for a document that was deleted in the meantime. */
async function unlessDeleted(context: Context, { subject }: Job, work: Promise<void>): Promise<void> {
  try {
    await work;
  } finally {
    if (!(await isThere(context.database, subject)))
      await context.files.deleteFolder(documentFolder(subject));
  }
}

/** Adds a receipt to the document that names the postponed step and the reason, once for each reason and job. */
function saying(step?: string): (writer: Writer, job: Job, error: unknown) => Promise<void> {
  return async (writer, job, error) => {
    const { id, subject: documentId } = job;
    const document = await findFileFacts(writer, documentId);
    if (document === null) return;
    const details = { of: step ?? (await stepOf(writer, job, document)), message: messageOf(error), job: id };
    await addReceiptOnce(writer, {
      documentId,
      step: "postponed",
      outcome: "done",
      milliseconds: 0,
      details,
    });
  };
}

/** A message for users. Internal details, such as the address of the store, are only for the log. */
function messageOf(error: unknown): string {
  if (error instanceof RemoteError) return error.message;
  if (error instanceof FilesUnavailableError) return "The files cannot be reached for now";
  if (error instanceof DatabaseInUseError) return "The database is being read without a pause";
  return isOutOfRoom(error) || isDatabaseFull(error) ? "There is no room for now" : "It did not succeed";
}

/** Whether the cause is temporary and not the document: the store, the disk or readers of the database. */
function isUnavailable(error: unknown): boolean {
  const isPassing = error instanceof FilesUnavailableError || error instanceof DatabaseInUseError;
  return isPassing || isOutOfRoom(error) || isDatabaseFull(error);
}
