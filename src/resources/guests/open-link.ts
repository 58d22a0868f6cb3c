import type { Context } from "../../context.ts";
import { throttled } from "../../errors.ts";
import { timestampIn } from "../../http/text/timestamp.ts";
import { digestOf, newSecret } from "../../secrets/digest.ts";
import { TooBusyError } from "../../semaphore.ts";
import { countGuess } from "../users/credentials/sign-in.ts";
import {
  type GuestLinkRow,
  addToSession,
  countUse,
  findOpenedLinks,
  findWorkingLink,
  lockWorkingLink,
  renewSession,
} from "./store.ts";

/** How long a browser has what it has opened, unless the link expires before. */
export const guestSessionSeconds = 7 * 24 * 3600;

const secretBytes = 32;

export type Opened =
  | { outcome: "opened"; link: GuestLinkRow; session: string }
  | { outcome: "wrong password" }
  | { outcome: "not there" };

/**
 * Exchanges the secret of a link for a session of a guest. A browser that has opened the link before does not use it
 * up. The last use is given to one of those who open it at the same time.
 *
 * @param session the cookie of a session, to which the link is added; null without one.
 * @throws {ApiError} 429 after too many guesses at the password.
 */
export async function openGuestLink(
  context: Pick<Context, "database" | "passwords" | "secrets">,
  sent: { secret: string; password: string; session: string | null; address: string },
): Promise<Opened> {
  const { database } = context;
  const digest = digestOf(sent.secret);
  const found = await findWorkingLink(database.reader, digest);
  if (found === null) return { outcome: "not there" };
  const known = sent.session === null ? [] : await findOpenedLinks(database, digestOf(sent.session));
  const isOpened = known.some(({ id }) => id === found.id);
  if (!isOpened && !(await isRightPassword(context, found, sent))) return { outcome: "wrong password" };
  if (isOpened && sent.session !== null) return { outcome: "opened", link: found, session: sent.session };
  const session = newSecret(secretBytes);
  return database.write(async (writer): Promise<Opened> => {
    const link = await lockWorkingLink(writer, digest);
    if (link === null || (link.max_uses !== null && link.uses >= link.max_uses))
      return { outcome: "not there" };
    const latest = timestampIn(guestSessionSeconds);
    const expiresAt = link.expires_at < latest ? link.expires_at : latest;
    if (sent.session !== null) await renewSession(writer, digestOf(sent.session), digestOf(session));
    await addToSession(writer, { digest: digestOf(session), link: link.id, expiresAt });
    await countUse(writer, link);
    return { outcome: "opened", link, session };
  });
}

async function isRightPassword(
  context: Pick<Context, "database" | "passwords" | "secrets">,
  { uuid, password_hash: hash }: GuestLinkRow,
  { password, address }: { password: string; address: string },
): Promise<boolean> {
  if (hash === null) return true;
  const takeBack = await countGuess(context, uuid, address);
  try {
    const isRight = await context.passwords.matches(password, hash);
    if (isRight) await takeBack();
    return isRight;
  } catch (error) {
    if (!(error instanceof TooBusyError)) throw error;
    await takeBack();
    throw throttled(1);
  }
}
