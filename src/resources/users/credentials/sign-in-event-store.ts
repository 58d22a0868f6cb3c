import { sql } from "kysely";
import type { Database } from "../../../database/database.ts";
import { timestampIn, timestampNow } from "../../../http/text/timestamp.ts";

/**
 * `signed in`, or why an attempt was refused: `wrong password`, `unknown user`, `disabled`, or `too many attempts`.
 * `needs a provider` is the right password of a user who may not sign in with it, and `password set` a password that a
 * user has chosen with a link. `right password` is one that a second factor has to follow.
 */
export type SignInKind =
  | "signed in"
  | "wrong password"
  | "unknown user"
  | "disabled"
  | "too many attempts"
  | "needs a provider"
  | "right password"
  | "wrong second factor"
  | "password set";

export interface SignInEvent {
  kind: SignInKind;
  /** Null if no account has the username that was sent. The username itself is not stored: it may be a password. */
  userId: number | null;
  /** A keyed hash of the network. */
  network: string;
  /** Whether the account had signed in from this network before. */
  isKnown: boolean;
}

const keptDays = 30;
/** The oldest rows are removed beyond this number, so that guessing cannot fill the disk. */
const maxRows = 10_000;
const windowMilliseconds = 15 * 60 * 1000;

/** Records an event. Equal events within a quarter of an hour share a row that counts them. */
export async function noteSignIn(
  database: Database,
  { kind, userId, network, isKnown }: SignInEvent,
): Promise<void> {
  const at = timestampNow();
  const window = Math.floor(Date.parse(at) / windowMilliseconds);
  await database.write(async (writer) => {
    const { id, times } = await writer
      .insertInto("sign_in_events")
      .values({
        subject: `${kind} ${userId ?? "?"} ${network} ${window}`,
        kind,
        user_id: userId,
        network,
        is_known: isKnown,
        times: 1,
        began_at: at,
        at,
      })
      .onConflict((conflict) =>
        conflict
          .column("subject")
          .doUpdateSet({ times: sql`sign_in_events.times + 1`, at: sql`excluded.at` }),
      )
      .returning(["id", "times"])
      .executeTakeFirstOrThrow();
    if (times > 1) return;
    await writer
      .deleteFrom("sign_in_events")
      .where((row) =>
        row.or([row("id", "<=", id - maxRows), row("at", "<", timestampIn(-keptDays * 86_400))]),
      )
      .execute();
  });
}
