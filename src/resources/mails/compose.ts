import { passwordAddress } from "../../http/text/addresses.ts";
import { isLanguage } from "../../texts/languages.ts";
import { type Catalogue } from "../../texts/pages-english.ts";
import { pageTexts } from "../../texts/pages.ts";
import type { FailedDocument } from "./failure-notice-store.ts";
import type { Recipient } from "./mail-store.ts";

/** A mail as plain text. */
export interface Message {
  subject: string;
  text: string;
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

/** The notice that somebody has added the recipient to a project. `webUrl` is the address of the web pages. */
export function sharedProjectMail(
  recipient: Addressee,
  project: { id: number; title: string; slug: string; by: string },
  webUrl: string,
): Message {
  const texts = textsFor(recipient);
  const title = oneLine(project.title);
  const by = oneLine(project.by === "" ? texts.somebody : project.by);
  const address = `${webUrl}/projects/${project.id}${project.slug === "" ? "" : `-${encodeURIComponent(project.slug)}`}/`;
  return {
    subject: texts.shared.subject(by, title),
    text: lines(greeting(recipient), texts.shared.text(by, title), address, howToStop(recipient, webUrl)),
  };
}

/** The notice that documents of the recipient could not be processed. */
export function failedDocumentsMail(
  recipient: Addressee,
  { documents, more }: { documents: readonly FailedDocument[]; more: number },
  webUrl: string,
): Message {
  const texts = textsFor(recipient);
  const count = documents.length + more;
  const listed = documents.map(({ id, title, slug }) => {
    const name = oneLine(title);
    const address = `${webUrl}/documents/${id}${slug === "" ? "" : `-${encodeURIComponent(slug.toWellFormed())}`}/`;
    return `${name === "" ? texts.untitled : name}\n${address}`;
  });
  return {
    subject: texts.failed.subject(count),
    text: lines(
      greeting(recipient),
      texts.failed.text(count),
      ...listed,
      ...(more > 0 ? [texts.failed.more(more)] : []),
      texts.failed.advice,
      howToStop(recipient, webUrl),
    ),
  };
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
