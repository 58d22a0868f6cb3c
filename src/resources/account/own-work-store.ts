import type { Database, Reader } from "../../database/database.ts";
import { timestampIn } from "../../http/text/timestamp.ts";
import type { SignedInViewer } from "../../http/request/viewer.ts";
import { isTopLevel } from "../documents/children-store.ts";
import { processJob } from "../documents/file-facts-store.ts";
import { fetchJob } from "../documents/files/remote-file-store.ts";
import {
  fetchReplacementJob,
  modifyJob,
  redactJob,
  replaceJob,
} from "../documents/processing/rewrite-store.ts";
import { type DocumentRow, findVisibleDocuments } from "../documents/store.ts";

/*
 * The work on files that runs for a person. Counts are about what they have put in lately: documents of theirs that are
 * read for the first time, and those that were put in with them.
 */

/** More are counted, but not listed. */
const maxListed = 50;
const daySeconds = 24 * 60 * 60;
/** A batch begins this long before its oldest document that is still being read was put in. */
const batchMilliseconds = 60 * 60 * 1000;

export interface RunningWork {
  document: Pick<DocumentRow, "id" | "title" | "slug">;
  kind: "fetch" | "read" | "redact" | "change";
  /** Whether a worker has it now. */
  isRunning: boolean;
  done: number;
  /** Null if it is not known. */
  total: number | null;
}

export interface OwnWork {
  /** What is listed of it. Those that run come first. */
  running: readonly RunningWork[];
  /** How much runs or waits. */
  active: number;
  /** Documents that were put in together, by what has become of them. */
  batch: { read: number; failed: number; waiting: number };
  /** Folders that a page of the person is uploading. */
  uploads: readonly { id: number; name: string }[];
  /** Runs of add-ons. Those that run come first. */
  addons: readonly { uuid: string; name: string; isRunning: boolean; progress: number }[];
  /** Those of the batch that could not be read; the first of them. */
  failures: readonly Pick<DocumentRow, "id" | "title" | "slug">[];
}

const kinds: Readonly<Record<string, RunningWork["kind"]>> = {
  [fetchJob]: "fetch",
  [processJob]: "read",
  [redactJob]: "redact",
};

/** Jobs of other kinds have a subject that is no document. */
const documentJobs = [...Object.keys(kinds), fetchReplacementJob, modifyJob, replaceJob];

export async function findOwnWork(database: Database, viewer: SignedInViewer): Promise<OwnWork> {
  const { reader } = database;
  const jobs = await findJobs(reader, viewer.id);
  const since = jobs.flatMap(({ kind, created_at }) =>
    kinds[kind] === "fetch" || kinds[kind] === "read" ? [created_at] : [],
  );
  const rows = await findBatch(reader, viewer.id, since);
  const count = (...statuses: string[]): number =>
    rows.filter(({ status }) => statuses.includes(status)).length;
  const failed = rows.flatMap(({ id, status }) => (status === "error" ? [id] : [])).slice(0, maxListed);
  const listed = jobs.slice(0, maxListed);
  const addons = await findRuns(reader, viewer.id);
  const found = await findVisibleDocuments(database, viewer, [
    ...new Set([...listed.map(({ subject }) => subject), ...failed]),
  ]);
  const documents = new Map(found.map((row) => [row.id, row]));
  const running = listed.flatMap(({ subject, kind, lease, done, total }): RunningWork[] => {
    const document = documents.get(subject);
    if (document === undefined) return [];
    return [{ document, kind: kinds[kind] ?? "change", isRunning: lease !== null, done: done ?? 0, total }];
  });
  return {
    running,
    active: jobs.length,
    addons,
    uploads: await findUploads(reader, viewer.id),
    batch: {
      read: count("success"),
      failed: count("error"),
      waiting: count("pending", "readable", "nofile"),
    },
    failures: failed.flatMap((id) => documents.get(id) ?? []),
  };
}

async function findJobs(reader: Reader, userId: number) {
  return reader
    .selectFrom("jobs")
    .innerJoin("documents", "documents.id", "jobs.subject")
    .leftJoin("document_progress", "document_progress.document_id", "jobs.subject")
    .select([
      "jobs.kind",
      "jobs.subject",
      "jobs.lease",
      "documents.created_at",
      "document_progress.done",
      "document_progress.total",
    ])
    .where("jobs.owner", "=", userId)
    .where("jobs.kind", "in", documentJobs)
    .where("jobs.cancelled_at", "is", null)
    .orderBy((row) => row.case().when("jobs.lease", "is", null).then(1).else(0).end())
    .orderBy("jobs.id")
    .execute();
}

/** The job that runs an add-on, whose subject is a run. */
const addonJob = "run add-on";

async function findRuns(reader: Reader, userId: number): Promise<OwnWork["addons"]> {
  const rows = await reader
    .selectFrom("jobs")
    .innerJoin("addon_runs", "addon_runs.id", "jobs.subject")
    .innerJoin("addons", "addons.id", "addon_runs.addon_id")
    .select(["addon_runs.uuid", "addons.name", "jobs.lease", "addon_runs.progress"])
    .where("jobs.owner", "=", userId)
    .where("jobs.kind", "=", addonJob)
    .where("jobs.cancelled_at", "is", null)
    .orderBy((row) => row.case().when("jobs.lease", "is", null).then(1).else(0).end())
    .orderBy("jobs.id")
    .limit(maxListed)
    .execute();
  return rows.map(({ uuid, name, lease, progress }) => ({ uuid, name, isRunning: lease !== null, progress }));
}

/** The page of an upload says at least this often that it is there. */
const silentSeconds = 150;

async function findUploads(reader: Reader, userId: number): Promise<{ id: number; name: string }[]> {
  return reader
    .selectFrom("imports")
    .select(["id", "name"])
    .where("user_id", "=", userId)
    .where("kind", "=", "upload")
    .where("outcome", "is", null)
    .where("updated_at", ">=", timestampIn(-silentSeconds))
    .orderBy("id")
    .limit(maxListed)
    .execute();
}

/** A document that is part of another one is not counted. */
async function findBatch(
  reader: Reader,
  userId: number,
  since: readonly string[],
): Promise<{ id: number; status: string }[]> {
  const recent = timestampIn(-daySeconds);
  const [oldest] = since.filter((at) => at >= recent).toSorted();
  if (oldest === undefined) return [];
  const start = new Date(Date.parse(oldest) - batchMilliseconds).toISOString();
  return reader
    .selectFrom("documents")
    .select(["id", "status"])
    .where("user_id", "=", userId)
    .where("created_at", ">=", start)
    .where(isTopLevel)
    .orderBy("id")
    .execute();
}
