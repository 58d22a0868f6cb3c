import { createHmac } from "node:crypto";
import type { Context } from "../../../context.ts";
import { asciiLower } from "../../../database/ascii-lower.ts";
import type { Database } from "../../../database/database.ts";
import { throttled } from "../../../errors.ts";
import { type Passwords, TooBusy } from "../../../secrets/passwords.ts";
import { type Account, findAccount, replacePasswordHash } from "../account-store.ts";
import { digestOf } from "./api-token-store.ts";
import { isKnownNetwork, noteKnownNetwork } from "./known-network-store.ts";
import { countAttempt, forgetAttempts, takeBackAttempt } from "./sign-in-attempt-store.ts";

export interface Attempt {
  username: string;
  password: string;
  /** Of whoever tries. */
  address: string;
}

/** Attempts within a quarter of an hour; after these it is too many. */
const maxForNameAndNetwork = 10;
/** From a network: of accounts that were never signed in to from there. */
const maxForNetwork = 50;
/** Of a name: from networks that it was never signed in from. */
const maxForName = 50;

/**
 * The account, if the password is its own and it is active. It takes as long to find out that there is no such user as
 * that the password is wrong.
 *
 * Guesses count by name and network together, so that strangers' guesses keep nobody else out. Guesses of many names
 * from one network, and of one name from many networks, count too; but these limits do not hold for an account that was
 * signed in to from this network before.
 *
 * @throws ApiError 429 when too much was tried.
 */
export async function signIn(
  { database, passwords, secrets }: Pick<Context, "database" | "passwords" | "secrets">,
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
  await countOrRefuse(database, limits);
  const isRight = await passwords.matches(password, account?.passwordHash ?? null).catch(async (error) => {
    if (!(error instanceof TooBusy)) throw error;
    await takeBack(database, limits);
    throw throttled(1);
  });
  if (account === null || !isRight || !account.isActive) return null;
  const [both, ...others] = limits as [Limit, ...Limit[]];
  await forgetAttempts(database, both.subject);
  await takeBack(database, others);
  await noteKnownNetwork(database, account.id, network);
  await raiseCost(database, passwords, account, password);
  return account;
}

interface Limit {
  subject: string;
  max: number;
}

/** An attempt that one limit refuses counts for that one alone: it cannot use up the others. */
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

/** A network as it is kept: from a copy of the database nobody learns where people are. */
function networkKey(secrets: Context["secrets"], address: string): string {
  const [{ key }] = secrets.keysFor("networks");
  return createHmac("sha256", key).update(networkOf(address)).digest("hex");
}

/** Where there is no time for it now, it is done at the next sign-in. */
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
    if (!(error instanceof TooBusy)) throw error;
  }
}

/** Whoever has one address of IPv6 has 2⁶⁴ of them. */
export function networkOf(address: string): string {
  const [plain = ""] = address.split("%");
  if (!plain.includes(":") || plain.includes(".")) return plain;
  const [head = "", tail] = plain.toLowerCase().split("::");
  const groups = head.split(":").filter((group) => group !== "");
  const trailing = (tail ?? "").split(":").filter((group) => group !== "");
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - groups.length - trailing.length);
  const all = [...groups, ...Array.from({ length: zeros }, () => "0"), ...trailing];
  return all
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ""))
    .join(":");
}
