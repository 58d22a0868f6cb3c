import { type Address, decodeWords } from "postal-mime";
import type { Converted } from "./conversion.ts";
import { dateIn, headerIn, readMail, sizeOf } from "../unpack/read-mail.ts";
import { appointmentHeaders } from "../unpack/write-mail.ts";
import { TextPages } from "./text-pages.ts";
import { endText } from "./text-to-pdf.ts";

/** Writes a mail's main headers, its text, and the names of its attachments. */
export async function mailToPdf(from: string, extension: string, to: string): Promise<Converted> {
  const mail = await readMail(from, extension);
  const pages = new TextPages(to, "prose");
  const heads: [string, string][] = [
    ["From", mail.from === undefined ? "" : people([mail.from])],
    ["To", people(mail.to)],
    ["Cc", people(mail.cc)],
    ["Bcc", people(mail.bcc)],
    ["Date", dateIn(mail)],
    ["Subject", mail.subject ?? ""],
    ["Start", headerIn(mail, appointmentHeaders.start)],
    ["End", headerIn(mail, appointmentHeaders.end)],
    ["Location", decodeWords(headerIn(mail, appointmentHeaders.location))],
  ];
  for (const [name, value] of heads) if (value !== "") pages.add(`${name}: ${value}`);
  pages.add("");
  const text = mail.text?.trim() ? mail.text : await textOf(mail.html);
  pages.add(text.trimEnd());
  if (mail.attachments.length > 0) pages.add("\nAttachments:");
  for (const { filename, mimeType, content } of mail.attachments) {
    pages.add(`- ${filename ?? "without a name"} (${mimeType}, ${inWords(sizeOf(content))})`);
  }
  return endText("mail", pages);
}

/** Most mails have a text of their own, and need no parser for HTML. */
async function textOf(html = ""): Promise<string> {
  const { textOfHtml } = await import("../office/html-text.ts");
  return textOfHtml(html);
}

function people(addresses: readonly Address[] = []): string {
  return addresses
    .map(({ name, address, group }) => {
      if (group !== undefined) return `${name}: ${people(group)}`;
      return name && address ? `${name} <${address}>` : address || name;
    })
    .join(", ");
}

function inWords(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`;
  if (bytes < 1024 * 1024) return `${Math.round(bytes / 1024)} KB`;
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}
