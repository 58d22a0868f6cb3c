import packageJson from "../../../package.json" with { type: "json" };
import type { Context } from "../../context.ts";
import { readFields } from "../../http/fields/fields.ts";
import type { Members } from "../../http/request/body.ts";
import type { SignedInViewer } from "../../http/request/viewer.ts";
import { enqueue } from "../../jobs/queue.ts";
import type { Job } from "../../jobs/running-job.ts";
import { mayEdit } from "../documents/access.ts";
import { restart } from "../documents/processing/start-processing.ts";
import { type DocumentRow, accessFacts } from "../documents/store.ts";
import { findKnownUser } from "../users/viewer-store.ts";
import { processAgainFields } from "./fields.ts";
import { findMadeDocuments, findReadingVersions } from "./store.ts";

/** The job that queues the documents of an import for processing. */
export const processAgainJob = "process import again";

/** How many documents one transaction queues. */
const documentsAtOnce = 100;

/** Has documents of an import processed again on behalf of a person: those that they may edit by then. */
export async function processAgain(
  { database, jobs }: Pick<Context, "database" | "jobs">,
  viewer: SignedInViewer,
  importId: number,
  members: Members,
): Promise<void> {
  const {
    which = "failed",
    extension = "",
    older = false,
  } = readFields(processAgainFields, members, "whole");
  await database.write((writer) =>
    enqueue(writer, {
      kind: processAgainJob,
      subject: importId,
      owner: viewer.id,
      options: { which, extension: extension.toLowerCase(), older, viewer: viewer.id },
    }),
  );
  jobs.notify();
}

interface Options {
  which: "failed" | "all";
  extension: string;
  older: boolean;
  viewer: number;
}

/** Queues the documents, some at a time. A worker that takes over begins again, and leaves out what is queued. */
export async function queueAgain(
  context: Pick<Context, "database" | "files" | "jobs">,
  job: Job,
  signal: AbortSignal,
): Promise<void> {
  const { database } = context;
  const { which, extension, older, viewer: viewerId } = job.options as unknown as Options;
  const known = await findKnownUser(database, { id: viewerId });
  if (known === null || !known.isActive) return;
  const viewer = { ...known.viewer, mayWrite: true, hasPersonalToken: false, csrfToken: null };
  for (let after = 0; ;) {
    signal.throwIfAborted();
    const page = { isAll: which === "all", extension, after, limit: documentsAtOnce };
    const found = await findMadeDocuments(database, job.subject, page);
    if (found.length === 0) break;
    after = found.at(-1) ?? after;
    const versions = older ? await findReadingVersions(database.reader, found) : null;
    const ids = found.filter((id) => versions?.get(id) !== packageJson.version);
    await restart(context, viewer, {
      ids,
      mayStart: (row) => isEnded(row) && mayEdit(viewer, accessFacts(row)),
      also: (writer) => job.hold(writer),
    });
  }
}

const isEnded = ({ status }: DocumentRow): boolean => status === "success" || status === "error";
