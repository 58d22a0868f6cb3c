import type { Context } from "../../context.ts";
import type { Database } from "../../database/database.ts";
import { invalidFields, notFound } from "../../errors.ts";
import { readFields } from "../../http/fields/fields.ts";
import type { Members } from "../../http/request/body.ts";
import { decodeCursor } from "../../http/request/cursor.ts";
import type { SignedInViewer } from "../../http/request/viewer.ts";
import { byPerson } from "../organizations/membership-history-store.ts";
import { emailIsTaken, lockAccount } from "../users/account-store.ts";
import { setActive, setAdministrator, setProfile } from "../users/change-account-store.ts";
import { UserError, addUser } from "../users/add-user.ts";
import { type PasswordLink, addPasswordLink } from "../users/credentials/password-link-store.ts";
import { hasMail, queueMail } from "../mails/mail-store.ts";
import { changedUserFields, newUserFields, passwordLinkFields } from "./fields.ts";
import { type AdministeredUser, listAdministeredUsers } from "./user-store.ts";

/** @throws {ApiError} 404 if no user with an account has this id. */
export async function getUser(database: Database, id: number): Promise<AdministeredUser> {
  const [user] = (await listAdministeredUsers(database, { id }, decodeCursor(undefined, null), 1)).rows;
  if (user === undefined) throw notFound();
  return user;
}

/**
 * Creates an account and a link with which its user chooses a password.
 *
 * @throws {ApiError} 400 with messages by field.
 */
export async function inviteUser(
  context: Context,
  viewer: SignedInViewer,
  members: Members,
): Promise<{ id: number; link: PasswordLink | null }> {
  const fields = readFields(newUserFields, members, "whole");
  const { username = "", name, email = "", organization = "", is_administrator = false } = fields;
  const isMailed = fields.send_mail === true;
  if (isMailed) checkMail(context, email);
  const id = await addUser(context, {
    username,
    password: null,
    name: name ?? null,
    email: email === "" ? null : email,
    organization: organization === "" ? null : organization,
    isAdministrator: is_administrator,
    by: byPerson(viewer.id),
  }).catch((error: unknown) => {
    throw error instanceof UserError ? invalidFields({ [error.field]: [`${error.message}.`] }) : error;
  });
  if (id === null) throw notFound();
  return { id, link: await linkFor(context, { id, kind: "invitation", isMailed }) };
}

/** @throws {ApiError} 400 if a user with this email address cannot get a mail. */
function checkMail({ config }: Pick<Context, "config">, email: string): void {
  if (!hasMail(config)) throw invalidFields({ send_mail: ["No mail server is set up."] });
  if (email === "") throw invalidFields({ send_mail: ["The user has no email address."] });
}

/** Creates a link, or queues a mail that will contain one: then the result is null. */
async function linkFor(
  { database, jobs }: Pick<Context, "database" | "jobs">,
  { id, kind, isMailed }: { id: number; kind: "invitation" | "reset"; isMailed: boolean },
): Promise<PasswordLink | null> {
  if (!isMailed) return database.write((writer) => addPasswordLink(writer, id));
  await database.write((writer) => queueMail(writer, { kind, userId: id }));
  jobs.notify();
  return null;
}

/**
 * Administrators cannot disable themselves or give up their own role, so that one always remains.
 *
 * @throws {ApiError} 400 with messages by field, or 404.
 */
export async function changeUser(
  { database }: Pick<Context, "database">,
  viewer: SignedInViewer,
  id: number,
  members: Members,
): Promise<void> {
  const fields = readFields(changedUserFields, members, "part");
  const { is_active, is_administrator, ...profile } = fields;
  if (id === viewer.id) {
    const message = "You cannot take this from yourself. Ask another administrator.";
    if (is_active === false) throw invalidFields({ is_active: [message] });
    if (is_administrator === false) throw invalidFields({ is_administrator: [message] });
  }
  const user = await getUser(database, id);
  const by = byPerson(viewer.id);
  await database.write(async (writer) => {
    await database.dialect.lockForWriting("users")?.execute(writer);
    await lockAccount(writer, database.dialect, id);
    const { email = "" } = profile;
    if (email !== "" && (await emailIsTaken(writer, email, id))) {
      throw invalidFields({ email: ["Another user has this email address."] });
    }
    if (Object.keys(profile).length > 0) await setProfile(writer, id, profile);
    if (is_active !== undefined && is_active !== Boolean(user.is_active))
      await setActive(writer, id, is_active, by);
    if (is_administrator !== undefined) await setAdministrator(writer, id, is_administrator, by);
  });
}

/**
 * Creates a link with which a user sets a new password, or sends one by mail: then the result is null.
 *
 * @throws {ApiError} 404, or 400 if the user is disabled or cannot get a mail.
 */
export async function linkUser(context: Context, id: number, members: Members): Promise<PasswordLink | null> {
  const { send_mail: isMailed = false } = readFields(passwordLinkFields, members, "whole");
  const user = await getUser(context.database, id);
  if (!user.is_active) throw invalidFields({ non_field_errors: [`${user.username} is disabled.`] });
  if (isMailed) checkMail(context, user.email);
  return linkFor(context, { id, kind: user.has_password ? "reset" : "invitation", isMailed });
}
