import type { Database, Writer } from "../../database/database.ts";
import { timestampIn, timestampNow } from "../../http/text/timestamp.ts";
import { type Account, isStillAccount } from "./account-store.ts";

export interface NewRefreshToken {
  /** Its `jti`. */
  id: string;
  lifeSeconds: number;
}

type SignedIn = Pick<Account, "id" | "tokenGeneration">;

/** Notes the first token of a sign-in. False when the account changed since its password was checked. */
export async function addRefreshToken(
  database: Database,
  account: SignedIn,
  token: NewRefreshToken,
): Promise<boolean> {
  return database.write(async (writer) => {
    if (!(await isStillAccount(writer, database.dialect, account))) return false;
    await insertToken(writer, account, token.id, token);
    return true;
  });
}

/**
 * Puts a new token in the place of one. A token that was used before is in someone else's hands, or was: then all that
 * came of the same sign-in is no good any more. False when nothing is to be given for it.
 */
export async function replaceRefreshToken(
  database: Database,
  account: SignedIn,
  old: string,
  token: NewRefreshToken,
): Promise<boolean> {
  return database.write(async (writer) => {
    // The user's row comes first: two who bring the same token take turns.
    if (!(await isStillAccount(writer, database.dialect, account))) return false;
    const known = await writer
      .selectFrom("refresh_tokens")
      .select(["family", "is_used"])
      .where("id", "=", old)
      .where("user_id", "=", account.id)
      .executeTakeFirst();
    if (known === undefined) return false;
    if (known.is_used) {
      await writer.deleteFrom("refresh_tokens").where("family", "=", known.family).execute();
      return false;
    }
    await writer.updateTable("refresh_tokens").set({ is_used: true }).where("id", "=", old).execute();
    await insertToken(writer, account, known.family, token);
    return true;
  });
}

async function insertToken(
  writer: Writer,
  { id: user_id }: SignedIn,
  family: string,
  { id, lifeSeconds }: NewRefreshToken,
): Promise<void> {
  await writer
    .deleteFrom("refresh_tokens")
    .where("user_id", "=", user_id)
    .where("expires_at", "<=", timestampNow())
    .execute();
  await writer
    .insertInto("refresh_tokens")
    .values({ id, family, user_id, expires_at: timestampIn(lifeSeconds) })
    .execute();
}
