import type { Context } from "../../../context.ts";
import { findAccountById, isActiveUser, lockAccount } from "../account-store.ts";
import { type Consent, addCode } from "../assistants/code-store.ts";
import { needOf } from "./second-factor.ts";
import { findSessionOrigin } from "./session-store.ts";

/**
 * Gives the code with which an assistant fetches its tokens, because a person has consented in a session. The session
 * must have begun with the second factor that the account has, or needs by now: the assistant's tokens outlast it.
 *
 * @param secret the cookie of the session
 */
export async function giveCode(
  context: Pick<Context, "config" | "database">,
  { secret, ...consent }: Consent & { secret: string },
): Promise<{ code: string } | "no session" | "second factor needed"> {
  const { database } = context;
  const account = await findAccountById(database.reader, consent.userId);
  if (account === null) return "no session";
  const need = await needOf(context, account);
  return database.write(async (writer) => {
    // What ends the person's sessions waits for this transaction, or this one for it.
    await lockAccount(writer, database.dialect, consent.userId);
    const origin = await findSessionOrigin(writer, secret);
    if (origin === null || !(await isActiveUser(writer, consent.userId))) return "no session";
    // A provider asks for its own factors.
    const hasFactor = origin.provider_id !== null || !["", "password"].includes(origin.method);
    if (need !== "nothing" && !hasFactor) return "second factor needed";
    return { code: await addCode(writer, consent) };
  });
}
