import { randomUUID } from "node:crypto";
import type { Context } from "../../context.ts";
import type { Database, Writer } from "../../database/database.ts";
import {
  addIndividualOrganization,
  addOrganization,
  findOrganizationNamed,
  setMember,
} from "../organizations/member-store.ts";
import {
  type AccountDetails,
  emailIsTaken,
  findNamesake,
  hasAccounts,
  insertAccount,
  isUsername,
  makeAccount,
  setActiveOrganization,
} from "./account-store.ts";

export interface NewUser {
  username: string;
  password: string;
  name: string | null;
  email: string | null;
  /** The name of one that is made if need be. Null: they only have their own. */
  organization: string | null;
  isAdministrator: boolean;
  /** Only where nobody else has an account: of processes that start together one makes the first. */
  onlyFirst?: boolean;
}

/**
 * Gives someone an account: a new user, or one whom records named so far and whose documents are then theirs. They have
 * an organization of their own, and what they make belongs to it, unless an organization is named. False when they were
 * only wanted as the first and were not.
 *
 * @throws Error that says what is wrong with what was given.
 */
export async function addUser(
  { database, passwords }: Pick<Context, "database" | "passwords">,
  user: NewUser,
): Promise<boolean> {
  const { username, email, name, isAdministrator } = user;
  checkUsername(username);
  checkPassword(user.password);
  if (email !== null && (!/^[^\s@]+@[^\s@]+$/.test(email) || email.length > 254)) {
    throw new Error(`${email}: no email address`);
  }
  const passwordHash = await passwords.hash(user.password);
  return database.write(async (writer) => {
    await database.dialect.lockForWriting("users")?.execute(writer);
    if (user.onlyFirst === true && (await hasAccounts(writer))) return false;
    const known = await findNamesake(writer, username);
    if (known?.hasPassword === true) throw new Error(`There is a user ${known.username} already`);
    if (email !== null && (await emailIsTaken(writer, email))) {
      throw new Error(`There is a user with the email address ${email} already`);
    }
    const details: AccountDetails = { name, email, passwordHash, isAdministrator };
    const uuid = known?.uuid ?? randomUUID();
    const id = known?.id ?? (await insertAccount(writer, { ...details, uuid, username }));
    if (known !== null) await makeAccount(writer, id, details);
    const own = { uuid, username: known?.username ?? username, isKnown: known !== null };
    const individual = await addIndividualOrganization(writer, own);
    await setMember(writer, { organization: individual, user: id, isAdmin: true });
    const chosen =
      user.organization === null ? null : await ensureOrganization(database, writer, user.organization);
    if (chosen !== null) await setMember(writer, { organization: chosen, user: id, isAdmin: false });
    await setActiveOrganization(writer, id, chosen ?? individual);
    return true;
  });
}

async function ensureOrganization(
  { dialect }: Database,
  writer: Writer,
  name: string,
): Promise<number | null> {
  const made = await addOrganization(writer, dialect, checkedName(name));
  return made ?? findOrganizationNamed(writer, name);
}

function checkUsername(username: string): void {
  if (isUsername(username)) return;
  throw new Error(`${username}: a username has 1 to 150 letters (a to z), digits and @ . + - _`);
}

/** @throws Error when it has none or is too long. */
export function checkedName(name: string): string {
  if (name.trim() === "" || name.length > 255) throw new Error("A name has 1 to 255 characters");
  return name;
}

/** Long, not complicated: what is asked for beyond length makes people choose what is easily guessed. */
export const minPasswordLength = 10;
export const maxPasswordLength = 1000;

/** @throws Error for one that nobody may choose. */
export function checkPassword(password: string): void {
  const length = Array.from(password).length;
  if (length < minPasswordLength || length > maxPasswordLength) {
    throw new Error(`A password has ${minPasswordLength} to ${maxPasswordLength} characters`);
  }
  if (password.includes("\0") || !password.isWellFormed()) throw new Error("A password is text");
}
