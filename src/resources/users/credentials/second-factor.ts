import { randomBytes } from "node:crypto";
import type { Context } from "../../../context.ts";
import type { Writer } from "../../../database/database.ts";
import { throttled } from "../../../errors.ts";
import { openText, sealText } from "../../../secrets/sealed-text.ts";
import { digestOf } from "../../../secrets/digest.ts";
import { type Account, lockAccount } from "../account-store.ts";
import { addAccountHistory } from "../account-history-store.ts";
import {
  type Factor,
  addFactor,
  findFactors,
  isMemberOfAny,
  noteFactorUse,
  removeFactor,
  removeFactors,
  setRecoveryCodes,
  takeRecoveryCode,
} from "./factor-store.ts";
import { type PasskeyAnswer, type PasskeySite, checkPasskey } from "./passkeys.ts";
import { countAttempt, forgetAttempts } from "./sign-in-attempt-store.ts";
import { totpStep } from "./totp.ts";

/*
 * A second factor is a code of an app (TOTP), or a passkey. Each recovery code stands in for it once. Secrets are
 * sealed, for their user alone. People who sign in at an identity provider are not asked: what they need is decided
 * there.
 */

type SecondFactors = Pick<Context, "config" | "database" | "secrets">;

/** What an account needs besides the right password. */
export type SecondFactorNeed = "nothing" | "second factor" | "set-up";

export async function needOf(
  { config, database }: Pick<Context, "config" | "database">,
  { id, isAdministrator }: Pick<Account, "id" | "isAdministrator">,
): Promise<SecondFactorNeed> {
  const { secondFactor } = config;
  if (secondFactor === "off") return "nothing";
  if ((await findFactors(database.reader, id)).length > 0) return "second factor";
  if (secondFactor === "optional") return "nothing";
  const organizations = secondFactor.flatMap((item) => /^organization:(\d+)$/.exec(item)?.[1] ?? []);
  const isNeeded =
    secondFactor.includes("everyone") ||
    (secondFactor.includes("administrators") && isAdministrator) ||
    (await isMemberOfAny(database.reader, id, organizations.map(Number)));
  return isNeeded ? "set-up" : "nothing";
}

/** How somebody has shown that they are who they are, besides the password. */
export type FactorMethod = "totp" | "passkey" | "recovery code";

const purpose = "second factor";
const subjectOf = (userId: number): string => `user ${userId}`;

/** The secret of a factor; null if the server's secret was replaced since. */
const openSecret = ({ secrets }: SecondFactors, { secret, user_id }: Factor): string | null =>
  openText(secrets, purpose, secret, subjectOf(user_id));

/** Within a quarter of an hour, for one account. */
const maxAttempts = 10;

async function counting<Result>(
  { database }: SecondFactors,
  userId: number,
  check: () => Promise<Result | null>,
): Promise<Result | null> {
  const subject = `factor:${userId}`;
  const seconds = await countAttempt(database, subject, maxAttempts);
  if (seconds !== null) throw throttled(seconds);
  const result = await check();
  if (result !== null) await forgetAttempts(database, subject);
  return result;
}

/**
 * Checks a code of an app, or a recovery code. Null if it is neither. A code works once.
 *
 * @throws {ApiError} 429 after too many attempts.
 */
export async function checkCode(
  context: SecondFactors,
  userId: number,
  code: string,
): Promise<FactorMethod | null> {
  const { database } = context;
  return counting(context, userId, async () => {
    const plain = code.toLowerCase().replaceAll(/[^0-9a-z]/g, "");
    for (const factor of await findFactors(database.reader, userId)) {
      const secret = factor.kind === "totp" ? openSecret(context, factor) : null;
      const step = secret === null ? null : await totpStep(secret, plain);
      if (step !== null) {
        return (await database.write((writer) => noteFactorUse(writer, factor.id, step))) ? "totp" : null;
      }
    }
    const isTaken = await database.write((writer) => takeRecoveryCode(writer, userId, plain));
    return isTaken ? "recovery code" : null;
  });
}

/** Checks what a browser answers about a passkey. Null if it does not show that the user has it. It works once. */
export async function checkPasskeyAnswer(
  context: SecondFactors,
  userId: number,
  { answer, challenge, site }: { answer: PasskeyAnswer; challenge: string; site: PasskeySite },
): Promise<FactorMethod | null> {
  const { database } = context;
  return counting(context, userId, async () => {
    const factors = await findFactors(database.reader, userId);
    const factor = factors.find(({ kind, credential }) => kind === "passkey" && credential === answer.id);
    const secret = factor === undefined ? null : openSecret(context, factor);
    if (factor === undefined || secret === null) return null;
    const known = { id: answer.id, secret, counter: factor.counter };
    const counter = await checkPasskey(known, { answer, challenge, site });
    if (counter === null) return null;
    // The challenge is in a cookie, and many passkeys do not count: what was seen on the way could be sent again.
    const isUsed = (await countAttempt(database, `challenge:${digestOf(challenge)}`, 1)) !== null;
    if (isUsed) return null;
    return (await database.write((writer) => noteFactorUse(writer, factor.id, counter))) ? "passkey" : null;
  });
}

/** A factor that its user has shown to work. */
export interface NewFactor extends Pick<Factor, "kind" | "name" | "credential" | "counter"> {
  secret: string;
}

const codes = 10;
const alphabet = "23456789abcdefghjkmnpqrstuvwxyz";

/** Ten letters and digits that are hard to confuse: 49 bits. */
function newRecoveryCode(): string {
  let code = "";
  while (code.length < 10) {
    for (const byte of randomBytes(16)) {
      const index = byte & 31;
      if (index < alphabet.length && code.length < 10) code += alphabet[index];
    }
  }
  return code;
}

/** As people see a recovery code: in two halves. */
export const shownCode = (code: string): string => `${code.slice(0, 5)}-${code.slice(5)}`;

/**
 * Gives an account the factor that it needs to sign in. If the account has another factor by now, nothing is added and
 * the result is null: somebody else who knows the password gains nothing. Returns the recovery codes, in the only
 * moment they are known.
 */
export async function addFirstFactor(
  context: SecondFactors,
  userId: number,
  factor: NewFactor,
): Promise<string[] | null> {
  return context.database.write(async (writer) => {
    await lockAccount(writer, context.database.dialect, userId);
    if ((await findFactors(writer, userId)).length > 0) return null;
    await insertFactor(context, writer, userId, factor);
    return renewCodes(writer, userId);
  });
}

/** Gives an account a factor. Returns the recovery codes if it is the first one, in the only moment they are known. */
export async function addSecondFactor(
  context: SecondFactors,
  userId: number,
  factor: NewFactor,
): Promise<string[] | null> {
  return context.database.write(async (writer) => {
    await lockAccount(writer, context.database.dialect, userId);
    const isFirst = (await findFactors(writer, userId)).length === 0;
    await insertFactor(context, writer, userId, factor);
    return isFirst ? renewCodes(writer, userId) : null;
  });
}

async function insertFactor(
  { secrets }: SecondFactors,
  writer: Writer,
  userId: number,
  { secret, ...factor }: NewFactor,
): Promise<void> {
  const sealed = sealText(secrets, purpose, secret, subjectOf(userId));
  await addFactor(writer, { ...factor, user_id: userId, secret: sealed });
  await addAccountHistory(writer, userId, "second_factor_added", userId);
}

async function renewCodes(writer: Writer, userId: number): Promise<string[]> {
  const made = Array.from({ length: codes }, newRecoveryCode);
  await setRecoveryCodes(writer, userId, made);
  return made;
}

/** Replaces the recovery codes. */
export const renewRecoveryCodes = (
  { database }: Pick<Context, "database">,
  userId: number,
): Promise<string[]> => database.write((writer) => renewCodes(writer, userId));

/** Returns whether the user had the factor. With the last one, the recovery codes go. */
export async function removeSecondFactor(
  { database }: Pick<Context, "database">,
  userId: number,
  id: number,
): Promise<boolean> {
  return database.write(async (writer) => {
    if (!(await removeFactor(writer, userId, id))) return false;
    await addAccountHistory(writer, userId, "second_factor_removed", userId);
    if ((await findFactors(writer, userId)).length === 0) await removeFactors(writer, userId);
    return true;
  });
}

/**
 * Removes all factors of somebody who has lost them. The account's history says so.
 *
 * @param by the administrator; null for the command line.
 */
export async function resetSecondFactors(
  { database }: Pick<Context, "database">,
  userId: number,
  by: number | null,
): Promise<boolean> {
  return database.write(async (writer) => {
    if (!(await removeFactors(writer, userId))) return false;
    await addAccountHistory(writer, userId, "second_factors_reset", by);
    return true;
  });
}
