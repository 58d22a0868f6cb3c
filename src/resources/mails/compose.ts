import { passwordAddress } from "../../http/text/addresses.ts";
import type { Recipient } from "./mail-store.ts";

/** A mail as plain text. */
export interface Message {
  subject: string;
  text: string;
}

/** The mail with a link to choose the first password, or a new one. `url` is the address of this service. */
export function passwordMail(
  kind: "invitation" | "reset",
  { username, name }: Pick<Recipient, "username" | "name">,
  { url, token, valid }: { url: string; token: string; valid: string },
): Message {
  const host = new URL(url).host;
  const isInvitation = kind === "invitation";
  const reason = isInvitation
    ? `There is an account for you at ${url}/. Your username is ${username}.`
    : `Somebody, perhaps you, asked for a new password for ${username} at ${url}/.`;
  const otherwise = isInvitation
    ? "If you do not know what this is about, ignore this mail."
    : "If it was not you, ignore this mail: your password stays as it is.";
  return {
    subject: isInvitation ? `Your account at ${host}` : `A new password for ${host}`,
    text: lines(
      `Hello ${oneLine(name === "" ? username : name)},`,
      reason,
      `Choose a password here. The link works once, within ${valid}:`,
      passwordAddress(url, token),
      otherwise,
    ),
  };
}

/** The notice that somebody has added the recipient to a project. `webUrl` is the address of the web pages. */
export function sharedProjectMail(
  { username, name }: Pick<Recipient, "username" | "name">,
  project: { id: number; title: string; slug: string; by: string },
  webUrl: string,
): Message {
  const title = oneLine(project.title);
  const by = oneLine(project.by === "" ? "Somebody" : project.by);
  const address = `${webUrl}/projects/${project.id}${project.slug === "" ? "" : `-${encodeURIComponent(project.slug)}`}/`;
  return {
    subject: `${by} has shared “${title}” with you`,
    text: lines(
      `Hello ${oneLine(name === "" ? username : name)},`,
      `${by} has shared the project “${title}” with you:`,
      address,
    ),
  };
}

const lines = (...paragraphs: readonly string[]): string => `${paragraphs.join("\n\n")}\n`;

/** Names come from people: a line break in one must not begin a new paragraph of ours, or a header. */
function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ").trim();
}
