import type { Context } from "../../context.ts";
import type { Database, Writer } from "../../database/database.ts";
import { timestampIn, timestampNow } from "../../http/text/timestamp.ts";
import type { Follower } from "../events/after-commits.ts";
import { eventsAfter, newestPosition } from "../events/store.ts";
import {
  type EventRow,
  findDueEvents,
  findOwnDocuments,
  findUploadEvents,
  hasUploadEvents,
  moveDue,
  movePosition,
  onUpload,
} from "./event-store.ts";
import { queueRunOfEvent } from "./manage-runs.ts";
import { runFolder } from "./run-files.ts";
import { findExpiredFiles, updateRun } from "./run-store.ts";

/** By the value of `event`, as DocumentCloud has them. */
const periodSeconds: Readonly<Record<number, number>> = { 1: 3600, 2: 86_400, 3: 7 * 86_400 };

type Start = Pick<EventRow, "due_at" | "transaction_id" | "feed_id">;

/** When an event that is set now starts its add-on: after a period, or with what is uploaded from now on. */
export async function startOf(database: Database, event: number): Promise<Start> {
  const period = periodSeconds[event];
  const position = event === onUpload ? await newestPosition(database) : null;
  return {
    due_at: period === undefined ? null : timestampIn(period),
    transaction_id: position?.transaction_id ?? null,
    feed_id: position?.id ?? null,
  };
}

/** Starts the add-ons whose time has come, or on whose documents they wait. Any number of processes may do this. */
export async function startAddons(context: Pick<Context, "database" | "jobs">): Promise<void> {
  await startDue(context);
  await startOnUploads(context);
}

async function startDue({ database, jobs }: Pick<Context, "database" | "jobs">): Promise<void> {
  const due = await findDueEvents(database.reader, timestampNow());
  for (const row of due) {
    // What a server missed while it was off is made up for once.
    const next = timestampIn(periodSeconds[row.event] ?? 86_400);
    await database.write(async (writer) => {
      if (await moveDue(writer, row, next)) await queueRunOfEvent(writer, row, []);
    });
  }
  if (due.length > 0) jobs.notify();
}

/** Each document that was read starts the add-ons of its owner once: the position moves in the same transaction. */
async function startOnUploads({ database, jobs }: Pick<Context, "database" | "jobs">): Promise<void> {
  for (const row of await findUploadEvents(database.reader)) {
    const { transaction_id, feed_id } = row;
    const position = transaction_id === null || feed_id === null ? null : { transaction_id, id: feed_id };
    const { rows } = await eventsAfter(database, position);
    const last = rows.at(-1);
    if (last === undefined) continue;
    const read = rows.flatMap(({ type, document_id }) =>
      type === "document.processed" && document_id !== null ? [document_id] : [],
    );
    const own = await findOwnDocuments(database, row.user_id, [...new Set(read)]);
    await database.write(async (writer: Writer) => {
      if (!(await movePosition(writer, row, last))) return;
      for (const id of own) await queueRunOfEvent(writer, row, [id]);
    });
    if (own.length > 0) jobs.notify();
  }
}

/** Has add-ons started by what this process commits. */
export const addonFollower: Follower = {
  isWanted: hasUploadEvents,
  queue: startOnUploads,
  gatherMilliseconds: 500,
};

const removedAtOnce = 100;

/** Removes the files of runs whose time is over. */
export async function removeRunFiles({
  database,
  files,
}: Pick<Context, "database" | "files">): Promise<void> {
  for (;;) {
    const expired = await findExpiredFiles(database.reader, timestampNow(), removedAtOnce);
    for (const { id, uuid } of expired) {
      await files.deleteFolder(runFolder(uuid));
      await database.write((writer) => updateRun(writer, id, { file_name: "", file_expires_at: null }));
    }
    if (expired.length < removedAtOnce) return;
  }
}
