import type { Address } from "postal-mime";
import { dateIn, readMail, sizeOf } from "../unpack/read-mail.ts";
import type { MailParts, MailPerson } from "./conversion.ts";

const maxListed = 1000;
/** In UTF-16 code units. */
const maxText = 10_000;

/** The headers and attachments of a mail. Long texts and long lists are cut. */
export async function mailParts(from: string, extension: string): Promise<MailParts> {
  const mail = await readMail(from, extension);
  const headers = mail.headers.slice(0, maxListed);
  return {
    from: people(mail.from === undefined ? [] : [mail.from]),
    to: people(mail.to),
    cc: people(mail.cc),
    bcc: people(mail.bcc),
    subject: cut(mail.subject ?? ""),
    date: cut(dateIn(mail)),
    headers: headers.map(({ originalKey, value }) => ({ name: cut(originalKey), value: cut(value) })),
    attachments: mail.attachments.slice(0, maxListed).map(({ filename, mimeType, content }) => ({
      name: cut(filename ?? ""),
      contentType: cut(mimeType),
      size: sizeOf(content),
    })),
  };
}

/** The persons of an address list. The members of a group are listed individually. */
function people(addresses: readonly Address[] = []): MailPerson[] {
  return addresses
    .flatMap(({ name, address, group }): MailPerson[] =>
      group === undefined ? [{ name: cut(name), address: cut(address ?? "") }] : people(group),
    )
    .slice(0, maxListed);
}

const cut = (text: string): string => text.slice(0, maxText).toWellFormed();
