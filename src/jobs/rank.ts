import { type RawBuilder, sql } from "kysely";
import type { Writer } from "../database/database.ts";
import type { Timestamp } from "../database/tables.ts";

/*
 * Jobs are served in rounds, and each user has one job in each round. A user's first job belongs to the round that is
 * being served, and each further job to the round after the user's last one. So a user with one document waits for at
 * most one job of each other user, however many documents those have. A job that gives way goes into a round after all
 * other jobs of its owner. Jobs without an owner belong to the round that is being served.
 *
 * A runner may take some more jobs of a user than the round has, see `turnMilliseconds` (runner.ts).
 *
 * An urgent job swaps rounds with the first bulk job of its owner that waits: an upload need not wait until all files
 * of an import are read. So each round still has one job of each user, and nobody else waits longer.
 *
 * The round is written into the row when the job is queued, so the next job is still the first of an index.
 */

/** The round of a job that this owner queues now, as a value in a statement. */
export function rankOf(owner: number | null, now: Timestamp): RawBuilder<number> {
  const served = sql`coalesce(
    (select rank from jobs where lease is null and due_at <= ${now} order by rank limit 1),
    (select rank from jobs where lease is not null order by rank desc limit 1),
    0)`;
  if (owner === null) return sql`(select ${served})`;
  const own = sql`coalesce((select rank + 1 from jobs where owner = ${owner} order by rank desc limit 1), 0)`;
  return sql`(select case when own > served then own else served end
    from (select ${own} as own, ${served} as served) as rounds)`;
}

/** The option of a bulk job. */
export const bulkOption = "isBulk";

/** How many of the owner's next jobs are searched for a bulk job. */
const maxSearched = 100;

/** Swaps the rounds of a waiting job and of the first bulk job of its owner, if that comes before it. */
export async function goBeforeBulk(
  writer: Writer,
  { kind, subject, owner }: { kind: string; subject: number; owner: number },
): Promise<void> {
  const waiting = sql`lease is null and cancelled_at is null`;
  const { rows } = await sql<{ id: number; rank: number; bulk_id: number; bulk_rank: number }>`
    select urgent.id, urgent.rank, bulk.id as bulk_id, bulk.rank as bulk_rank
    from (select id, rank from jobs where kind = ${kind} and subject = ${subject} and ${waiting}) as urgent,
      (select id, rank, options from jobs where owner = ${owner} and ${waiting}
        order by rank limit ${sql.lit(maxSearched)}) as bulk
    where bulk.options like ${sql.lit(`%"${bulkOption}":true%`)} and bulk.rank < urgent.rank
    order by bulk.rank limit 1`.execute(writer);
  const [turns] = rows;
  if (turns === undefined) return;
  const { id, rank, bulk_id, bulk_rank } = turns;
  await writer.updateTable("jobs").set({ rank: bulk_rank }).where("id", "=", id).execute();
  await writer
    .updateTable("jobs")
    .set({ rank })
    .where("id", "=", bulk_id)
    .where("lease", "is", null)
    .execute();
}
