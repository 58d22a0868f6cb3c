import { sql } from "kysely";
import type { Database } from "../../../database/database.ts";
import { timestampIn, timestampNow } from "../../../http/text/timestamp.ts";

const windowSeconds = 15 * 60;

/**
 * Counts an attempt before it is made, so that concurrent attempts are all counted. Returns the seconds to wait if
 * there were more than `max` within a quarter of an hour, else null. Further attempts do not extend the wait.
 */
export async function countAttempt(database: Database, subject: string, max: number): Promise<number | null> {
  const ended = timestampIn(-windowSeconds);
  const { attempts, since } = await database.write((writer) =>
    writer
      .insertInto("sign_in_attempts")
      .values({ subject, attempts: 1, since: timestampNow() })
      .onConflict((conflict) =>
        conflict.column("subject").doUpdateSet({
          attempts: sql`case when sign_in_attempts.since <= ${ended} then 1 else sign_in_attempts.attempts + 1 end`,
          since: sql`case when sign_in_attempts.since <= ${ended} then excluded.since else sign_in_attempts.since end`,
        }),
      )
      .returning(["attempts", "since"])
      .executeTakeFirstOrThrow(),
  );
  if (attempts === 1) await forgetOld(database, ended);
  if (attempts <= max) return null;
  return secondsLeft(since);
}

function secondsLeft(since: string): number {
  return Math.max(1, Math.ceil((Date.parse(since) - Date.now()) / 1000) + windowSeconds);
}

/** Like every statement here, runs in its own transaction: holding one row while waiting for another can deadlock. */
async function forgetOld(database: Database, ended: string): Promise<void> {
  await database.write((writer) =>
    writer.deleteFrom("sign_in_attempts").where("since", "<=", ended).execute(),
  );
}

/** Resets the count after a successful sign-in. */
export async function forgetAttempts(database: Database, subject: string): Promise<void> {
  await database.write((writer) =>
    writer.deleteFrom("sign_in_attempts").where("subject", "=", subject).execute(),
  );
}

/** Takes back one attempt after a successful sign-in, for a count that includes the failures of others. */
export async function takeBackAttempt(database: Database, subject: string): Promise<void> {
  await database.write((writer) =>
    writer
      .updateTable("sign_in_attempts")
      .set({ attempts: sql`attempts - 1` })
      .where("subject", "=", subject)
      .where("attempts", ">", 0)
      .execute(),
  );
}
