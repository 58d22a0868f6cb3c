import type { Context } from "../../context.ts";
import type { Database } from "../../database/database.ts";
import { actionRefused, notFound } from "../../errors.ts";
import type { SignedInViewer } from "../../http/request/viewer.ts";
import { isKnownKind } from "../../jobs/kinds.ts";
import { cancelJob } from "../../jobs/queue.ts";
import { restartFailed, cancelWork } from "../documents/processing/start-processing.ts";
import {
  fetchReplacementJob,
  modifyJob,
  redactJob,
  replaceJob,
} from "../documents/processing/rewrite-store.ts";
import { processJob } from "../documents/file-facts-store.ts";
import { fetchJob } from "../documents/files/remote-file-store.ts";
import { lockDocumentRows } from "../documents/store.ts";
import { examineJob } from "./examine.ts";
import { endExamination } from "./examination-store.ts";
import { measureJob } from "./measure-storage.ts";
import {
  type FailedDocument,
  type KindCount,
  countFailed,
  countQueue,
  findJob,
  listFailed,
  meanMilliseconds,
  runJobNow,
} from "./queue-store.ts";

/** The jobs that work on the file of a document: their subject is its id. */
export const documentJobs: ReadonlySet<string> = new Set([
  fetchJob,
  processJob,
  redactJob,
  modifyJob,
  fetchReplacementJob,
  replaceJob,
]);

/**
 * Whether administrators may cancel jobs of this kind. Jobs that keep the database whole cannot be cancelled, and those
 * that this version does not run can.
 */
export const isCancellable = (kind: string): boolean =>
  documentJobs.has(kind) || kind === examineJob || kind === measureJob || !isKnownKind(kind);

/** How many failed documents are shown and restarted at once. */
const maxFailed = 1000;

/** Failed documents with the same reason. */
export interface Failure {
  reason: string;
  documents: { id: number; owner: string | null; at: string | null }[];
}

export interface QueueFacts {
  kinds: KindCount[];
  /** An estimate for the documents that wait, from the documents processed most recently; null if there were none. */
  secondsLeft: number | null;
  failed: number;
}

export async function queueFacts({
  config,
  database,
}: Pick<Context, "config" | "database">): Promise<QueueFacts> {
  const [kinds, mean, failed] = await Promise.all([
    countQueue(database),
    meanMilliseconds(database),
    countFailed(database),
  ]);
  const ofDocuments = kinds.filter(({ kind }) => documentJobs.has(kind));
  const sum = (name: "running" | "waiting" | "retrying"): number =>
    ofDocuments.reduce((total, kind) => total + kind[name], 0);
  const left = sum("waiting") + sum("retrying") + sum("running");
  const atOnce = Math.max(1, config.processingWorkers, sum("running"));
  return {
    kinds,
    failed,
    secondsLeft: left === 0 ? 0 : mean === null ? null : Math.ceil((left * mean) / 1000 / atOnce),
  };
}

/** The newest failed documents by reason, the most frequent reason first. */
export async function findFailures(database: Database): Promise<Failure[]> {
  const failures = new Map<string, Failure>();
  for (const document of await listFailed(database, maxFailed)) {
    const reason = reasonOf(document);
    const failure = failures.get(reason) ?? { reason, documents: [] };
    failure.documents.push({ id: document.id, owner: document.owner, at: document.at });
    failures.set(reason, failure);
  }
  return [...failures.values()].toSorted((one, other) => other.documents.length - one.documents.length);
}

function reasonOf({ details }: FailedDocument): string {
  const { message } = JSON.parse(details ?? "{}") as { message?: unknown };
  return typeof message === "string" && message !== "" ? message : "No reason was recorded";
}

/** Processes the documents again that failed for a reason, or some of all failed ones. Returns how many. */
export async function retryFailed(
  context: Context,
  viewer: SignedInViewer,
  { reason, documents }: { reason?: string | undefined; documents?: readonly number[] | undefined },
): Promise<number> {
  const failures = await findFailures(context.database);
  const ids = failures
    .filter((failure) => reason === undefined || failure.reason === reason)
    .flatMap((failure) => failure.documents.map(({ id }) => id))
    .filter((id) => documents === undefined || documents.includes(id));
  let restarted = 0;
  for (let from = 0; from < ids.length; from += 50) {
    restarted += await restartFailed(context, viewer, ids.slice(from, from + 50));
  }
  return restarted;
}

/** Runs a waiting job now. @throws {ApiError} 404, or 400 if the job is running. */
export async function runNow({ database, jobs }: Context, id: number): Promise<void> {
  await database.write(async (writer) => {
    if ((await findJob(writer, id)) === null) throw notFound();
    if (!(await runJobNow(writer, id))) throw actionRefused("The job is running");
  });
  jobs.notify();
}

/** Cancels a job. @throws {ApiError} 404, or 400 if it cannot be cancelled. */
export async function cancelQueued(context: Context, viewer: SignedInViewer, id: number): Promise<void> {
  const { database, jobs } = context;
  const job = await findJob(database.reader, id);
  if (job === null) throw notFound();
  const { kind, subject } = job;
  if (!isCancellable(kind)) throw actionRefused("Jobs of this kind cannot be cancelled");
  await database.write(async (writer) => {
    if (!documentJobs.has(kind)) {
      await cancelJob(writer, { kind, subject });
      if (kind === examineJob) await endExamination(writer, subject, "It was cancelled");
      return;
    }
    const [row] = await lockDocumentRows(writer, database.dialect, viewer, [subject]);
    if (row === undefined || (await findJob(writer, id)) === null) throw notFound();
    await cancelWork(context, writer, row, viewer);
  });
  // Workers check for cancelled jobs when they are signalled.
  jobs.notify();
}
