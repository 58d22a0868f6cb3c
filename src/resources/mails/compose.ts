import { passwordAddress } from "../../http/text/addresses.ts";
import { isLanguage } from "../../texts/languages.ts";
import { type Catalogue } from "../../texts/pages.ts";
import { pageTexts } from "../../texts/pages.ts";
import type { NotificationKind } from "../../contract/notification.ts";
import type { Recipient } from "./mail-store.ts";
import type { SharedProject } from "./share-notice-store.ts";
import type { StoppedWebhook } from "./webhook-notice-store.ts";

/** A mail as plain text. */
export interface Message {
  subject: string;
  text: string;
  headers?: Readonly<Record<string, string>>;
}

type Addressee = Pick<Recipient, "username" | "name" | "language">;

/** The mail with a link to choose the first password, or a new one. `url` is the address of this service. */
export function passwordMail(
  kind: "invitation" | "reset",
  recipient: Addressee,
  { url, token }: { url: string; token: string },
): Message {
  const host = new URL(url).host;
  const { username } = recipient;
  const texts = textsFor(recipient);
  const { subject, reason, choose, otherwise } = texts[kind];
  return {
    subject: subject(host),
    text: lines(
      greeting(recipient),
      reason(username, `${url}/`),
      choose,
      passwordAddress(url, token),
      otherwise,
    ),
  };
}

/**
 * The notice that projects were shared with the recipient. `webUrl` is the address of the web pages. The subject has no
 * words of other people, because mail programs show it to recipients who have not opened the mail.
 */
export function sharedProjectsMail(
  recipient: Addressee,
  { projects, more }: { projects: readonly SharedProject[]; more: number },
  webUrl: string,
): Message {
  const texts = textsFor(recipient);
  const listed = projects.map(({ id, title, slug, by }) => {
    const name = oneLine(by ?? "");
    const address = `${webUrl}/projects/${id}${slug === "" ? "" : `-${encodeURIComponent(slug.toWellFormed())}`}/`;
    return `${texts.shared.text(name === "" ? texts.somebody : name, oneLine(title))}\n${address}`;
  });
  return {
    subject: texts.shared.subject(projects.length + more),
    text: lines(
      greeting(recipient),
      ...listed,
      ...(more > 0 ? [`${texts.more(more)}\n${webUrl}/shared/`] : []),
      howToStop(recipient, webUrl),
    ),
  };
}

/** A document, as a mail names it. */
export interface NamedDocument {
  id: number;
  title: string;
  slug: string;
}

export type DocumentNotice = Exclude<NotificationKind, "shared" | "mentioned" | "stopped">;

/** A notice of what has happened to documents. */
export function documentsMail(
  recipient: Addressee,
  { kind, documents, more }: { kind: DocumentNotice; documents: readonly NamedDocument[]; more: number },
  webUrl: string,
): Message {
  const texts = textsFor(recipient);
  const { subject, text } = texts[kind];
  const count = documents.length + more;
  return {
    subject: subject(count),
    text: lines(
      greeting(recipient),
      text(count),
      ...documents.map((document) => listedDocument(document, texts.untitled, webUrl)),
      ...(more > 0 ? [texts.more(more)] : []),
      ...(kind === "failed" ? [texts.failed.advice] : []),
      howToStop(recipient, webUrl),
    ),
  };
}

/** The notice that webhooks of the recipient were switched off. */
export function stoppedWebhooksMail(
  recipient: Addressee,
  { webhooks, more }: { webhooks: readonly StoppedWebhook[]; more: number },
  webUrl: string,
): Message {
  const texts = textsFor(recipient);
  const count = webhooks.length + more;
  return {
    subject: texts.stopped.subject(count),
    text: lines(
      greeting(recipient),
      texts.stopped.text(count),
      ...webhooks.map(({ name, url }) => (name === "" ? url : `${oneLine(name)}\n${url}`)),
      ...(more > 0 ? [texts.more(more)] : []),
      `${texts.stopped.advice}\n${webUrl}/account/webhooks/`,
      howToStop(recipient, webUrl),
    ),
  };
}

/** The notice that notes mention the recipient. */
export function mentionsMail(recipient: Addressee, count: number, webUrl: string): Message {
  const texts = textsFor(recipient).mentions;
  return {
    subject: texts.subject(count),
    text: lines(
      greeting(recipient),
      `${texts.text(count)}\n${webUrl}/notifications/`,
      howToStop(recipient, webUrl),
    ),
  };
}

/** What the recipient's own program has to tell, such as an add-on at its end. */
export function ownMessage(recipient: Addressee, details: string): Message {
  const { subject, content } = JSON.parse(details) as { subject: string; content: string };
  return { subject: oneLine(subject), text: lines(content, textsFor(recipient).ownMessage) };
}

/** The headers with which mail programs offer to decline mails at one click. */
export function unsubscribeHeaders(webUrl: string, token: string): Readonly<Record<string, string>> {
  return {
    "List-Unsubscribe": `<${webUrl}/unsubscribe/${token}/>`,
    "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
  };
}

/** What a saved search of the recipient has found. */
export interface FoundAlert {
  uuid: string;
  name: string;
  documents: readonly NamedDocument[];
  /** How many more there are. */
  more: number;
  /** Ends the address at which these mails are declined. */
  token: string;
}

/**
 * What a saved search has found. Mail programs offer to decline such mails with one click (RFC 8058). The subject has
 * no words of the search, for those who look over a shoulder.
 */
export function searchAlertMail(
  recipient: Addressee,
  { uuid, name, documents, more, token }: FoundAlert,
  webUrl: string,
): Message {
  const texts = textsFor(recipient);
  const count = documents.length + more;
  const unsubscribe = `${webUrl}/unsubscribe/${token}/`;
  return {
    subject: texts.alert.subject(count),
    text: lines(
      greeting(recipient),
      texts.alert.text(count, oneLine(name)),
      ...documents.map((document) => listedDocument(document, texts.untitled, webUrl)),
      ...(more > 0 ? [texts.more(more)] : []),
      `${texts.alert.all}\n${webUrl}/account/searches/${uuid}/`,
      `${texts.alert.stop}\n${unsubscribe}`,
    ),
    headers: unsubscribeHeaders(webUrl, token),
  };
}

function listedDocument({ id, title, slug }: NamedDocument, untitled: string, webUrl: string): string {
  const name = oneLine(title);
  const address = `${webUrl}/documents/${id}${slug === "" ? "" : `-${encodeURIComponent(slug.toWellFormed())}`}/`;
  return `${name === "" ? untitled : name}\n${address}`;
}

/** The texts in the language that the recipient has chosen. */
function textsFor({ language }: Addressee): Catalogue["mails"] {
  return pageTexts({ language: isLanguage(language) ? language : "en" }).mails;
}

function greeting(recipient: Addressee): string {
  const { username, name } = recipient;
  return textsFor(recipient).greeting(oneLine(name === "" ? username : name));
}

function howToStop(recipient: Addressee, webUrl: string): string {
  return textsFor(recipient).howToStop(`${webUrl}/account/`);
}

const lines = (...paragraphs: readonly string[]): string => `${paragraphs.join("\n\n")}\n`;

/** Names come from people: a line break in one must not begin a new paragraph of ours, or a header. */
function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ").trim();
}
