import { createHmac } from "node:crypto";
import { type Insertable, sql } from "kysely";
import type { Database, Reader, Writer } from "../../../database/database.ts";
import { parameter } from "../../../database/prepared-queries.ts";
import type { SessionsTable } from "../../../database/tables.ts";
import type { SessionCookies } from "../../../http/request/session-cookies.ts";
import { timestampIn, timestampNow } from "../../../http/text/timestamp.ts";
import { type Account, isStillAccount } from "../account-store.ts";
import { digestOf, newSecret } from "../../../secrets/digest.ts";
import { removeRows, valueOf } from "../../../database/rows.ts";

/** Two weeks. */
export const sessionSeconds = 14 * 24 * 3600;

const maxBrowserLength = 300;
const sessionIdLength = 24;

/**
 * Begins a session and returns its cookie's value. Null if the account has changed since its password was checked.
 *
 * @param browser the User-Agent header, by which the user recognises the session in a list.
 */
export async function addSession(
  { database }: { database: Database },
  account: Pick<Account, "id" | "tokenGeneration">,
  browser = "",
  method: SessionMethod = "password",
): Promise<string | null> {
  return database.write(async (writer) => {
    if (!(await isStillAccount(writer, database.dialect, account))) return null;
    return insertSession(writer, { user_id: account.id, browser, method });
  });
}

/** How a session was begun: with a password alone, or what besides. */
export const sessionMethods = ["password", "totp", "passkey", "recovery code"] as const;
export type SessionMethod = (typeof sessionMethods)[number];

/** Where and how a session began. */
export type SessionOrigin = Pick<Insertable<SessionsTable>, "provider_id" | "provider_session" | "method">;

/** Begins a session of an account that the transaction has locked, and returns its cookie's value. */
export async function insertSession(
  writer: Writer,
  { browser, user_id, ...origin }: { user_id: number; browser: string } & SessionOrigin,
): Promise<string> {
  const secret = newSecret(32);
  const now = timestampNow();
  await writer.deleteFrom("sessions").where("user_id", "=", user_id).where("expires_at", "<=", now).execute();
  await writer
    .insertInto("sessions")
    .values({
      digest: digestOf(secret),
      user_id,
      browser: browser.slice(0, maxBrowserLength),
      created_at: now,
      seen_at: now,
      expires_at: timestampIn(sessionSeconds),
      ...origin,
    })
    .execute();
  return secret;
}

export interface FoundSession {
  digest: string;
  user_id: number;
  seen_at: string | null;
}

/** The session of a cookie. Null if it does not exist or has expired. */
export async function findSession(database: Database, secret: string): Promise<FoundSession | null> {
  const values = { digest: digestOf(secret), now: timestampNow() };
  const [found] = await database.prepared.rows<FoundSession>(
    "session",
    () => sql`select digest, user_id, seen_at from sessions
        where digest = ${parameter("digest")} and expires_at > ${parameter("now")}`,
    values,
  );
  return found ?? null;
}

/** How the session of a cookie was begun. */
export async function findSessionMethod(reader: Reader, secret: string): Promise<SessionMethod> {
  const method = await valueOf(reader, "sessions", "method", { digest: digestOf(secret) });
  return sessionMethods.find((one) => one === method) ?? "password";
}

/** Where and how the session of a cookie was begun; null if there is no such session. */
export async function findSessionOrigin(
  reader: Pick<Reader, "selectFrom">,
  secret: string,
): Promise<{ provider_id: number | null; method: string } | null> {
  const row = await reader
    .selectFrom("sessions")
    .select(["provider_id", "method"])
    .where("digest", "=", digestOf(secret))
    .where("expires_at", ">", timestampNow())
    .executeTakeFirst();
  return row ?? null;
}

const minSecondsBetweenRecords = 600;

/** Records that a session was used. At most once in ten minutes, because each record is a write. */
export async function noteSessionUse(database: Database, { digest, seen_at }: FoundSession): Promise<void> {
  if (seen_at !== null && seen_at > timestampIn(-minSecondsBetweenRecords)) return;
  await database.write((writer) =>
    writer.updateTable("sessions").set({ seen_at: timestampNow() }).where("digest", "=", digest).execute(),
  );
}

export interface ListedSession {
  digest: string;
  browser: string;
  created_at: string;
  seen_at: string | null;
  expires_at: string;
  /** The name of the identity provider at which it began; null for a password. */
  provider: string | null;
  /** How it began, if not at a provider; empty if that was not recorded. */
  method: string;
}

const maxListed = 100;

/** The user's newest sessions that have not expired, newest first. */
export async function listSessions(reader: Reader, userId: number): Promise<ListedSession[]> {
  return reader
    .selectFrom("sessions")
    .leftJoin("identity_providers", "identity_providers.id", "sessions.provider_id")
    .select([
      "digest",
      "browser",
      "sessions.created_at",
      "seen_at",
      "expires_at",
      "identity_providers.name as provider",
      "method",
    ])
    .where("user_id", "=", userId)
    .where("expires_at", ">", timestampNow())
    .orderBy("sessions.created_at", "desc")
    .orderBy("digest")
    .limit(maxListed)
    .execute();
}

/** The beginning of the session's digest: enough to tell a user's sessions apart, but useless for signing in. */
export function sessionIdOf({ digest }: Pick<ListedSession, "digest">): string {
  return digest.slice(0, sessionIdLength);
}

/** Whether a cookie with this secret belongs to the session. */
export function isSessionOf({ digest }: Pick<ListedSession, "digest">, secret: string): boolean {
  return digest === digestOf(secret);
}

/** Returns whether the user had a session with this id. */
export async function removeOwnSession(writer: Writer, userId: number, id: string): Promise<boolean> {
  if (!/^[0-9a-f]+$/.test(id) || id.length !== sessionIdLength) return false;
  const removed = await writer
    .deleteFrom("sessions")
    .where("user_id", "=", userId)
    .where("digest", "like", `${id}%`)
    .executeTakeFirst();
  return removed.numDeletedRows > 0n;
}

/** @param secret the cookie of the session that stays; null for none. */
export async function removeOtherSessions(
  writer: Writer,
  userId: number,
  secret: string | null,
): Promise<void> {
  await writer
    .deleteFrom("sessions")
    .where("user_id", "=", userId)
    .where("digest", "<>", secret === null ? "" : digestOf(secret))
    .execute();
}

/** Returns the id of the identity provider at which the session began; null for a password, or without a session. */
export async function removeSession(writer: Writer, secret: string): Promise<number | null> {
  const digest = digestOf(secret);
  const provider = await valueOf(writer, "sessions", "provider_id", { digest });
  await removeRows(writer, "sessions", { digest });
  return provider;
}

/**
 * The CSRF token that writing requests of this session must carry. It is derived from the session's secret without
 * revealing it. So it need not be stored, and it changes exactly when the session does.
 */
export function csrfTokenOf(secret: string): string {
  return createHmac("sha256", secret).update("csrf").digest("base64url");
}

/** The cookies of the session with this secret. */
export function cookiesOf(secret: string): SessionCookies {
  return { secret, csrfToken: csrfTokenOf(secret), maxAgeSeconds: sessionSeconds };
}
