import { type Selectable, sql } from "kysely";
import type { Database, Reader, Writer } from "../../database/database.ts";
import type { Page } from "../../database/keyset.ts";
import { parameter } from "../../database/prepared-queries.ts";
import { countRows, lockRow, rowOf, ownRows } from "../../database/rows.ts";
import type { AddonRunsTable } from "../../database/tables.ts";
import type { Cursor } from "../../http/request/cursor.ts";
import type { Viewer } from "../../http/request/viewer.ts";
import { runFileKey } from "./run-files.ts";

export type RunRow = Selectable<AddonRunsTable>;

/** The job that runs an add-on. Its subject is the run's id. */
export const runJob = "run add-on";

/** The states of a run that has not ended. */
export const openStatuses = ["queued", "in_progress"] as const;

export const isOpen = ({ status }: Pick<RunRow, "status">): boolean =>
  (openStatuses as readonly string[]).includes(status);

export interface RunFilters {
  events?: number[] | undefined;
  addons?: number[] | undefined;
  dismissed?: boolean | undefined;
  site?: string | undefined;
}

/** One page of the viewer's runs, in the order in which they were created, or the newest first. */
export async function listRuns(
  database: Database,
  viewer: Viewer,
  { filters, descending }: { filters: RunFilters; descending: boolean },
  cursor: Cursor,
  limit: number,
): Promise<Page<RunRow>> {
  const { dismissed } = filters;
  const conditions = ownRuns
    .listed(database, viewer)
    .among("event_id", filters.events)
    .among("addon_id", filters.addons);
  if (dismissed !== undefined)
    conditions.always(
      `dismissed ${dismissed}`,
      sql`addon_runs.dismissed = ${dismissed ? sql`true` : sql`false`}`,
    );
  conditions.that(
    "site",
    "site",
    filters.site,
    (site) => sql`addon_runs.event_id in (select addon_events.id from addon_events
      where addon_events.user_id = ${parameter("viewer")} and addon_events.site = ${site})`,
  );
  return conditions.page(database, sql`addon_runs.*`, cursor, limit, { descending });
}

export async function findRun(
  reader: Pick<Reader, "selectFrom">,
  where: { uuid: string } | { id: number },
): Promise<RunRow | null> {
  return rowOf(reader, "addon_runs", where);
}

/** The runs of the viewer. */
export const ownRuns = ownRows("addon_runs");

/** Like {@link findRun}, and locks the run until the transaction ends. */
export const lockRun = (writer: Writer, where: { uuid: string } | { id: number }) =>
  lockRow(writer, "addon_runs", where);

/** How many runs of a person wait or run. */
export async function countOpenRuns(writer: Writer, userId: number): Promise<number> {
  return countRows(writer, "addon_runs", { user_id: userId }, sql`status in (${sql.join(openStatuses)})`);
}

/** The keys of the files of all runs whose files are kept. */
export async function keysOfRunFiles(reader: Reader): Promise<string[]> {
  const rows = await reader
    .selectFrom("addon_runs")
    .select(["uuid", "file_name"])
    .where("file_expires_at", "is not", null)
    .orderBy("id")
    .execute();
  return rows.map(({ uuid, file_name }) => runFileKey(uuid, file_name));
}

/** Runs whose files are kept no longer, at most this many. */
export async function findExpiredFiles(
  reader: Reader,
  now: string,
  limit: number,
): Promise<Pick<RunRow, "id" | "uuid">[]> {
  return reader
    .selectFrom("addon_runs")
    .select(["id", "uuid"])
    .where("file_expires_at", "<=", now)
    .orderBy("file_expires_at")
    .limit(limit)
    .execute();
}
