import { type RawBuilder, sql } from "kysely";
import type { Timestamp } from "../database/tables.ts";

/*
 * Jobs are served in rounds, and each user has one job in each round. A user's first job belongs to the round that is
 * being served, and each further job to the round after the user's last one. So a user with one document waits for at
 * most one job of each other user, however many documents those have. A job that gives way goes into a round after all
 * other jobs of its owner. Jobs without an owner belong to the round that is being served.
 *
 * A runner may take some more jobs of a user than the round has, see `turnMilliseconds` (runner.ts).
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
