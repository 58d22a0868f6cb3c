import { type SqlBool, sql } from "kysely";
import { asciiLower } from "../../database/ascii-lower.ts";
import type { Reader, Writer } from "../../database/database.ts";
import type { Dialect } from "../../database/dialect.ts";
import { hasRow } from "../../database/rows.ts";
import type { NoticeChoices } from "./notice-choices.ts";

/** Stands for the hash of an account whose user has not chosen a password yet. No password matches it. */
export const unsetPassword = "unset";

/** The facts about a user with an account that signing in needs. */
export interface Account {
  id: number;
  uuid: string;
  username: string;
  passwordHash: string;
  isActive: boolean;
  isAdministrator: boolean;
  tokenGeneration: number;
}

/**
 * Whether an account may have this username. Only ASCII is allowed, so that letters of different alphabets cannot be
 * confused. Users that only imported records name may have other usernames.
 */
export function isUsername(text: string): boolean {
  return /^[A-Za-z0-9@.+_-]{1,150}$/.test(text);
}

/** Finds an account, ignoring case: no two accounts have usernames that differ only in case. */
export async function findAccount(reader: Reader, username: string): Promise<Account | null> {
  if (!isUsername(username)) return null;
  return accountOf(await accounts(reader).where(hasUsername(username)).executeTakeFirst());
}

/** Finds an account by its email address, ignoring case. `findAccount` reads nothing for a text that is no username. */
export async function findAccountByEmail(reader: Reader, email: string): Promise<Account | null> {
  return accountOf(
    await accounts(reader)
      .where(sql<SqlBool>`lower(email) = ${asciiLower(email)}`)
      .where("email", "<>", "")
      .executeTakeFirst(),
  );
}

/** Whether somebody gets an account by its email address, by signing in at an identity provider. */
export async function areFoundByEmail(reader: Pick<Reader, "selectFrom">): Promise<boolean> {
  return hasRow(reader, "identity_providers", { is_enabled: true, links_by_email: true });
}

export async function findAccountById(reader: Reader, id: number): Promise<Account | null> {
  return accountOf(await accounts(reader).where("id", "=", id).executeTakeFirst());
}

/** The ids of the users among these who have an account. */
export async function findAccountIds(
  reader: Pick<Reader, "selectFrom">,
  userIds: readonly number[],
): Promise<Set<number>> {
  const rows = await reader
    .selectFrom("users")
    .select("id")
    .where("id", "in", userIds)
    .where("password_hash", "is not", null)
    .execute();
  return new Set(rows.map(({ id }) => id));
}

function accounts(reader: Reader) {
  return reader
    .selectFrom("users")
    .select(["id", "uuid", "username", "password_hash", "is_active", "is_administrator", "token_generation"])
    .where("password_hash", "is not", null);
}

type AccountRow = Awaited<ReturnType<ReturnType<typeof accounts>["executeTakeFirst"]>>;

function accountOf(row: AccountRow): Account | null {
  if (row === undefined || row.password_hash === null) return null;
  return {
    id: row.id,
    uuid: row.uuid,
    username: row.username,
    passwordHash: row.password_hash,
    isActive: Boolean(row.is_active),
    isAdministrator: Boolean(row.is_administrator),
    tokenGeneration: row.token_generation,
  };
}

/** Matches the expression of the index. */
function hasUsername(username: string) {
  return sql<SqlBool>`lower(username) = ${asciiLower(username)}`;
}

/** Whether anyone has an account. */
export async function hasAccounts(reader: Reader): Promise<boolean> {
  return (await accounts(reader).limit(1).execute()).length > 0;
}

/** Whether anyone has chosen a password. */
export async function hasPasswords(reader: Reader): Promise<boolean> {
  const chosen = accounts(reader).where("password_hash", "<>", unsetPassword);
  return (await chosen.limit(1).execute()).length > 0;
}

/** The users whose accounts are enabled, administrators first. */
export async function findActiveAccounts(reader: Pick<Reader, "selectFrom">): Promise<{ id: number }[]> {
  return reader
    .selectFrom("users")
    .select("id")
    .where("password_hash", "is not", null)
    .where("is_active", "=", true)
    .orderBy("is_administrator", "desc")
    .orderBy("id")
    .execute();
}

/** The user with a certain username, who has an account or is only named in records. */
export interface Namesake {
  id: number;
  uuid: string;
  username: string;
  hasPassword: boolean;
}

export async function findNamesake(reader: Reader, username: string): Promise<Namesake | null> {
  const row = await namesakes(reader)
    .where(hasUsername(username))
    .orderBy(sql`password_hash is null`)
    .orderBy(sql`username <> ${username}`)
    .orderBy("id")
    .limit(1)
    .executeTakeFirst();
  return namesakeOf(row);
}

/** The user with this id, who has an account or is only named in records. */
export async function findKnownUser(reader: Reader, id: number): Promise<Namesake | null> {
  return namesakeOf(await namesakes(reader).where("id", "=", id).executeTakeFirst());
}

function namesakes(reader: Reader) {
  return reader
    .selectFrom("users")
    .select(["id", "uuid", "username", sql<boolean | number>`password_hash is not null`.as("has_password")]);
}

function namesakeOf(
  row: Awaited<ReturnType<ReturnType<typeof namesakes>["executeTakeFirst"]>>,
): Namesake | null {
  if (row === undefined) return null;
  return { id: row.id, uuid: row.uuid, username: row.username, hasPassword: Boolean(row.has_password) };
}

/** @param except the user who may have it. */
export async function emailIsTaken(writer: Writer, email: string, except = 0): Promise<boolean> {
  const found = await writer
    .selectFrom("users")
    .select("id")
    .where(sql<SqlBool>`lower(email) = ${asciiLower(email)}`)
    .where("id", "<>", except)
    .executeTakeFirst();
  return found !== undefined;
}

export interface Profile {
  username: string;
  name: string;
  /** Empty if unknown. */
  email: string;
  /** Empty if the browser's languages decide. */
  language: string;
  /** Empty for UTC. */
  time_zone: string;
  /** Whether they get mails that only inform. */
  mail_notices: boolean | number;
  /** JSON text: see migrations/baseline/people.ts. */
  notice_choices: string;
  is_administrator: boolean | number;
}

/** The part of a profile that its user may change. */
export type ProfileChange = Partial<
  Pick<Profile, "name" | "email" | "language" | "time_zone"> & { mail_notices: boolean } & NoticeChoices
>;

export async function findProfile(reader: Reader, id: number): Promise<Profile | null> {
  const found = await reader
    .selectFrom("users")
    .select([
      "username",
      "name",
      "email",
      "language",
      "time_zone",
      "mail_notices",
      "notice_choices",
      "is_administrator",
    ])
    .where("id", "=", id)
    .executeTakeFirst();
  return found ?? null;
}

/**
 * Whether the account is unchanged since its password was checked. Checking takes long, and meanwhile the password may
 * have changed. Locks the account until the transaction ends.
 */
export async function isStillAccount(
  writer: Writer,
  dialect: Dialect,
  { id, tokenGeneration }: Pick<Account, "id" | "tokenGeneration">,
): Promise<boolean> {
  const found = await writer
    .selectFrom("users")
    .select("id")
    .where("id", "=", id)
    .where("is_active", "=", true)
    .where("token_generation", "=", tokenGeneration)
    .modifyEnd(dialect.forUpdate)
    .executeTakeFirst();
  return found !== undefined;
}

/** Whether the user exists and is not disabled. */
export async function isActiveUser(reader: Reader, id: number): Promise<boolean> {
  return hasRow(reader, "users", { id, is_active: true });
}

/** Locks the account against changes and sign-ins until the transaction ends. */
export async function lockAccount(writer: Writer, dialect: Dialect, id: number): Promise<void> {
  await writer.selectFrom("users").select("id").where("id", "=", id).modifyEnd(dialect.forUpdate).execute();
}

export interface ListedAccount {
  id: number;
  username: string;
  name: string;
  email: string;
  isAdministrator: boolean;
  isActive: boolean;
  /** Null if the user has never signed in with the password. */
  signedInAt: string | null;
}

/** All users with an account, ordered by username. */
export async function listAccounts(reader: Reader): Promise<ListedAccount[]> {
  const rows = await reader
    .selectFrom("users")
    .select((users) => [
      "id",
      "username",
      "name",
      "email",
      "is_administrator",
      "is_active",
      users
        .selectFrom("known_networks")
        .whereRef("known_networks.user_id", "=", "users.id")
        .select((networks) => networks.fn.max("seen_at").as("at"))
        .as("signed_in_at"),
    ])
    .where("password_hash", "is not", null)
    .orderBy(sql`lower(username)`)
    .execute();
  return rows.map(({ id, username, name, email, is_administrator, is_active, signed_in_at }) => ({
    id,
    username,
    name,
    email,
    isAdministrator: Boolean(is_administrator),
    isActive: Boolean(is_active),
    signedInAt: signed_in_at,
  }));
}
