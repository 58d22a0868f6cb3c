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
  return { entries: itemsIn(store.getRootFolder(), "", skipped), close: () => store.close() };
}

function* itemsIn(folder: PSTFolder, path: string, skipped: { count: number }): Generator<Entry> {
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
      bytes: () => [writeMail(mailOf(item))],
    };
  }
  if (!folder.hasSubfolders) return;
  for (const inner of folder.getSubFolders())
    yield* itemsIn(inner, `${path}${shownName(inner.displayName) || "folder"}/`, skipped);
}

/** A property that is damaged is an empty text. */
function textOf(read: () => string): string {
  try {
    return read() ?? "";
  } catch {
    return "";
  }
}

function mailOf(item: PSTMessage): MailToWrite {
  const address = textOf(() => item.senderEmailAddress);
  return {
    headers: textOf(() => item.transportMessageHeaders),
    from: { name: textOf(() => item.senderName), address: address.includes("@") ? address : "" },
    ...recipientsOf(item),
    subject: textOf(() => item.subject),
    date: item.clientSubmitTime ?? item.messageDeliveryTime,
    messageId: textOf(() => item.internetMessageId),
    inReplyTo: textOf(() => item.inReplyToId),
    text: textOf(() => item.body),
    html: textOf(() => item.bodyHTML),
    attachments: attachmentsOf(item),
  };
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

function attachmentsOf(item: PSTMessage): AttachmentToWrite[] {
  return Array.from({ length: item.numberOfAttachments }, (_, index) =>
    attachmentOf(item.getAttachment(index)),
  );
}

function attachmentOf(attachment: PSTAttachment): AttachmentToWrite {
  const long = textOf(() => attachment.longFilename);
  const name = (long === "" ? textOf(() => attachment.filename) : long) || "attachment";
  const inner = attachment.embeddedPSTMessage;
  if (inner !== null) return { name: `${textOf(() => inner.subject) || name}.eml`, mail: mailOf(inner) };
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
