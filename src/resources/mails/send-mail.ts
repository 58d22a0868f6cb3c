import type { NotificationKind } from "../../contract/notification.ts";
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
  type DocumentNotice,
  type Message,
  type NamedDocument,
  documentsMail,
  mentionsMail,
  ownMessage,
  passwordMail,
  searchAlertMail,
  sharedProjectsMail,
  stoppedWebhooksMail,
  unsubscribeHeaders,
} from "./compose.ts";
import {
  type Mail,
  type Recipient,
  findMail,
  findRecipient,
  markFailed,
  markSent,
  removeMail,
} from "./mail-store.ts";
import { closeNotice, findChoices, noticeKindOf } from "./notice-store.ts";
import type { FoundAlert } from "./compose.ts";
import { choicesIn, noticeMember } from "../users/notice-choices.ts";
import { noticesOf, unsubscribeToken } from "./unsubscribe-token.ts";
import { findShared } from "./share-notice-store.ts";
import { findStopped } from "./webhook-notice-store.ts";

/** The mail cannot be sent, and another attempt would not change that. */
export class UnsendableMailError extends Error {
  override readonly name = "UnsendableMailError";
}

const connectMilliseconds = 20_000;
const silenceMilliseconds = 60_000;

/** Finds what a mail tells, with the rights that its recipient has when it is sent. */
export interface MailContents {
  /** What a saved search has found; null if nothing is left of it. */
  alert: (mail: Mail) => Promise<FoundAlert | null>;
  /** The documents of a notice that the person may still be told of. */
  documents: (userId: number, kind: DocumentNotice, subjects: readonly number[]) => Promise<NamedDocument[]>;
  /** How many of these notes mention the person, who may see them and has not read of them. */
  mentions: (userId: number, notes: readonly number[]) => Promise<number>;
}

/** Sends one mail. A link in it is created now, and removed again if the mail server does not take the mail. */
export async function sendMail(
  context: Pick<Context, "config" | "database" | "secrets">,
  job: Job,
  contents: MailContents,
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
  const composed = await compose(context, mail, recipient, contents);
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
  contents: MailContents,
): Promise<{ message: Message; undo: () => Promise<void> } | null> {
  const { kind } = mail;
  const { url, webUrl } = config;
  if (url === null || webUrl === null) throw new UnsendableMailError("QUIRE_URL is not set");
  const noticeKind = noticeKindOf(kind);
  if (noticeKind !== null) {
    const { subjects, more } = await closeNotice(database, mail.id);
    const chosen = choicesIn(await findChoices(database.reader, recipient.id))[noticeMember(noticeKind)];
    if (!recipient.mail_notices || chosen !== "mail") return null;
    const notice = { kind: noticeKind, subjects, more };
    const message = await noticeMail(database.reader, recipient, notice, { contents, webUrl });
    const token = unsubscribeToken(secrets, noticesOf(recipient.id, noticeKind));
    const headers = unsubscribeHeaders(webUrl, token);
    return message && { message: { ...message, headers }, undo: async () => undefined };
  }
  if (kind === "search alert") {
    const alert = recipient.mail_notices ? await contents.alert(mail) : null;
    return alert && { message: searchAlertMail(recipient, alert, webUrl), undo: async () => undefined };
  }
  if (kind === "message")
    return { message: ownMessage(recipient, mail.details), undo: async () => undefined };
  if (kind !== "invitation" && kind !== "reset") return null;
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
  notice: { kind: NotificationKind; subjects: readonly number[]; more: number },
  { contents, webUrl }: { contents: MailContents; webUrl: string },
): Promise<Message | null> {
  const { kind, subjects, more } = notice;
  if (kind === "shared") {
    const projects = await findShared(reader, recipient.id, subjects);
    return projects.length === 0 ? null : sharedProjectsMail(recipient, { projects, more }, webUrl);
  }
  if (kind === "stopped") {
    const webhooks = await findStopped(reader, recipient.id, subjects);
    return webhooks.length === 0 ? null : stoppedWebhooksMail(recipient, { webhooks, more }, webUrl);
  }
  if (kind === "mentioned") {
    const count = await contents.mentions(recipient.id, subjects);
    return count === 0 ? null : mentionsMail(recipient, count + more, webUrl);
  }
  const documents = await contents.documents(recipient.id, kind, subjects);
  return documents.length === 0 ? null : documentsMail(recipient, { kind, documents, more }, webUrl);
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
