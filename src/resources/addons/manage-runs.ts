import { randomUUID } from "node:crypto";
import { addonLimits } from "../../contract/limits.ts";
import type { Context } from "../../context.ts";
import type { Writer } from "../../database/database.ts";
import { ApiError, invalidFields, invalidWhole } from "../../errors.ts";
import type { SentItem } from "../../http/collection.ts";
import { unknownKey } from "../../http/fields/field-kinds.ts";
import { readFields } from "../../http/fields/fields.ts";
import type { Members } from "../../http/request/body.ts";
import type { RunOfViewer, SignedInViewer, Viewer } from "../../http/request/viewer.ts";
import { timestampIn, timestampNow } from "../../http/text/timestamp.ts";
import { cancelJob, enqueue } from "../../jobs/queue.ts";
import { endRunTokens } from "../users/credentials/run-token-store.ts";
import { beyondRun } from "./run-access.ts";
import type { EventRow } from "./event-store.ts";
import { changedRunFields, runFields } from "./fields.ts";
import { checkParameters } from "./parameters.ts";
import { fileDays, runFileKey } from "./run-files.ts";
import { type RunRow, countOpenRuns, findRun, isOpen, lockRun, ownRuns, runJob } from "./run-store.ts";
import { type AddonRow, findAddon } from "./store.ts";

/** The add-on that a body names. @throws {ApiError} 400 if the viewer may not see it. */
export async function getNamedAddon(
  { database }: Pick<Context, "database">,
  viewer: Viewer,
  id: number,
): Promise<AddonRow> {
  const addon = await findAddon(database.reader, viewer, id);
  if (addon === null) throw invalidFields({ addon: unknownKey(id).messages });
  return addon;
}

/** Creates a run, which begins when a worker has a place for it. */
export async function createRun(
  context: Pick<Context, "database" | "jobs">,
  viewer: SignedInViewer,
  members: Members,
): Promise<RunRow> {
  const values = readFields(runFields, members, "whole");
  const { addon: id = 0, parameters = {}, documents = null, query = null, dismissed = false } = values;
  const addon = await getNamedAddon(context, viewer, id);
  if (documents !== null && documents.length > addonLimits.documents)
    throw invalidFields({ documents: [`Choose at most ${addonLimits.documents} documents.`] });
  if (viewer.run !== undefined) await checkContinued(context, viewer.run, { id, documents, query });
  await checkParameters(addon, parameters);
  const row = await context.database.write((writer) =>
    queueRun(writer, { addon_id: addon.id, user_id: viewer.id, parameters, documents, query, dismissed }),
  );
  context.jobs.notify();
  return row;
}

/** An add-on that has much to do goes on in another run: of itself, on the same search or on some of its documents. */
async function checkContinued(
  { database }: Pick<Context, "database">,
  { id: runId, documents: reached }: RunOfViewer,
  { id, documents, query }: { id: number; documents: readonly number[] | null; query: string | null },
): Promise<void> {
  const run = await findRun(database.reader, { id: runId });
  const isReached = documents?.every((document) => reached.has(document)) ?? true;
  const isSearch = documents !== null || (query ?? "") === "" || query === run?.query;
  if (run?.addon_id !== id || !isReached || !isSearch) throw beyondRun();
}

export interface NewRun {
  addon_id: number;
  user_id: number;
  event_id?: number;
  parameters: object;
  documents: readonly number[] | null;
  query: string | null;
  dismissed: boolean;
}

/** Adds a run and the job that does it. @throws {ApiError} 400 if too many of the person's runs wait or run. */
export async function queueRun(writer: Writer, { parameters, documents, ...row }: NewRun): Promise<RunRow> {
  if ((await countOpenRuns(writer, row.user_id)) >= addonLimits.openRunsPerPerson)
    throw invalidWhole(`At most ${addonLimits.openRunsPerPerson} of your runs may wait or run at a time.`);
  const now = timestampNow();
  const added = await ownRuns.add(writer, {
    ...row,
    uuid: randomUUID(),
    status: "queued",
    progress: 0,
    message: "",
    file_name: "",
    rating: 0,
    comment: "",
    credits_spent: 0,
    data: "{}",
    parameters: JSON.stringify(parameters),
    documents: documents === null ? null : JSON.stringify(documents),
    created_at: now,
    updated_at: now,
  });
  await enqueue(writer, { kind: runJob, subject: added.id, owner: row.user_id });
  return added;
}

/** Queues a run for an event. A person with too many open runs gets none. */
export async function queueRunOfEvent(
  writer: Writer,
  { id, addon_id, user_id, parameters }: EventRow,
  documents: readonly number[],
): Promise<void> {
  try {
    await queueRun(writer, {
      addon_id,
      user_id,
      event_id: id,
      parameters: JSON.parse(parameters) as object,
      documents,
      query: "",
      dismissed: true,
    });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
  }
}

/** Changes a run that is locked. A file that was uploaded is kept for a while from the moment at which it is named. */
export async function changeRun(
  { files }: Pick<Context, "files">,
  writer: Writer,
  row: RunRow,
  { members, extent }: SentItem,
): Promise<RunRow> {
  const table = extent === "whole" ? runFields : changedRunFields;
  const values = readFields(table, members, extent);
  if (values.addon !== undefined && values.addon !== row.addon_id)
    throw invalidFields({ addon: ["You may not update `addon`"] });
  const { progress, message, file_name, dismissed, rating, comment, data } = values;
  const hasFile =
    file_name !== undefined &&
    file_name !== "" &&
    (await files.stat(runFileKey(row.uuid, file_name))) !== null;
  return ownRuns.change(writer, row, {
    ...(progress !== undefined && { progress }),
    ...(message !== undefined && { message }),
    ...(dismissed !== undefined && { dismissed }),
    ...(rating !== undefined && { rating }),
    ...(comment !== undefined && { comment }),
    ...(data !== undefined && { data: JSON.stringify(data) }),
    ...(file_name !== undefined && {
      file_name,
      file_expires_at: hasFile ? timestampIn(fileDays * 86_400) : null,
    }),
    updated_at: timestampNow(),
  });
}

/** Cancels a run that is locked, unless it has ended: its program is ended, and its tokens with it. */
export async function cancelRun(writer: Writer, row: RunRow): Promise<void> {
  if (!isOpen(row)) return;
  await endRun(writer, row.id, { status: "cancelled" });
  await cancelJob(writer, { kind: runJob, subject: row.id });
}

/** Writes how a run has ended. Its tokens end in the same transaction. */
export async function endRun(
  writer: Writer,
  id: number,
  ending: { status: RunRow["status"]; message?: string; progress?: number },
): Promise<void> {
  await ownRuns.change(writer, { id }, { ...ending, refresh_digest: null, updated_at: timestampNow() });
  await endRunTokens(writer, id);
}

/** Adds credits that an add-on says it has spent to its run, if it is the viewer's. */
export async function noteCredits(
  context: Pick<Context, "database">,
  viewer: SignedInViewer,
  uuid: string,
  credits: number,
): Promise<void> {
  await context.database.write(async (writer) => {
    const row = await lockRun(writer, { uuid });
    if (row?.user_id !== viewer.id) return;
    const credits_spent = Math.min(row.credits_spent + credits, Number.MAX_SAFE_INTEGER);
    await ownRuns.change(writer, row, { credits_spent });
  });
}
