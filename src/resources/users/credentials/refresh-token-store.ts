import type { Database } from "../../../database/database.ts";
import { timestampIn, timestampNow } from "../../../http/text/timestamp.ts";
import { type Account, isStillAccount, lockAccount } from "../account-store.ts";

export interface NewRefreshToken {
  /** Its `jti`. */
  id: string;
  lifeSeconds: number;
}

type SignedIn = Pick<Account, "id" | "tokenGeneration">;

/**
 * Notes a token of a sign-in with a password, or one that is given for the token `old`. That one stays good for as long
 * as it lives, as at DocumentCloud: programs use theirs again.
 *
 * @returns False when the account changed since its password or its token was checked, or when `old` was revoked.
 */
export async function addRefreshToken(
  database: Database,
  account: SignedIn,
  token: NewRefreshToken,
  old: string | null,
): Promise<boolean> {
  return database.write(async (writer) => {
    if (!(await isStillAccount(writer, database.dialect, account))) return false;
    const now = timestampNow();
    await writer
      .deleteFrom("refresh_tokens")
      .where("user_id", "=", account.id)
      .where("expires_at", "<=", now)
      .execute();
    if (old !== null) {
      const known = await writer
        .selectFrom("refresh_tokens")
        .select("id")
        .where("id", "=", old)
        .where("user_id", "=", account.id)
        .executeTakeFirst();
      if (known === undefined) return false;
    }
    const expires_at = timestampIn(token.lifeSeconds);
    await writer
      .insertInto("refresh_tokens")
      .values({ id: token.id, user_id: account.id, expires_at })
      .execute();
    return true;
  });
}

/** Revokes every refresh token of a user, whichever sign-in it came of. */
export async function removeRefreshTokens(database: Database, user: number): Promise<void> {
  await database.write(async (writer) => {
    // A token that is being exchanged just now waits for this, or this for that: none is left over.
    await lockAccount(writer, database.dialect, user);
    await writer.deleteFrom("refresh_tokens").where("user_id", "=", user).execute();
  });
}
