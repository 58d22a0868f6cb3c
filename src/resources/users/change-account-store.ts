import { addAccountChange } from "../organizations/administration-history-store.ts";
import type { ChangedBy } from "../organizations/membership-history-store.ts";
import { sql } from "kysely";
import type { Writer } from "../../database/database.ts";
import { setRows } from "../../database/rows.ts";
import { timestampNow } from "../../http/text/timestamp.ts";
import type { Account, ProfileChange } from "./account-store.ts";
import { endConnections } from "./end-connections.ts";
import { withChoices } from "./notice-choices.ts";

export interface AccountDetails {
  /** Null keeps the current name. A new user gets the username as name. */
  name: string | null;
  email: string | null;
  passwordHash: string;
  isAdministrator: boolean;
}

/** Without an id, the account gets the next one. After one with an id, call `dialect.afterOwnIds("users")`. */
export async function insertAccount(
  writer: Writer,
  {
    id: ownId,
    uuid,
    username,
    name,
    email,
    passwordHash,
    isAdministrator,
  }: AccountDetails & { id: number | null; uuid: string; username: string },
): Promise<number> {
  const now = timestampNow();
  const { id } = await writer
    .insertInto("users")
    .values({
      ...(ownId !== null && { id: ownId }),
      uuid,
      username,
      name: name ?? username,
      email: email ?? "",
      password_hash: passwordHash,
      is_administrator: isAdministrator,
      created_at: now,
      updated_at: now,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

/** Gives an account to a user who was only named in records so far, and this username. */
export async function makeAccount(
  writer: Writer,
  id: number,
  { username, name, email, passwordHash, isAdministrator }: AccountDetails & { username: string },
): Promise<void> {
  await setRows(
    writer,
    "users",
    { id },
    {
      username,
      password_hash: passwordHash,
      is_active: true,
      is_administrator: isAdministrator,
      updated_at: timestampNow(),
      ...(name === null ? {} : { name }),
      ...(email === null ? {} : { email }),
    },
  );
}

/** Sets the organization that everything the user creates from now on belongs to. */
export async function setActiveOrganization(
  writer: Writer,
  user: number,
  organization: number,
): Promise<void> {
  await setRows(writer, "users", { id: user }, { organization_id: organization, updated_at: timestampNow() });
}

/** If the organization is the user's active one, their individual organization becomes active instead. */
export async function leaveActiveOrganization(
  writer: Writer,
  user: number,
  organization: number,
): Promise<void> {
  await writer
    .updateTable("users")
    .set({
      organization_id: sql<number>`(select organizations.id from organizations
        where organizations.uuid = users.uuid and organizations.individual)`,
      updated_at: timestampNow(),
    })
    .where("id", "=", user)
    .where("organization_id", "=", organization)
    .execute();
}

/** Sets a new password. It ends all sessions and tokens that were obtained with the old one, and all password links. */
export async function setPassword(writer: Writer, user: number, passwordHash: string): Promise<void> {
  await writer.updateTable("users").set({ password_hash: passwordHash }).where("id", "=", user).execute();
  await endSignIns(writer, user);
}

/** Enables or disables a user. Disabled users cannot sign in, and their sessions, tokens and password links end. */
export async function setActive(
  writer: Writer,
  user: number,
  isActive: boolean,
  by: ChangedBy,
): Promise<void> {
  const changed = await setRows(writer, "users", { id: user, is_active: !isActive }, { is_active: isActive });
  if (changed > 0)
    await addAccountChange(writer, user, isActive ? "account_enabled" : "account_disabled", by);
  if (!isActive) await endSignIns(writer, user);
}

/** Makes a user an administrator, or an ordinary user. */
export async function setAdministrator(
  writer: Writer,
  user: number,
  isAdministrator: boolean,
  by: ChangedBy,
): Promise<void> {
  const changed = await setRows(
    writer,
    "users",
    { id: user, is_administrator: !isAdministrator },
    { is_administrator: isAdministrator, updated_at: timestampNow() },
  );
  if (changed > 0)
    await addAccountChange(writer, user, isAdministrator ? "administrator_made" : "administrator_ended", by);
}

export async function setProfile(writer: Writer, id: number, profile: ProfileChange): Promise<void> {
  const { name, email, language, time_zone, mail_notices, ...chosen } = profile;
  const { notice_choices: stored } = await writer
    .selectFrom("users")
    .select("notice_choices")
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  const columns = { name, email, language, time_zone, mail_notices };
  await setRows(
    writer,
    "users",
    { id },
    {
      ...Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined)),
      notice_choices: withChoices(stored, chosen),
      updated_at: timestampNow(),
    },
  );
}

/** Stores the same password hashed at the current cost. Sessions and tokens stay valid. */
export async function replacePasswordHash(
  writer: Writer,
  { id, passwordHash }: Pick<Account, "id" | "passwordHash">,
  newHash: string,
): Promise<void> {
  await setRows(writer, "users", { id, password_hash: passwordHash }, { password_hash: newHash });
}

/** Locks the user's row first, as {@link isStillAccount} does, so that the two wait for each other. */
async function endSignIns(writer: Writer, user: number): Promise<void> {
  await writer
    .updateTable("users")
    .set({ token_generation: sql`token_generation + 1`, updated_at: timestampNow() })
    .where("id", "=", user)
    .execute();
  await writer.deleteFrom("sessions").where("user_id", "=", user).execute();
  await writer.deleteFrom("refresh_tokens").where("user_id", "=", user).execute();
  await writer.deleteFrom("password_links").where("user_id", "=", user).execute();
  await endConnections(writer, user, {}, null);
}
