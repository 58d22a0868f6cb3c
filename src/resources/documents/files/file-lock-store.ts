import { sql } from "kysely";
import type { Writer } from "../../../database/database.ts";
import { timestampAt, systemClock } from "../../../jobs/clock.ts";

/*
 * Several requests and servers may receive files for the same document at the same time. The store keeps each one
 * separate while it arrives. Only one at a time may become the document's file, from the moment at which it has arrived
 * in full until the database records it. So the file recorded last is the file that is stored.
 *
 * The lock is a row of the job queue. If its process dies, the lock expires after a while and is removed like any other
 * job.
 */

/** The job that removes an expired lock. */
export const placeClaim = "claim of a file's place";

/** Longer than a store takes to finish storing a file that has arrived. */
const claimSeconds = 60;

/** Takes the lock; false while another file holds it. The caller has locked the document's row. */
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

/** Releases the lock; false if it had expired and another file has taken it. */
export async function endClaim(writer: Writer, documentId: number, claim: string): Promise<boolean> {
  const { numDeletedRows } = await writer
    .deleteFrom("jobs")
    .where("kind", "=", placeClaim)
    .where("subject", "=", documentId)
    .where("options", "=", JSON.stringify({ claim }))
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
