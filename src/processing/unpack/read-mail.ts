import { readFileSync } from "node:fs";
import PostalMime, { type Address, type Attachment, type Email } from "postal-mime";
import type { MailHead } from "./unpacking.ts";

/** Messages within the mail are attachments of it: their words are not those of its sender. */
export function readMail(from: string): Promise<Email> {
  return parseMail(readFileSync(from));
}

export function parseMail(bytes: Uint8Array): Promise<Email> {
  return PostalMime.parse(bytes, {
    maxNestingDepth: 32,
    maxHeadersSize: 1024 * 1024,
    forceRfc822Attachments: true,
  });
}

/** In bytes. */
export function sizeOf(content: Attachment["content"]): number {
  return typeof content === "string" ? Buffer.byteLength(content) : content.byteLength;
}

/** The header of the date as it stands in the mail. */
export function dateIn({ headers }: Email): string {
  return headers.find(({ key }) => key === "date")?.value ?? "";
}

const maxListed = 100;
/** In UTF-16 code units. */
const maxText = 300;

/** Long texts and long lists are cut. */
export function headOf(mail: Email): MailHead {
  const moment = new Date(mail.date ?? "");
  return {
    from: addressesIn(mail.from === undefined ? [] : [mail.from]),
    to: addressesIn([...(mail.to ?? []), ...(mail.cc ?? []), ...(mail.bcc ?? [])]),
    subject: cut(mail.subject ?? ""),
    date: Number.isNaN(moment.getTime()) ? "" : `${moment.toISOString().slice(0, 19)}Z`,
    messageId: idsIn(mail.messageId)[0] ?? "",
    inReplyTo: idsIn(mail.inReplyTo)[0] ?? "",
    references: idsIn(mail.references),
  };
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
