import type { Context } from "../../context.ts";
import type { Reader } from "../../database/database.ts";
import { reasonOf } from "../../errors.ts";
import type { Job } from "../../jobs/running-job.ts";
import {
  addPasswordLink,
  linkSeconds,
  removePasswordLink,
  resetLinkSeconds,
} from "../users/credentials/password-link-store.ts";
import {
  type Message,
  failedDocumentsMail,
  mentionsMail,
  passwordMail,
  searchAlertMail,
  sharedProjectsMail,
  stoppedWebhooksMail,
  unsubscribeHeaders,
} from "./compose.ts";
import { findFailed } from "./failure-notice-store.ts";
import {
  type Mail,
  type Recipient,
  findMail,
  findRecipient,
  markFailed,
  markSent,
  removeMail,
} from "./mail-store.ts";
import { type NoticeKind, closeNotice, isNotice } from "./notice-store.ts";
import type { FoundAlert } from "./compose.ts";
import { countUnreadMentions } from "./mention-notice-store.ts";
import { noticesOf, unsubscribeToken } from "./unsubscribe-token.ts";
import { findShared } from "./share-notice-store.ts";
import { findStopped } from "./webhook-notice-store.ts";

/** The mail cannot be sent, and another attempt would not change that. */
export class UnsendableMailError extends Error {
  override readonly name = "UnsendableMailError";
}

const connectMilliseconds = 20_000;
const silenceMilliseconds = 60_000;

/**
 * Sends one mail. A link in it is created now, and removed again if the mail server does not take the mail. `findAlert`
 * finds what a mail about a saved search tells; null if that is nothing.
 */
export async function sendMail(
  context: Pick<Context, "config" | "database" | "secrets">,
  job: Job,
  findAlert: (mail: Mail) => Promise<FoundAlert | null>,
): Promise<void> {
  const { database } = context;
  const mail = await findMail(database.reader, job.subject);
  if (mail === null || mail.sent_at !== null) return;
  if (mail.user_id === null) {
    // A reset for an account that does not exist. It was queued so that the answer takes as long as for others.
    await database.write((writer) => removeMail(writer, mail.id));
    return;
  }
  const recipient = await findRecipient(database.reader, mail.user_id);
  if (recipient === null) {
    throw new UnsendableMailError("The user has no email address, or no account that is enabled");
  }
  const composed = await compose(context, mail, recipient, findAlert);
  if (composed === null) {
    await database.write((writer) => removeMail(writer, mail.id));
    return;
  }
  try {
    await deliver(context.config, recipient, composed.message);
  } catch (error) {
    await composed.undo();
    throw error;
  }
  await database.write(async (writer) => {
    await markSent(writer, mail.id);
    await job.complete(writer);
  });
}

/** Returns null for a notice that is not wanted, or that has nothing to tell any more. */
async function compose(
  { config, database, secrets }: Pick<Context, "config" | "database" | "secrets">,
  mail: Mail,
  recipient: Recipient,
  findAlert: (mail: Mail) => Promise<FoundAlert | null>,
): Promise<{ message: Message; undo: () => Promise<void> } | null> {
  const { kind } = mail;
  const { url, webUrl } = config;
  if (url === null || webUrl === null) throw new UnsendableMailError("QUIRE_URL is not set");
  if (isNotice(kind)) {
    const { subjects, more } = await closeNotice(database, mail.id);
    if (!recipient.mail_notices) return null;
    const message = await noticeMail(database.reader, recipient, { kind, subjects, more }, webUrl);
    const headers = unsubscribeHeaders(webUrl, unsubscribeToken(secrets, noticesOf(recipient.id)));
    return message && { message: { ...message, headers }, undo: async () => undefined };
  }
  if (kind === "search alert") {
    const alert = recipient.mail_notices ? await findAlert(mail) : null;
    return alert && { message: searchAlertMail(recipient, alert, webUrl), undo: async () => undefined };
  }
  const seconds = kind === "reset" ? resetLinkSeconds : linkSeconds;
  const { token } = await database.write((writer) => addPasswordLink(writer, recipient.id, seconds));
  return {
    message: passwordMail(kind, recipient, { url, token }),
    undo: async () => {
      await database.write((writer) => removePasswordLink(writer, token));
    },
  };
}

/** Null if nothing is left of what the notice tells of. */
async function noticeMail(
  reader: Reader,
  recipient: Recipient,
  notice: { kind: NoticeKind; subjects: readonly number[]; more: number },
  webUrl: string,
): Promise<Message | null> {
  const { kind, subjects, more } = notice;
  if (kind === "shared project") {
    const projects = await findShared(reader, recipient.id, subjects);
    return projects.length === 0 ? null : sharedProjectsMail(recipient, { projects, more }, webUrl);
  }
  if (kind === "stopped webhooks") {
    const webhooks = await findStopped(reader, recipient.id, subjects);
    return webhooks.length === 0 ? null : stoppedWebhooksMail(recipient, { webhooks, more }, webUrl);
  }
  if (kind === "mentions") {
    const count = await countUnreadMentions(reader, recipient.id, subjects);
    return count === 0 ? null : mentionsMail(recipient, count + more, webUrl);
  }
  const documents = await findFailed(reader, recipient.id, subjects);
  return documents.length === 0 ? null : failedDocumentsMail(recipient, { documents, more }, webUrl);
}

/** nodemailer is loaded only by the processes that send mail. */
async function deliver(
  { mailUrl, mailFrom }: Context["config"],
  { email }: Recipient,
  message: Message,
): Promise<void> {
  if (mailUrl === null || mailFrom === null) throw new UnsendableMailError("QUIRE_MAIL_URL is not set");
  const { createTransport } = await import("nodemailer");
  const { protocol, hostname, port, username, password } = new URL(mailUrl);
  const isSecure = protocol === "smtps:";
  const host = hostname.replace(/^\[|\]$/g, "");
  const isLocal = /^(localhost|127\.|::1$)/.test(host);
  const transport = createTransport({
    host,
    port: port === "" ? (isSecure ? 465 : 587) : Number(port),
    secure: isSecure,
    // A password is never sent to another machine in the clear.
    requireTLS: !isSecure && username !== "" && !isLocal,
    ...(username !== "" && {
      auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) },
    }),
    connectionTimeout: connectMilliseconds,
    greetingTimeout: connectMilliseconds,
    socketTimeout: silenceMilliseconds,
    // A mail consists of its text alone. Nothing in it may name a file or an address to read.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  try {
    await transport.sendMail({ from: mailFrom, to: { name: "", address: email }, ...message });
  } catch (error) {
    const { responseCode } = error as { responseCode?: unknown };
    if (typeof responseCode === "number" && responseCode >= 550 && responseCode < 560) {
      throw new UnsendableMailError(reasonOf(error), { cause: error });
    }
    throw error;
  } finally {
    transport.close();
  }
}

/** Records that a mail was given up, and why. */
export async function sendingFailed(
  { database }: Pick<Context, "database">,
  job: Job,
  reason: string,
): Promise<void> {
  await database.write(async (writer) => {
    await markFailed(writer, job.subject, reason);
    await job.complete(writer);
  });
}
