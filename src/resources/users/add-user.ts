import { randomUUID } from "node:crypto";
import { organizationLimits, personLimits } from "../../contract/limits.ts";
import type { Context } from "../../context.ts";
import type { Database, Writer } from "../../database/database.ts";
import { addAccountChange } from "../organizations/administration-history-store.ts";
import {
  addOrganization,
  ensureIndividualOrganization,
  findOrganizationNamed,
  setMember,
} from "../organizations/member-store.ts";
import { type ChangedBy, byCommand } from "../organizations/membership-history-store.ts";
import {
  type Namesake,
  emailIsTaken,
  findKnownUser,
  findNamesake,
  hasAccounts,
  isUsername,
  unsetPassword,
} from "./account-store.ts";
import {
  type AccountDetails,
  insertAccount,
  makeAccount,
  setActiveOrganization,
} from "./change-account-store.ts";

/** A value of a new account is invalid. */
export class UserError extends Error {
  override readonly name = "UserError";
  readonly field: "id" | "username" | "email" | "organization" | "password";

  constructor(field: UserError["field"], message: string) {
    super(message);
    this.field = field;
  }
}

export interface NewUser {
  username: string;
  /** Null if the user chooses one later, with a link (see credentials/password-links.ts). */
  password: string | null;
  name: string | null;
  email: string | null;
  /** The name of an organization, which is created if necessary. Null for the individual organization only. */
  organization: string | null;
  isAdministrator: boolean;
  /** The id that records name the user by. Without it, a user of that username, or else a new one. */
  id?: number | null;
  /** Adds the user only if nobody has an account yet, so that only one of several starting processes adds the first. */
  onlyFirst?: boolean;
  /** Who adds the user; the command line if nothing is said. */
  by?: ChangedBy;
}

/**
 * Gives an account to a new user, or to a user whom records have named so far and who then owns those documents. The
 * user gets an individual organization, which is the active one unless another organization is named. Returns the
 * user's id, or null if `onlyFirst` is set and there was an account already.
 *
 * @throws {UserError}
 */
export async function addUser(
  { database, passwords }: Pick<Context, "database" | "passwords">,
  user: NewUser,
): Promise<number | null> {
  const { username, email } = user;
  checkUsername(username);
  if (user.password !== null) checkPassword(user.password);
  if (email !== null && !isEmailAddress(email)) {
    throw new UserError("email", `${email}: no email address`);
  }
  const passwordHash = user.password === null ? unsetPassword : await passwords.hash(user.password);
  return database.write(async (writer) => {
    await database.dialect.lockForWriting("users")?.execute(writer);
    if (user.onlyFirst === true && (await hasAccounts(writer))) return null;
    return insertUser(database, writer, { ...user, passwordHash });
  });
}

/**
 * Adds the user within a transaction that has locked the users. The values have been checked.
 *
 * @throws {UserError} if the username, the id or the email address is taken.
 */
export async function insertUser(
  database: Database,
  writer: Writer,
  user: Omit<NewUser, "password" | "onlyFirst"> & { passwordHash: string },
): Promise<number> {
  const { username, email, name, isAdministrator, passwordHash, by = byCommand } = user;
  const known = await findUnclaimedUser(writer, username, user.id ?? null);
  if (email !== null && (await emailIsTaken(writer, email))) {
    throw new UserError("email", `There is a user with the email address ${email} already`);
  }
  const details: AccountDetails = { name, email, passwordHash, isAdministrator };
  const uuid = known?.uuid ?? randomUUID();
  const ownId = user.id ?? null;
  const login = known === null || ownId !== null ? username : known.username;
  const id = known?.id ?? (await insertAccount(writer, { ...details, id: ownId, uuid, username }));
  if (known !== null) await makeAccount(writer, id, { ...details, username: login });
  else if (ownId !== null) await database.dialect.afterOwnIds("users")?.execute(writer);
  await addAccountChange(writer, id, "account_added", by);
  if (isAdministrator) await addAccountChange(writer, id, "administrator_made", by);
  const own = { uuid, username: login, isKnown: known !== null };
  const individual = await ensureIndividualOrganization(writer, own);
  await setMember(writer, { organization: individual, user: id, isAdmin: true }, by);
  const chosen =
    user.organization === null ? null : await ensureOrganization(database, writer, user.organization, by);
  if (chosen !== null) await setMember(writer, { organization: chosen, user: id, isAdmin: false }, by);
  await setActiveOrganization(writer, id, chosen ?? individual);
  return id;
}

/**
 * The user whom records have named so far and who gets the account: the one with this id, or else with this username.
 * Null if records have named no such user.
 */
async function findUnclaimedUser(
  writer: Writer,
  username: string,
  id: number | null,
): Promise<Namesake | null> {
  const namesake = await findNamesake(writer, username);
  const isOther = id !== null && namesake !== null && namesake.id !== id;
  if (namesake !== null && (namesake.hasPassword || isOther)) {
    const which = isOther ? `, with the id ${namesake.id}` : "";
    throw new UserError("username", `There is a user ${namesake.username} already${which}`);
  }
  if (id === null) return namesake;
  const known = await findKnownUser(writer, id);
  if (known?.hasPassword === true) {
    throw new UserError("id", `The user with the id ${id} has an account already: ${known.username}`);
  }
  return known;
}

async function ensureOrganization(
  { dialect }: Database,
  writer: Writer,
  name: string,
  by: ChangedBy,
): Promise<number | null> {
  const added = await addOrganization(writer, dialect, checkedName(name), by);
  return added ?? findOrganizationNamed(writer, name);
}

export function isEmailAddress(text: string): boolean {
  return /^[^\s@]+@[^\s@]+$/.test(text) && text.length <= 254;
}

function checkUsername(username: string): void {
  if (isUsername(username)) return;
  throw new UserError(
    "username",
    `${username}: a username has 1 to 150 letters (a to z), digits and @ . + - _`,
  );
}

/** @throws Error if the name is empty or too long. */
export function checkedName(name: string): string {
  if (name.trim() === "" || name.length > organizationLimits.name)
    throw new UserError("organization", "A name has 1 to 255 characters");
  return name;
}

/** Only length is required: other rules make people choose passwords that are easily guessed. */
const { minPassword: minPasswordLength, password: maxPasswordLength } = personLimits;

/** The reason why a password is not allowed, or null. */
export function passwordProblem(password: string): string | null {
  const length = Array.from(password).length;
  if (length < minPasswordLength || length > maxPasswordLength) {
    return `A password has ${minPasswordLength} to ${maxPasswordLength} characters`;
  }
  return password.includes("\0") || !password.isWellFormed() ? "A password is text" : null;
}

/** @throws Error if the password is not allowed. */
export function checkPassword(password: string): void {
  const problem = passwordProblem(password);
  if (problem !== null) throw new UserError("password", problem);
}
