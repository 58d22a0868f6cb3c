import { createHmac } from "node:crypto";
import type { Context } from "../../../context.ts";
import { asciiLower } from "../../../database/ascii-lower.ts";
import type { Database } from "../../../database/database.ts";
import { throttled } from "../../../errors.ts";
import { networkOf } from "../../../http/request/client-address.ts";
import type { Passwords } from "../../../secrets/passwords.ts";
import { TooBusyError } from "../../../semaphore.ts";
import { type Account, findAccount, unsetPassword } from "../account-store.ts";
import { replacePasswordHash } from "../change-account-store.ts";
import { digestOf } from "../../../secrets/digest.ts";
import { isKnownNetwork, noteKnownNetwork } from "./known-network-store.ts";
import { type SignInKind, noteSignIn } from "./sign-in-event-store.ts";
import { needOf } from "./second-factor.ts";
import { countAttempt, forgetAttempts, takeBackAttempt } from "./sign-in-attempt-store.ts";

/** Whether an account may sign in with its password: where providers sign people in, only administrators may. */
export function mayUsePassword(
  { passwordSignIn }: Pick<Context["config"], "passwordSignIn">,
  { isAdministrator }: Pick<Account, "isAdministrator">,
): boolean {
  return passwordSignIn === "everyone" || isAdministrator;
}

/** Whether an account has a password, and may sign in with it. */
export function hasPassword(
  config: Pick<Context["config"], "passwordSignIn">,
  account: Pick<Account, "isAdministrator" | "passwordHash">,
): boolean {
  return account.passwordHash !== unsetPassword && mayUsePassword(config, account);
}

export interface Attempt {
  username: string;
  password: string;
  /** The client's IP address. */
  address: string;
}

/** Maximum attempts within a quarter of an hour for one username from one network. */
const maxForNameAndNetwork = 10;
/** Maximum from one network, for accounts without an earlier sign-in from it. */
const maxForNetwork = 50;
/** Maximum for one username, from networks without an earlier sign-in to it. */
const maxForName = 50;

/**
 * Returns the account if the password is correct and the account is active. An unknown username takes as long to check
 * as a wrong password.
 *
 * Attempts are counted by username and network together, so that other people's guesses lock nobody out. Attempts on
 * many usernames from one network, and on one username from many networks, are counted too. Those two limits do not
 * apply to an account with an earlier sign-in from the same network.
 *
 * @throws ApiError 429 after too many attempts.
 */
export async function signIn(
  { config, database, passwords, secrets }: Pick<Context, "config" | "database" | "passwords" | "secrets">,
  { username, password, address }: Attempt,
): Promise<Account | null> {
  const name = digestOf(asciiLower(username));
  const network = networkKey(secrets, address);
  const account = await findAccount(database.reader, username);
  const isKnown = await isKnownNetwork(database, account?.id ?? 0, network);
  const limits: Limit[] = [
    { subject: `both:${name}:${network}`, max: maxForNameAndNetwork },
    { subject: `network:${network}`, max: isKnown ? Infinity : maxForNetwork },
    { subject: `name:${name}`, max: isKnown ? Infinity : maxForName },
  ];
  const note = (kind: SignInKind): Promise<void> =>
    noteSignIn(database, { kind, userId: account?.id ?? null, network, isKnown });
  try {
    await countOrRefuse(database, limits);
  } catch (error) {
    await note("too many attempts");
    throw error;
  }
  const isRight = await passwords.matches(password, account?.passwordHash ?? null).catch(async (error) => {
    if (!(error instanceof TooBusyError)) throw error;
    await takeBack(database, limits);
    throw throttled(1);
  });
  if (account === null || !isRight || !account.isActive) {
    await note(account === null ? "unknown user" : isRight ? "disabled" : "wrong password");
    return null;
  }
  if (!mayUsePassword(config, account)) {
    await note("needs a provider");
    return null;
  }
  const [both, ...others] = limits as [Limit, ...Limit[]];
  await forgetAttempts(database, both.subject);
  await takeBack(database, others);
  // With a second factor to come, nobody is signed in yet.
  const isWhole = (await needOf({ config, database }, account)) === "nothing";
  if (isWhole) await noteKnownNetwork(database, account.id, network);
  await note(isWhole ? "signed in" : "right password");
  await raiseCost(database, passwords, account, password);
  return account;
}

/** Records that a code or a passkey was refused after the right password. */
export async function noteWrongFactor(
  { database, secrets }: Pick<Context, "database" | "secrets">,
  userId: number,
  address: string,
): Promise<void> {
  const network = networkKey(secrets, address);
  const isKnown = await isKnownNetwork(database, userId, network);
  await noteSignIn(database, { kind: "wrong second factor", userId, network, isKnown });
}

/** Records a sign-in that was complete with something else than the password. */
export async function noteOtherSignIn(
  { database, secrets }: Pick<Context, "database" | "secrets">,
  userId: number,
  address: string,
): Promise<void> {
  const network = networkKey(secrets, address);
  const isKnown = await isKnownNetwork(database, userId, network);
  await noteKnownNetwork(database, userId, network);
  await noteSignIn(database, { kind: "signed in", userId, network, isKnown });
}

interface Limit {
  subject: string;
  max: number;
}

/** An attempt that one limit refuses counts for that limit only, so that it cannot use up the others. */
async function countOrRefuse(database: Database, limits: readonly Limit[]): Promise<void> {
  for (const [index, { subject, max }] of limits.entries()) {
    const seconds = await countAttempt(database, subject, max);
    if (seconds === null) continue;
    await takeBack(database, limits.slice(0, index));
    throw throttled(seconds);
  }
}

async function takeBack(database: Database, limits: readonly Limit[]): Promise<void> {
  for (const { subject } of limits) await takeBackAttempt(database, subject);
}

/** Maximum unknown password links within a quarter of an hour from one network. */
const maxUnknownLinks = 50;

/**
 * Finds what a password link leads to. Unknown links are counted by network. A known link works however many unknown
 * ones came from there, because nobody can guess one.
 *
 * @throws {ApiError} 429 for an unknown link after too many of them.
 */
export async function findByLink<Found>(
  { database, secrets }: Pick<Context, "database" | "secrets">,
  address: string,
  find: () => Promise<Found | null>,
): Promise<Found | null> {
  const found = await find();
  if (found !== null) return found;
  const seconds = await countAttempt(database, `link:${networkKey(secrets, address)}`, maxUnknownLinks);
  if (seconds !== null) throw throttled(seconds);
  return null;
}

/** Maximum requests for a new password by mail within a quarter of an hour, from one network and for one name. */
const maxResetsFromNetwork = 10;
const maxResetsForName = 3;

/**
 * Counts a request for a new password by mail. Returns whether a mail may be sent for this name.
 *
 * @param name a digest of the username or email address.
 * @throws {ApiError} 429 after too many requests from one network.
 */
export async function countReset(
  { database, secrets }: Pick<Context, "database" | "secrets">,
  name: string,
  address: string,
): Promise<boolean> {
  const seconds = await countAttempt(database, `reset:${networkKey(secrets, address)}`, maxResetsFromNetwork);
  if (seconds !== null) throw throttled(seconds);
  return (await countAttempt(database, `reset-name:${name}`, maxResetsForName)) === null;
}

/** Maximum guesses at the password of one guest link within a quarter of an hour: from one network, and from all. */
const maxGuessesFromNetwork = 10;
const maxGuesses = 50;

/**
 * Counts a guess at the password of a guest link before it is checked. Returns what takes it back after the right one.
 *
 * @throws {ApiError} 429 after too many.
 */
export async function countGuess(
  { database, secrets }: Pick<Context, "database" | "secrets">,
  link: string,
  address: string,
): Promise<() => Promise<void>> {
  const limits: Limit[] = [
    { subject: `guest:${link}:${networkKey(secrets, address)}`, max: maxGuessesFromNetwork },
    { subject: `guest:${link}`, max: maxGuesses },
  ];
  await countOrRefuse(database, limits);
  return () => takeBack(database, limits);
}

/** Records that a user has chosen a password with a link. */
export async function notePasswordSet(
  { database, secrets }: Pick<Context, "database" | "secrets">,
  { id }: Pick<Account, "id">,
  address: string,
): Promise<void> {
  const network = networkKey(secrets, address);
  const isKnown = await isKnownNetwork(database, id, network);
  await noteSignIn(database, { kind: "password set", userId: id, network, isKnown });
}

/** The stored form of a network. It is keyed, so that a copy of the database does not reveal where users are. */
function networkKey(secrets: Context["secrets"], address: string): string {
  const [{ key }] = secrets.keysFor("networks");
  return createHmac("sha256", key).update(networkOf(address)).digest("hex");
}

/** Hashes the password again if its cost is too low. If the server is too busy, the next sign-in does it. */
async function raiseCost(
  database: Database,
  passwords: Passwords,
  account: Account,
  password: string,
): Promise<void> {
  if (!passwords.isCheap(account.passwordHash)) return;
  try {
    const hash = await passwords.hash(password);
    await database.write((writer) => replacePasswordHash(writer, account, hash));
  } catch (error) {
    if (!(error instanceof TooBusyError)) throw error;
  }
}
