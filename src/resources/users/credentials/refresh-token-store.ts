import type { Database } from "../../../database/database.ts";
import { timestampIn, timestampNow } from "../../../http/text/timestamp.ts";
import { type Account, isStillAccount, lockAccount } from "../account-store.ts";

export interface NewRefreshToken {
  /** The `jti` claim. */
  id: string;
  lifeSeconds: number;
}

type SignedIn = Pick<Account, "id" | "tokenGeneration">;

/**
 * Stores a refresh token, issued for a password or in exchange for the token `old`. As in DocumentCloud, `old` stays
 * valid until it expires, because programs use their token again.
 *
 * @returns False if the account has changed since its password or token was checked, or if `old` was revoked.
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

/** Revokes every refresh token of a user, from all sign-ins. */
export async function removeRefreshTokens(database: Database, user: number): Promise<void> {
  await database.write(async (writer) => {
    // A concurrent exchange of a token waits for this transaction, or this one for it, so that no token survives.
    await lockAccount(writer, database.dialect, user);
    await writer.deleteFrom("refresh_tokens").where("user_id", "=", user).execute();
  });
}
