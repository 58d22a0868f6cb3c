import type { Attachment } from "postal-mime";
import { headOf, headersIn, parseMail, readMail } from "./read-mail.ts";
import type { Entry, OpenedContainer } from "./unpacking.ts";

/** The attachments of a mail. A message that was forwarded is one of them, called by its subject. */
export async function openMail(from: string, extension: string): Promise<OpenedContainer> {
  const mail = await readMail(from, extension);
  return { entries: attachmentsIn(mail.attachments), mail: headOf(mail) };
}

async function* attachmentsIn(attachments: readonly Attachment[]): AsyncGenerator<Entry> {
  for (const { filename, mimeType, content } of attachments) {
    const bytes = typeof content === "string" ? Buffer.from(content) : new Uint8Array(content);
    const entry = { contentType: mimeType, bytes: () => [bytes] };
    if (mimeType === "message/rfc822") {
      const title = await subjectOf(bytes);
      yield { ...entry, path: filename ?? `${title || "message"}.eml`, ...(title !== "" && { title }) };
    } else yield { ...entry, path: filename ?? nameless(mimeType) };
  }
}

async function subjectOf(bytes: Uint8Array): Promise<string> {
  return ((await parseMail(headersIn(bytes))).subject ?? "").trim();
}

const nameless = (mimeType: string): string => {
  const known: Readonly<Record<string, string>> = {
    "text/calendar": "invitation.ics",
    "text/plain": "text.txt",
    "text/html": "text.html",
    "message/delivery-status": "delivery-status.txt",
  };
  const [kind = "", subtype = ""] = mimeType.split("/");
  return known[mimeType] ?? (kind === "image" ? `image.${subtype.replace(/[^a-z0-9]/g, "")}` : "attachment");
};
