import type { Context } from "../../context.ts";
import { asciiLower } from "../../database/ascii-lower.ts";
import { findAccount, findAccountByEmail } from "../users/account-store.ts";
import { digestOf } from "../../secrets/digest.ts";
import { countReset, mayUsePassword } from "../users/credentials/sign-in.ts";
import { queueMail } from "./mail-store.ts";

/**
 * Queues a mail with a link to set a new password, if there is an account with this username or email address. Without
 * an account, the same is read and written, so neither the answer nor its time reveals whether the account exists.
 *
 * @throws {ApiError} 429 after too many requests from one network.
 */
export async function requestReset(context: Context, sent: string, address: string): Promise<void> {
  const { config, database, jobs } = context;
  const isAllowed = await countReset(context, digestOf(asciiLower(sent)), address);
  const byName = await findAccount(database.reader, sent);
  const byEmail = await findAccountByEmail(database.reader, sent);
  const account = byName ?? byEmail;
  // Nothing is sent after too many requests for one account, or if its user may not sign in with a password. The answer
  // is the same.
  const isOfUse = account !== null && isAllowed && mayUsePassword(config, account);
  const userId = isOfUse ? account.id : null;
  await database.write((writer) => queueMail(writer, { kind: "reset", userId }));
  jobs.notify();
}
