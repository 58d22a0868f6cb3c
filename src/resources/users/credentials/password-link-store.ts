import type { Reader, Writer } from "../../../database/database.ts";
import { timestampIn, timestampNow } from "../../../http/text/timestamp.ts";
import { digestOf, newSecret } from "../../../secrets/digest.ts";
import { removeRows } from "../../../database/rows.ts";

/** A week: an invitation may wait for its reader. */
export const linkSeconds = 7 * 86_400;
/** Two hours: the person who asked for a new password by mail is waiting for it. */
export const resetLinkSeconds = 2 * 3600;

/** A link that was just created. Only a digest of its token is stored, so it can be shown only once. */
export interface PasswordLink {
  token: string;
  expiresAt: string;
}

/** Creates a link for an account. */
export async function addPasswordLink(
  writer: Writer,
  userId: number,
  seconds = linkSeconds,
): Promise<PasswordLink> {
  const token = newSecret(24);
  const now = timestampNow();
  const expiresAt = timestampIn(seconds);
  await writer.deleteFrom("password_links").where("expires_at", "<=", now).execute();
  await writer
    .insertInto("password_links")
    .values({
      digest: digestOf(token),
      user_id: userId,
      created_at: now,
      expires_at: expiresAt,
    })
    .execute();
  return { token, expiresAt };
}

/** Ends a link that nobody has received. */
export async function removePasswordLink(writer: Writer, token: string): Promise<void> {
  await removeRows(writer, "password_links", { digest: digestOf(token) });
}

/** The enabled account that may set its password with this token; null if the token is unknown, used or expired. */
export async function findPasswordLink(
  reader: Reader,
  token: string,
): Promise<{ id: number; username: string } | null> {
  const found = await reader
    .selectFrom("password_links")
    .innerJoin("users", "users.id", "password_links.user_id")
    .select(["users.id", "users.username"])
    .where("password_links.digest", "=", digestOf(token))
    .where("password_links.expires_at", ">", timestampNow())
    .where("users.is_active", "=", true)
    .where("users.password_hash", "is not", null)
    .executeTakeFirst();
  return found ?? null;
}
