import type { Context } from "../../../context.ts";
import { type Account, findAccount, findAccountById, hasPasswords, lockAccount } from "../account-store.ts";
import { setPassword } from "../change-account-store.ts";
import { addUser, checkPassword } from "../add-user.ts";
import { noAccount } from "../change-account.ts";
import { addPasswordLink, findPasswordLink } from "./password-link-store.ts";

const firstUsername = "admin";

/**
 * Creates a link with which the user of an account sets a password, once. Returns the token in it.
 *
 * @throws Error if no account has this username, or if the account is disabled.
 */
export async function createPasswordLink(
  { database }: Pick<Context, "database">,
  username: string,
): Promise<string> {
  return database.write(async (writer) => {
    const account = await findAccount(writer, username);
    if (account === null) throw noAccount(username);
    if (!account.isActive) throw new Error(`${username} is disabled`);
    return (await addPasswordLink(writer, account.id)).token;
  });
}

/**
 * Makes sure that somebody can sign in: adds an administrator if there is no account, and creates a link if nobody has
 * chosen a password yet. Returns the username and the token; null if someone has a password. Links of earlier calls
 * stay valid, so several processes may start at once.
 */
export async function linkOfFirstAdministrator(
  context: Pick<Context, "database" | "passwords">,
): Promise<{ username: string; token: string } | null> {
  await addFirstAdministrator(context);
  const { database } = context;
  if (await hasPasswords(database.reader)) return null;
  const account = await findAccount(database.reader, firstUsername);
  if (account === null || !account.isActive) return null;
  return { username: firstUsername, token: await createPasswordLink(context, firstUsername) };
}

/** Adds an administrator without a password if nobody has an account. */
export async function addFirstAdministrator(context: Pick<Context, "database" | "passwords">): Promise<void> {
  await addUser(context, {
    username: firstUsername,
    password: null,
    name: "Administrator",
    email: null,
    organization: null,
    isAdministrator: true,
    onlyFirst: true,
  });
}

/**
 * Sets the password of the account that a link is for and ends the link. Returns the account, which can begin a
 * session; null if the link is unknown, used or expired.
 *
 * @throws Error if the password is not allowed.
 */
export async function setPasswordByLink(
  { database, passwords }: Pick<Context, "database" | "passwords">,
  token: string,
  password: string,
): Promise<Account | null> {
  checkPassword(password);
  if ((await findPasswordLink(database.reader, token)) === null) return null;
  const hash = await passwords.hash(password);
  return database.write(async (writer) => {
    const user = await findPasswordLink(writer, token);
    if (user === null) return null;
    // Two requests with one link wait for each other here, and the second finds the link used.
    await lockAccount(writer, database.dialect, user.id);
    if ((await findPasswordLink(writer, token)) === null) return null;
    await setPassword(writer, user.id, hash);
    return findAccountById(writer, user.id);
  });
}
