import { readFileSync } from "node:fs";
import PostalMime, { type Address, type Attachment, type Email } from "postal-mime";
import { withLettersInUtf8 } from "./undeclared-letters.ts";
import type { MailHead } from "./unpacking.ts";

/** A mail, or one of Outlook. */
export async function readMail(from: string, extension: string): Promise<Email> {
  if (extension !== "msg") return parseMail(readFileSync(from));
  return parseMail((await import("./outlook-message.ts")).messageOfOutlook(from));
}

/** Messages within the mail are attachments of it: their words are not those of its sender. */
export function parseMail(bytes: Uint8Array): Promise<Email> {
  return PostalMime.parse(withLettersInUtf8(bytes, headersIn(bytes)), {
    maxNestingDepth: 32,
    maxHeadersSize: 1024 * 1024,
    forceRfc822Attachments: true,
  });
}

/** A message up to its first empty line. */
export function headersIn(bytes: Uint8Array): Uint8Array {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const ends = ["\r\n\r\n", "\n\n"].map((gap) => text.indexOf(gap)).filter((end) => end >= 0);
  return ends.length === 0 ? bytes : bytes.subarray(0, Math.min(...ends) + 2);
}

/** In bytes. */
export function sizeOf(content: Attachment["content"]): number {
  return typeof content === "string" ? Buffer.byteLength(content) : content.byteLength;
}

/** The header of the date as it stands in the mail. */
export const dateIn = (mail: Email): string => headerIn(mail, "date");

/** A header as it stands in the mail; empty if it has none. */
export function headerIn({ headers }: Email, name: string): string {
  return headers.find(({ key }) => key === name.toLowerCase())?.value ?? "";
}

const maxListed = 100;
/** In UTF-16 code units. */
const maxText = 300;

/** Long texts and long lists are cut. */
export function headOf(mail: Email): MailHead {
  const moment = momentOf(mail.date ?? "");
  return {
    from: addressesIn(mail.from === undefined ? [] : [mail.from]),
    to: addressesIn([...(mail.to ?? []), ...(mail.cc ?? []), ...(mail.bcc ?? [])]),
    subject: cut(mail.subject ?? ""),
    date: moment === null ? "" : `${moment.toISOString().slice(0, 19)}Z`,
    messageId: idsIn(mail.messageId)[0] ?? "",
    inReplyTo: idsIn(mail.inReplyTo)[0] ?? "",
    references: idsIn(mail.references),
  };
}

const dateInText = /[A-Z][a-z]{2}, +\d{1,2} [A-Z][a-z]{2} \d{4} \d{1,2}:\d{2}(?::\d{2})? [+-]\d{4}/;

/** Some programs write the date twice into one header: the first one counts. */
function momentOf(text: string): Date | null {
  const moments = [text, dateInText.exec(text)?.[0] ?? ""].map((date) => new Date(date));
  return moments.find((moment) => !Number.isNaN(moment.getTime())) ?? null;
}

function addressesIn(addresses: readonly Address[]): string[] {
  const all = addresses.flatMap(({ address, group }) =>
    (group ?? [{ address: address ?? "" }]).map(addressOf),
  );
  return [...new Set(all.filter((address) => address !== ""))].slice(0, maxListed);
}

const addressOf = ({ address }: { address: string }): string => cut(address).toLowerCase();

/** The ids of messages in a header, without their angle brackets. */
function idsIn(header = ""): string[] {
  const ids = header.match(/<[^<>\s]+>/g)?.map((id) => id.slice(1, -1)) ?? header.split(/\s+/);
  return [...new Set(ids.map(cut).filter((id) => id !== ""))].slice(-maxListed);
}

const cut = (text: string): string => Array.from(text.trim()).slice(0, maxText).join("").toWellFormed();
