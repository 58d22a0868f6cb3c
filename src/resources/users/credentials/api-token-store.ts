import { sql } from "kysely";
import type { Database, Reader, Writer } from "../../../database/database.ts";
import { Conditions } from "../../../database/conditions.ts";
import type { Page } from "../../../database/keyset.ts";
import { parameter } from "../../../database/prepared-queries.ts";
import type { Cursor } from "../../../http/request/cursor.ts";
import { timestampIn, timestampNow } from "../../../http/text/timestamp.ts";
import { digestOf, newSecret } from "../../../secrets/digest.ts";
import { removeRows } from "../../../database/rows.ts";

/**
 * The prefix of every personal token. It tells them from other tokens, for Quire and for scanners of leaked secrets.
 */
export const apiTokenPrefix = "quire_";
const shownCharacters = apiTokenPrefix.length + 6;

export interface NewApiToken {
  name: string;
  mayWrite: boolean;
  /** Null if the token does not expire. */
  expiresAt: string | null;
  /** The run of an add-on with which it ends. */
  runId?: number;
}

/** Creates a personal token. Only its digest is stored, so it can be shown only once. */
export async function addApiToken(
  writer: Writer,
  userId: number,
  { name, mayWrite, expiresAt, runId }: NewApiToken,
): Promise<{ id: number; token: string }> {
  const token = apiTokenPrefix + newSecret(30);
  const { id } = await writer
    .insertInto("api_tokens")
    .values({
      user_id: userId,
      name,
      prefix: token.slice(0, shownCharacters),
      digest: digestOf(token),
      may_write: mayWrite,
      created_at: timestampNow(),
      expires_at: expiresAt,
      run_id: runId ?? null,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return { id, token };
}

export interface FoundApiToken {
  id: number;
  user_id: number;
  may_write: boolean | number;
  last_used_at: string | null;
  /** Of the run of an add-on for which the token was made. */
  run_id: number | null;
  run_uuid: string | null;
  run_event: number | null;
  run_scope: string | null;
}

/** The token, or null if it is unknown or has expired. */
export async function findApiToken(database: Database, token: string): Promise<FoundApiToken | null> {
  const values = { digest: digestOf(token), now: timestampNow() };
  const [found] = await database.prepared.rows<FoundApiToken>(
    "api token",
    () => sql`select api_tokens.id, api_tokens.user_id, may_write, last_used_at, run_id,
          addon_runs.uuid as run_uuid, addon_runs.event_id as run_event, addon_runs.scope as run_scope
        from api_tokens left join addon_runs on addon_runs.id = run_id
        where digest = ${parameter("digest")} and (expires_at is null or expires_at > ${parameter("now")})`,
    values,
  );
  return found ?? null;
}

/** Records that a token was used. At most once a minute, because each record is a write. */
export async function noteUse(database: Database, { id, last_used_at }: FoundApiToken): Promise<void> {
  if (last_used_at !== null && last_used_at > timestampIn(-60)) return;
  await database.write((writer) =>
    writer.updateTable("api_tokens").set({ last_used_at: timestampNow() }).where("id", "=", id).execute(),
  );
}

export interface ListedApiToken {
  id: number;
  name: string;
  prefix: string;
  may_write: boolean | number;
  created_at: string;
  expires_at: string | null;
  last_used_at: string | null;
}

const listedColumns = [
  "id",
  "name",
  "prefix",
  "may_write",
  "created_at",
  "expires_at",
  "last_used_at",
] as const;

export async function listApiTokens(reader: Reader, userId: number): Promise<ListedApiToken[]> {
  return reader
    .selectFrom("api_tokens")
    .select(listedColumns)
    .where("user_id", "=", userId)
    .orderBy("id")
    .execute();
}

/** One page of the user's tokens, oldest first. */
export async function listOwnApiTokens(
  database: Database,
  userId: number,
  cursor: Cursor,
  limit: number,
): Promise<Page<ListedApiToken>> {
  const columns = sql.join(listedColumns.map((name) => sql.ref(`api_tokens.${name}`)));
  return new Conditions(database.dialect, "api_tokens")
    .equals("user_id", userId)
    .page(database, columns, cursor, limit);
}

export async function findOwnApiToken(
  reader: Reader,
  userId: number,
  id: number,
): Promise<ListedApiToken | null> {
  const found = await reader
    .selectFrom("api_tokens")
    .select(listedColumns)
    .where("user_id", "=", userId)
    .where("id", "=", id)
    .executeTakeFirst();
  return found ?? null;
}

/** Returns whether the user had this token. */
export async function removeOwnApiToken(writer: Writer, userId: number, id: number): Promise<boolean> {
  const removed = await writer
    .deleteFrom("api_tokens")
    .where("user_id", "=", userId)
    .where("id", "=", id)
    .executeTakeFirst();
  return removed.numDeletedRows > 0n;
}

export async function removeOwnApiTokens(writer: Writer, userId: number): Promise<void> {
  await removeRows(writer, "api_tokens", { user_id: userId });
}

/** Whether the user has a token that has not expired. */
export async function hasApiTokens(reader: Reader, userId: number): Promise<boolean> {
  const found = await reader
    .selectFrom("api_tokens")
    .select("id")
    .where("user_id", "=", userId)
    .where((row) => row.or([row("expires_at", "is", null), row("expires_at", ">", timestampNow())]))
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

/** Removes the tokens with this id or prefix. Returns their number. */
export async function removeApiTokens(
  writer: Writer,
  which: { id: number } | { prefix: string },
): Promise<number> {
  const removal = writer.deleteFrom("api_tokens");
  const removed = await (
    "id" in which ? removal.where("id", "=", which.id) : removal.where("prefix", "=", which.prefix)
  ).executeTakeFirst();
  return Number(removed.numDeletedRows);
}
