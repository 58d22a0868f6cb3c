import type { Context } from "../../context.ts";
import type { Database } from "../../database/database.ts";
import { throttled } from "../../errors.ts";
import { type Passwords, TooBusy } from "../../secrets/passwords.ts";
import { type Account, findAccount, replacePasswordHash } from "./account-store.ts";
import { digestOf } from "./api-token-store.ts";
import { countAttempt, forgetAttempts, takeBackAttempt } from "./sign-in-attempt-store.ts";

export interface Attempt {
  username: string;
  password: string;
  /** Of whoever tries. */
  address: string;
}

/** Failures within a quarter of an hour; after these it is too many. */
const maxForUsername = 10;
const maxForAddress = 50;

/**
 * The account, if the password is its own and it is active. It takes as long to find out that there is no such user as
 * that the password is wrong.
 *
 * @throws ApiError 429 when too much was tried.
 */
export async function signIn(
  { database, passwords }: Pick<Context, "database" | "passwords">,
  { username, password, address }: Attempt,
): Promise<Account | null> {
  const from = `address:${digestOf(networkOf(address))}`;
  const to = `username:${digestOf(username.toLowerCase())}`;
  const seconds =
    (await countAttempt(database, from, maxForAddress)) ?? (await countAttempt(database, to, maxForUsername));
  if (seconds !== null) throw throttled(seconds);
  const account = await findAccount(database.reader, username);
  const isRight = await passwords.matches(password, account?.passwordHash ?? null).catch(async (error) => {
    if (!(error instanceof TooBusy)) throw error;
    for (const subject of [from, to]) await takeBackAttempt(database, subject);
    throw throttled(1);
  });
  if (account === null || !isRight || !account.isActive) return null;
  await forgetAttempts(database, to);
  await takeBackAttempt(database, from);
  await raiseCost(database, passwords, account, password);
  return account;
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
