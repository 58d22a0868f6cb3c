import { createRequire } from "node:module";
import type { PSTAttachment, PSTFile as PSTFileClass, PSTFolder, PSTMessage } from "pst-extractor";
import { shownName } from "./shown-path.ts";
import type { Entry, OpenedContainer } from "./unpacking.ts";
import { type AttachmentToWrite, type MailToWrite, type WrittenPerson, writeMail } from "./write-mail.ts";

/** The mails in a mailbox of Outlook (PST, OST), folder by folder. */
export function openOutlookStore(from: string, after: number): OpenedContainer {
  const { PSTFile } = createRequire(import.meta.url)("pst-extractor") as { PSTFile: typeof PSTFileClass };
  const store = new PSTFile(from);
  const skipped = { count: after + 1 };
  return { entries: itemsIn(store, store.getRootFolder(), "", skipped), close: () => store.close() };
}

function* itemsIn(
  store: PSTFileClass,
  folder: PSTFolder,
  path: string,
  skipped: { count: number },
): Generator<Entry> {
  for (let number = 1; number <= folder.contentCount; number++) {
    const item = folder.getNextChild() as PSTMessage | null;
    if (item === null) break;
    if (skipped.count > 0) {
      skipped.count -= 1;
      yield { path: "", bytes: () => [] };
      continue;
    }
    const subject = textOf(() => item.subject);
    const name = `${path}${String(number).padStart(5, "0")} ${shownName(subject) || "no subject"}.eml`;
    yield {
      path: name,
      ...(subject !== "" && { title: subject }),
      contentType: "message/rfc822",
      bytes: () => [writeMail(mailOf(store, item))],
    };
  }
  if (!folder.hasSubfolders) return;
  for (const inner of folder.getSubFolders())
    yield* itemsIn(store, inner, `${path}${shownName(inner.displayName) || "folder"}/`, skipped);
}

/** A property that is damaged is an empty text. */
function textOf(read: () => string): string {
  try {
    return read() ?? "";
  } catch {
    return "";
  }
}

function mailOf(store: PSTFileClass, item: PSTMessage): MailToWrite {
  const address = textOf(() => item.senderEmailAddress);
  return {
    headers: textOf(() => item.transportMessageHeaders),
    from: { name: textOf(() => item.senderName), address: address.includes("@") ? address : "" },
    ...recipientsOf(item),
    subject: textOf(() => item.subject),
    date: item.clientSubmitTime ?? item.messageDeliveryTime,
    messageId: textOf(() => item.internetMessageId),
    inReplyTo: textOf(() => item.inReplyToId),
    appointment: appointmentIn(store, item),
    text: textOf(() => item.body),
    html: textOf(() => item.bodyHTML),
    attachments: attachmentsOf(store, item),
  };
}

/** The properties of appointments, by their names in their set, which has this number in pst-extractor. */
const appointmentSet = 4;
const appointmentNames = { location: 0x82_08, start: 0x82_0d, end: 0x82_0e };

/** The types of the package leave the texts to its own classes. These do not know that an invitation has a time. */
interface NamedProperties {
  getStringItem(id: number): string;
  getDateItem(id: number): Date | null;
}

/** When and where an appointment is, or one that a mail invites to. */
function appointmentIn(store: PSTFileClass, item: PSTMessage): NonNullable<MailToWrite["appointment"]> {
  const properties = item as unknown as NamedProperties;
  const idOf = (name: number): number => store.getNameToIdMapItem(name, appointmentSet);
  return {
    start: dateOf(() => properties.getDateItem(idOf(appointmentNames.start))),
    end: dateOf(() => properties.getDateItem(idOf(appointmentNames.end))),
    location: textOf(() => properties.getStringItem(idOf(appointmentNames.location))),
  };
}

/** A date that is damaged is null. */
function dateOf(read: () => Date | null): Date | null {
  try {
    const date = read();
    return date === null || Number.isNaN(date.getTime()) ? null : date;
  } catch {
    return null;
  }
}

const recipientKinds = { 1: "to", 2: "cc", 3: "bcc" } as const;

function recipientsOf(item: PSTMessage): Record<"to" | "cc" | "bcc", WrittenPerson[]> {
  const found: Record<"to" | "cc" | "bcc", WrittenPerson[]> = { to: [], cc: [], bcc: [] };
  for (let index = 0; index < item.numberOfRecipients; index++) {
    const recipient = item.getRecipient(index);
    if (recipient === null) continue;
    const kind = recipientKinds[recipient.recipientType as 1 | 2 | 3] ?? "to";
    const smtp = textOf(() => recipient.smtpAddress);
    const address = smtp === "" ? textOf(() => recipient.emailAddress) : smtp;
    found[kind].push({
      name: textOf(() => recipient.displayName),
      address: address.includes("@") ? address : "",
    });
  }
  return found;
}

function attachmentsOf(store: PSTFileClass, item: PSTMessage): AttachmentToWrite[] {
  return Array.from({ length: item.numberOfAttachments }, (_, index) =>
    attachmentOf(store, item.getAttachment(index)),
  );
}

function attachmentOf(store: PSTFileClass, attachment: PSTAttachment): AttachmentToWrite {
  const long = textOf(() => attachment.longFilename);
  const name = (long === "" ? textOf(() => attachment.filename) : long) || "attachment";
  const inner = attachment.embeddedPSTMessage;
  if (inner !== null)
    return { name: `${textOf(() => inner.subject) || name}.eml`, mail: mailOf(store, inner) };
  const contentType = textOf(() => attachment.mimeTag);
  return { name, contentType, contentId: textOf(() => attachment.contentId), bytes: contentOf(attachment) };
}

const pieceBytes = 8176;

function contentOf(attachment: PSTAttachment): Buffer {
  const stream = attachment.fileInputStream;
  if (stream === null) return Buffer.alloc(0);
  const pieces: Buffer[] = [];
  for (;;) {
    const piece = Buffer.alloc(pieceBytes);
    const length = stream.read(piece);
    if (length <= 0) break;
    pieces.push(piece.subarray(0, length));
    if (length < pieceBytes) break;
  }
  return Buffer.concat(pieces);
}
