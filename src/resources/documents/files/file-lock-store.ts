import { sql } from "kysely";
import type { Writer } from "../../../database/database.ts";
import { timestampAt, systemClock } from "../../../jobs/clock.ts";

/*
 * Files may come for one document at the same time, from several requests and servers. Each is kept aside by its store as
 * it comes; but only one at a time is put in its place, from the moment at which all of it has come until that is written
 * down. So what is written down last is what is there.
 *
 * A claim is a row of the queue: one whose process died is over after a while, and then goes like any other job.
 */

/** The job that removes a claim which nobody needs any more. */
export const placeClaim = "claim of a file's place";

/** Longer than it takes a store to finish with a file that has come. */
const claimSeconds = 60;

/** Whether the place is this one's now; false where another file is being put there. With the document's row locked. */
export async function claimPlace(writer: Writer, documentId: number, claim: string): Promise<boolean> {
  const nowMilliseconds = systemClock.nowMilliseconds();
  const now = timestampAt(nowMilliseconds);
  const until = timestampAt(nowMilliseconds + claimSeconds * 1000);
  const { rows } = await sql`insert into jobs (kind, subject, options, created_at, due_at)
    values (${placeClaim}, ${documentId}, ${JSON.stringify({ claim })}, ${now}, ${until})
    on conflict (kind, subject) do update
      set options = excluded.options, created_at = excluded.created_at, due_at = excluded.due_at, lease = null
      where jobs.due_at <= ${now}
    returning id`.execute(writer);
  return rows.length > 0;
}

/** Gives the place free; false where it was another's by now. */
export async function endClaim(writer: Writer, documentId: number, claim: string): Promise<boolean> {
  const { numDeletedRows } = await writer
    .deleteFrom("jobs")
    .where("kind", "=", placeClaim)
    .where("subject", "=", documentId)
    .where("options", "=", JSON.stringify({ claim }))
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
