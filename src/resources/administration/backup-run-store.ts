import type { Database, Reader, Writer } from "../../database/database.ts";
import type { BackupRunsTable } from "../../database/tables.ts";
import { timestampIn, timestampNow } from "../../http/text/timestamp.ts";
import { rowsOf } from "../../database/rows.ts";

export type BackupRun = BackupRunsTable;

/** A repository that no backup has used for so long counts as given up. */
const daysOfInterest = 90;

/**
 * Records how a run of `quire backup` ended. `goodAt` is the moment whose contents its backup has; null if the run made
 * none.
 */
export async function recordBackupRun(
  writer: Writer,
  { repository, goodAt, problem }: { repository: string; goodAt: string | null; problem: string | null },
): Promise<void> {
  await writer
    .deleteFrom("backup_runs")
    .where("ended_at", "<", timestampIn(-daysOfInterest * 86_400))
    .execute();
  const run = { ended_at: timestampNow(), problem, ...(goodAt !== null && { good_at: timestampOf(goodAt) }) };
  await writer
    .insertInto("backup_runs")
    .values({ repository, good_at: null, ...run })
    .onConflict((conflict) => conflict.column("repository").doUpdateSet(run))
    .execute();
}

/** The latest run into each repository. */
export async function listBackupRuns({ reader }: Pick<Database, "reader">): Promise<BackupRun[]> {
  return rowsOf(reader, "backup_runs", {}, "repository");
}

/** The moment whose contents the latest good backup has, in any repository; null if there was none. */
export async function findLastBackup(reader: Pick<Reader, "selectFrom">): Promise<string | null> {
  const row = await reader
    .selectFrom("backup_runs")
    .select(({ fn }) => fn.max("good_at").as("at"))
    .executeTakeFirst();
  return row?.at ?? null;
}

/** An ISO time of JavaScript in the form of the database's timestamps. */
const timestampOf = (time: string): string => `${new Date(time).toISOString().slice(0, -1)}000Z`;
