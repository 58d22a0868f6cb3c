import { timestampNow } from "../../http/text/timestamp.ts";
import { timestampAt } from "../../jobs/clock.ts";
import { isKnownKind } from "../../jobs/kinds.ts";
import type { ScheduleRunner } from "../../jobs/schedule-runner.ts";
import type { Examination, Finding } from "./examination-store.ts";
import { type Failure, type QueueFacts, documentJobs, isCancellable } from "./manage-queue.ts";
import type { ListedMail } from "./mail-list-store.ts";
import type { QueuedJob } from "./queue-store.ts";
import type { ListedSignIn } from "./sign-in-list-store.ts";

/** The document that a job works on; null for other jobs. */
export const documentOf = ({ kind, subject }: QueuedJob): number | null =>
  documentJobs.has(kind) ? subject : null;

/** @param titles the titles of the documents that the viewer may see, by id */
export const presentJob = (job: QueuedJob, titles: ReadonlyMap<number, string>, now = timestampNow()) => ({
  id: job.id,
  kind: job.kind,
  state: job.is_leased && job.due_at > now ? "running" : job.attempts > 0 ? "retrying" : "waiting",
  document: documentOf(job),
  title: titles.get(documentOf(job) ?? 0) ?? null,
  owner: job.owner,
  attempts: job.attempts,
  created_at: job.created_at,
  due_at: job.due_at,
  last_error: job.last_error,
  step: job.step,
  pages_done: job.done,
  pages: job.total,
  is_known: isKnownKind(job.kind),
  is_cancellable: isCancellable(job.kind),
});

/** What this process knows about the work that it does by itself. */
export type Schedule = Pick<ScheduleRunner, "report" | "startedAt">;

const momentAt = (milliseconds: number | null) => (milliseconds === null ? null : timestampAt(milliseconds));

export const presentQueue = ({ kinds, failed, secondsLeft }: QueueFacts, schedule: Schedule) => ({
  kinds,
  failed,
  seconds_left: secondsLeft,
  process_started_at: momentAt(schedule.startedAt),
  schedule: schedule.report().map(({ name, everySeconds, lastAt, problem }) => ({
    name,
    every_seconds: everySeconds,
    last_at: momentAt(lastAt),
    problem,
  })),
});

export const presentMail = ({
  id,
  kind,
  username,
  created_at,
  sent_at,
  problem,
  last_error,
}: ListedMail) => ({
  id,
  kind,
  username,
  state: sent_at !== null ? "sent" : problem !== null ? "failed" : "waiting",
  created_at,
  sent_at,
  problem: problem ?? last_error,
});

const maxDocuments = 100;

export const presentFailure = ({ reason, documents }: Failure) => ({
  reason,
  count: documents.length,
  documents: documents.slice(0, maxDocuments),
});

/** Before the first examination, everything is empty. */
export const presentExamination = (
  examination: Examination | null,
  findings: readonly Finding[],
  isRunning: boolean,
) => ({
  requested_at: examination?.requested_at ?? null,
  ended_at: examination?.ended_at ?? null,
  is_running: isRunning,
  repairs: Boolean(examination?.repairs),
  hashes: Boolean(examination?.hashes),
  documents: examination?.documents ?? 0,
  examined: examination?.examined ?? 0,
  found: examination?.found ?? 0,
  mended: examination?.mended ?? 0,
  problem: examination?.problem ?? null,
  findings,
});

const networkLength = 8;

export const presentSignIn = ({
  id,
  kind,
  username,
  network,
  is_known,
  times,
  began_at,
  at,
}: ListedSignIn) => ({
  id,
  kind,
  username,
  network: network.slice(0, networkLength),
  is_known: Boolean(is_known),
  times,
  began_at,
  at,
});
