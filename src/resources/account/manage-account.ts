import type { Context } from "../../context.ts";
import { invalidFields, notFound, throttled } from "../../errors.ts";
import { readFields } from "../../http/fields/fields.ts";
import type { Members } from "../../http/request/body.ts";
import type { SignedInViewer } from "../../http/request/viewer.ts";
import { TooBusyError } from "../../semaphore.ts";
import { areFoundByEmail, findAccountById, findProfile } from "../users/account-store.ts";
import { changeOwnPassword, changeProfile } from "../users/change-account.ts";
import { endConnections } from "../users/end-connections.ts";
import { addApiToken, removeOwnApiToken, removeOwnApiTokens } from "../users/credentials/api-token-store.ts";
import {
  addSession,
  findSessionMethod,
  removeOtherSessions,
  removeOwnSession,
} from "../users/credentials/session-store.ts";
import { hasPassword, signIn } from "../users/credentials/sign-in.ts";
import { newTokenFields, passwordFields, profileFields } from "./fields.ts";

/*
 * The actions of users on their own accounts, for the API and for the page. Each throws an ApiError 400 with messages
 * by field if a value is invalid.
 */

export async function changeOwnProfile(
  context: Context,
  viewer: SignedInViewer,
  members: Members,
  address: string,
): Promise<void> {
  const { current_password = "", ...profile } = readFields(profileFields, members, "part");
  const before = await findProfile(context.database.reader, viewer.id);
  if (before !== null && (profile.email ?? before.email) !== before.email) {
    await checkEmail(context, viewer, profile.email);
    const account = await findAccountById(context.database.reader, viewer.id);
    if (account !== null && hasPassword(context.config, account))
      await checkPassword(context, viewer, current_password, address);
  }
  if (await changeProfile(context, viewer.id, profile)) return;
  throw invalidFields({ email: ["Another user has this email address."] });
}

/**
 * Where an identity provider finds accounts by their email addresses, people could enter that of somebody else, who
 * would then be signed in to their account: nobody has checked an address that was entered here.
 */
async function checkEmail(
  { database }: Pick<Context, "database">,
  viewer: SignedInViewer,
  email = "",
): Promise<void> {
  if (email === "" || viewer.isAdministrator || !(await areFoundByEmail(database.reader))) return;
  throw invalidFields({
    email: ["Only an administrator can enter another address: it leads to this account."],
  });
}

/**
 * A wrong password counts as a failed attempt to sign in, so that it cannot be guessed here.
 *
 * @throws {ApiError} 400, or 429 after too many attempts.
 */
async function checkPassword(
  context: Context,
  { id, username }: SignedInViewer,
  password: string,
  address: string,
): Promise<void> {
  const account = password === "" ? null : await signIn(context, { username, password, address });
  if (account?.id !== id) throw invalidFields({ current_password: ["This is not your password."] });
}

/**
 * Sets a new password, which ends all sessions. Returns the secret of a new session for a browser, or null for a viewer
 * without a session.
 *
 * @throws {ApiError} 400, or 429 after too many attempts.
 */
export async function replacePassword(
  context: Context,
  viewer: SignedInViewer,
  members: Members,
  client: { address: string; browser: string | undefined; secret: string | null },
): Promise<string | null> {
  const { current_password = "", password = "" } = readFields(passwordFields, members, "whole");
  const { id, csrfToken } = viewer;
  await checkPassword(context, viewer, current_password, client.address);
  const method = await findSessionMethod(context.database.reader, client.secret ?? "");
  await changeOwnPassword(context, id, password).catch((error: unknown) => {
    throw error instanceof TooBusyError ? throttled(1) : error;
  });
  if (csrfToken === null) return null;
  const changed = await findAccountById(context.database.reader, id);
  return changed && addSession(context, changed, client.browser, method);
}

export async function createOwnToken(
  { database }: Context,
  { id }: SignedInViewer,
  members: Members,
): Promise<{ id: number; token: string }> {
  const fields = readFields(newTokenFields, members, "whole");
  const { name = "", may_write: mayWrite = false, expires_at: expiresAt = null } = fields;
  return database.write((writer) => addApiToken(writer, id, { name, mayWrite, expiresAt }));
}

/** @throws {ApiError} 404 if the viewer has no such token. */
export async function revokeOwnToken(
  { database }: Context,
  viewer: SignedInViewer,
  id: number,
): Promise<void> {
  if (!(await database.write((writer) => removeOwnApiToken(writer, viewer.id, id)))) throw notFound();
}

export async function revokeOwnTokens({ database }: Context, viewer: SignedInViewer): Promise<void> {
  await database.write((writer) => removeOwnApiTokens(writer, viewer.id));
}

/**
 * Signs the viewer out everywhere but in the session with this cookie: ends their other sessions, and their connections
 * of assistants, whose number it returns.
 */
export async function signOutElsewhere(
  { database }: Context,
  { id }: SignedInViewer,
  secret: string | null,
): Promise<{ assistants: number }> {
  return database.write(async (writer) => {
    await removeOtherSessions(writer, id, secret);
    return { assistants: await endConnections(writer, id, {}, id) };
  });
}

/** @throws {ApiError} 404 if the viewer has no such connection. */
export async function endOwnConnection(
  { database }: Context,
  viewer: SignedInViewer,
  id: number,
): Promise<void> {
  const ended = await database.write((writer) => endConnections(writer, viewer.id, { id }, viewer.id));
  if (ended === 0) throw notFound();
}

/** @throws {ApiError} 404 if the viewer has no such session. */
export async function endOwnSession(
  { database }: Context,
  viewer: SignedInViewer,
  id: string,
): Promise<void> {
  if (!(await database.write((writer) => removeOwnSession(writer, viewer.id, id)))) throw notFound();
}
