import { createHmac, timingSafeEqual } from "node:crypto";
import { type NotificationKind, notificationKinds } from "../../contract/notification.ts";
import type { Context } from "../../context.ts";

/*
 * The address in a mail at which mails like it are declined without signing in (RFC 8058). It names a saved search, or
 * the notices of a kind to a person, does nothing else, and works for as long as the server has the secret.
 */

type Secrets = Context["secrets"];

const purpose = "unsubscribing";

export function unsubscribeToken(secrets: Secrets, subject: string): string {
  return `${subject}.${signatures(secrets, subject)[0]}`;
}

/** The subject that a token is for: the uuid of a saved search, or {@link noticesOf}. Null if Quire has not made it. */
export function subjectOfToken(secrets: Secrets, token: string): string | null {
  const [subject = "", signature = ""] = token.split(".");
  const actual = Buffer.from(signature);
  const isValid = signatures(secrets, subject).some((valid) => {
    const expected = Buffer.from(valid);
    return expected.length === actual.length && timingSafeEqual(expected, actual);
  });
  return isValid ? subject : null;
}

function signatures(secrets: Secrets, subject: string): string[] {
  return secrets
    .keysFor(purpose)
    .map(({ key }) => createHmac("sha256", key).update(subject).digest("base64url"));
}

/** The notices of a kind to a person, as the subject of a token. */
export const noticesOf = (userId: number, kind: NotificationKind): string => `notices-${userId}-${kind}`;

/** Whose notices a subject names, and of which kind, or of all kinds as in older mails. */
export interface DeclinedNotices {
  userId: number;
  kind: NotificationKind | null;
}

/** Null if the subject is a saved search. */
export function declinedNotices(subject: string): DeclinedNotices | null {
  const [, id, named] = /^notices-(\d{1,15})(?:-([a-z]+))?$/.exec(subject) ?? [];
  if (id === undefined) return null;
  return { userId: Number(id), kind: notificationKinds.find((kind) => kind === named) ?? null };
}
