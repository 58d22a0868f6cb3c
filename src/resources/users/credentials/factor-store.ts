import type { Reader, Writer } from "../../../database/database.ts";
import { removeRows, rowsOf } from "../../../database/rows.ts";
import type { FactorKind } from "../../../database/tables.ts";
import { timestampNow } from "../../../http/text/timestamp.ts";
import { digestOf } from "../../../secrets/digest.ts";

/** What somebody needs to sign in besides a password. */
export interface Factor {
  id: number;
  user_id: number;
  kind: FactorKind;
  name: string;
  /** Sealed. */
  secret: string;
  /** The name that the browser has for a passkey. */
  credential: string | null;
  counter: number;
  created_at: string;
  used_at: string | null;
}

export const findFactors = (reader: Pick<Reader, "selectFrom">, userId: number): Promise<Factor[]> =>
  rowsOf(reader, "second_factors", { user_id: userId }, "id");

/** How many second factors these users have. */
export async function countFactors(
  reader: Pick<Reader, "selectFrom">,
  userIds: readonly number[],
): Promise<Map<number, number>> {
  if (userIds.length === 0) return new Map();
  const rows = await reader
    .selectFrom("second_factors")
    .select((table) => ["user_id", table.fn.countAll<number>().as("factors")])
    .where("user_id", "in", userIds)
    .groupBy("user_id")
    .execute();
  return new Map(rows.map(({ user_id, factors }) => [user_id, factors]));
}

export async function addFactor(
  writer: Writer,
  factor: Pick<Factor, "user_id" | "kind" | "name" | "secret" | "credential" | "counter">,
): Promise<void> {
  await writer
    .insertInto("second_factors")
    .values({ ...factor, created_at: timestampNow(), used_at: null })
    .execute();
}

/**
 * Records that a factor was used. False if it was used with this counter, or a later one, before: then a code is used
 * twice, or a passkey was copied. A passkey that does not count always has 0.
 */
export async function noteFactorUse(writer: Writer, id: number, counter: number): Promise<boolean> {
  const { numUpdatedRows } = await writer
    .updateTable("second_factors")
    .set({ counter, used_at: timestampNow() })
    .where("id", "=", id)
    .where((is) => (counter === 0 ? is("counter", "=", 0) : is("counter", "<", counter)))
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** Returns whether the user had this factor. */
export async function removeFactor(writer: Writer, userId: number, id: number): Promise<boolean> {
  const { numDeletedRows } = await writer
    .deleteFrom("second_factors")
    .where("user_id", "=", userId)
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

/** Removes all factors of a user with the recovery codes. Returns whether there were any. */
export async function removeFactors(writer: Writer, userId: number): Promise<boolean> {
  const { numDeletedRows } = await writer
    .deleteFrom("second_factors")
    .where("user_id", "=", userId)
    .executeTakeFirstOrThrow();
  await removeRows(writer, "recovery_codes", { user_id: userId });
  return numDeletedRows > 0n;
}

/** Replaces the recovery codes of a user. */
export async function setRecoveryCodes(
  writer: Writer,
  userId: number,
  codes: readonly string[],
): Promise<void> {
  await removeRows(writer, "recovery_codes", { user_id: userId });
  const rows = codes.map((code) => ({ user_id: userId, digest: digestOf(code) }));
  if (rows.length > 0) await writer.insertInto("recovery_codes").values(rows).execute();
}

/** Uses up a recovery code. Returns whether the user had it. */
export async function takeRecoveryCode(writer: Writer, userId: number, code: string): Promise<boolean> {
  const { numDeletedRows } = await writer
    .deleteFrom("recovery_codes")
    .where("user_id", "=", userId)
    .where("digest", "=", digestOf(code))
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

export async function countRecoveryCodes(
  reader: Pick<Reader, "selectFrom">,
  userId: number,
): Promise<number> {
  return (await rowsOf(reader, "recovery_codes", { user_id: userId })).length;
}

/** Whether the user belongs to one of these organizations. */
export async function isMemberOfAny(
  reader: Pick<Reader, "selectFrom">,
  userId: number,
  organizations: readonly number[],
): Promise<boolean> {
  if (organizations.length === 0) return false;
  const found = await reader
    .selectFrom("organization_members")
    .select("user_id")
    .where("user_id", "=", userId)
    .where("organization_id", "in", organizations)
    .limit(1)
    .execute();
  return found.length > 0;
}
