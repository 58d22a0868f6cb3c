import { type RawBuilder, sql } from "kysely";
import type { Timestamp } from "../database/tables.ts";

/*
 * Jobs are served in rounds. In each round every person has one job: the first that somebody asks for belongs to the
 * round that is being served, and each further one to the round after their last. So a person with one document waits
 * for one job of each other person at most, however many documents those have. A job that gives way goes into a round
 * after all others of its owner. Jobs of no person belong to the round that is being served.
 *
 * The round is written into the row when the job is asked for, so the next job is still the first of an index.
 */

/** The round that a job of this owner belongs to which is asked for now: a value in a statement. */
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
