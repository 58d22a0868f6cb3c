import { addonLimits } from "../../contract/limits.ts";
import type { Context } from "../../context.ts";
import type { Database, Writer } from "../../database/database.ts";
import { timestampIn, timestampNow } from "../../http/text/timestamp.ts";
import type { Follower } from "../events/after-commits.ts";
import { type EventRow as FeedRow, eventsAfter, newestPosition } from "../events/store.ts";
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
import { countOpenRuns, findExpiredFiles, ownRuns } from "./run-store.ts";

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

/**
 * Each document that was read starts the add-ons of its owner once: the position moves in the same transaction. It
 * stops before a document for which the owner has too many open runs, which is looked at again a minute later.
 */
async function startOnUploads({ database, jobs }: Pick<Context, "database" | "jobs">): Promise<void> {
  for (const row of await findUploadEvents(database.reader)) {
    const { transaction_id, feed_id } = row;
    const position = transaction_id === null || feed_id === null ? null : { transaction_id, id: feed_id };
    const { rows } = await eventsAfter(database, position);
    if (rows.length === 0) continue;
    const read = rows.flatMap((event) => readIn(event) ?? []);
    const own = new Set(await findOwnDocuments(database, row.user_id, [...new Set(read)]));
    await database.write(async (writer: Writer) => {
      const room = addonLimits.openRunsPerPerson - (await countOpenRuns(writer, row.user_id));
      const { ids, last } = startedBy(rows, own, room);
      if (last === null || !(await movePosition(writer, row, last))) return;
      for (const id of ids) await queueRunOfEvent(writer, row, [id]);
    });
    if (own.size > 0) jobs.notify();
  }
}

const readIn = ({ type, document_id }: FeedRow): number | null =>
  type === "document.processed" ? document_id : null;

/** The documents for which there is room, and the last event before the first without it; null if there is none. */
function startedBy(
  rows: readonly FeedRow[],
  own: ReadonlySet<number>,
  room: number,
): { ids: ReadonlySet<number>; last: FeedRow | null } {
  const ids = new Set<number>();
  let last: FeedRow | null = null;
  for (const event of rows) {
    const id = readIn(event);
    if (id !== null && own.has(id) && !ids.has(id)) {
      if (ids.size >= room) break;
      ids.add(id);
    }
    last = event;
  }
  return { ids, last };
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
      await database.write((writer) =>
        ownRuns.change(writer, { id }, { file_name: "", file_expires_at: null }),
      );
    }
    if (expired.length < removedAtOnce) return;
  }
}
