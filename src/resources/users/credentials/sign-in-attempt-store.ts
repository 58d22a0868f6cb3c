import { sql } from "kysely";
import type { Database } from "../../../database/database.ts";
import { timestampIn, timestampNow } from "../../../http/text/timestamp.ts";

const windowSeconds = 15 * 60;

/**
 * Counts an attempt before it is made, so that any number made at once are all counted. Seconds to wait when there were
 * more than `most` within a quarter of an hour, else null. The wait does not grow by trying on.
 */
export async function countAttempt(
  database: Database,
  subject: string,
  most: number,
): Promise<number | null> {
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
  if (attempts <= most) return null;
  return Math.max(1, Math.ceil((Date.parse(since) - Date.now()) / 1000) + windowSeconds);
}

/** Alone in its transaction, as all here are: who holds one row and waits for another could wait for ever. */
async function forgetOld(database: Database, ended: string): Promise<void> {
  await database.write((writer) =>
    writer.deleteFrom("sign_in_attempts").where("since", "<=", ended).execute(),
  );
}

/** After a success all earlier attempts are forgiven. */
export async function forgetAttempts(database: Database, subject: string): Promise<void> {
  await database.write((writer) =>
    writer.deleteFrom("sign_in_attempts").where("subject", "=", subject).execute(),
  );
}

/** After a success, where others' failures count on. */
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
