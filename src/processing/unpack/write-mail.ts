import { createHash } from "node:crypto";

/*
 * Writes mails that other programs keep in forms of their own as messages of the internet (RFC 5322), so that Quire
 * reads every mail in one way.
 */

export interface WrittenPerson {
  name: string;
  address: string;
}

export interface MailToWrite {
  /** The headers that it came with, as lines. What they lack is made of the rest. */
  headers: string;
  from: WrittenPerson | null;
  to: readonly WrittenPerson[];
  cc: readonly WrittenPerson[];
  bcc: readonly WrittenPerson[];
  subject: string;
  date: Date | null;
  messageId: string;
  inReplyTo: string;
  /** When and where it is, if it is an appointment. */
  appointment?: { start: Date | null; end: Date | null; location: string };
  text: string;
  html: string | Uint8Array;
  attachments: readonly AttachmentToWrite[];
}

export type AttachmentToWrite =
  | { name: string; mail: MailToWrite }
  | { name: string; contentType: string; contentId: string; bytes: Uint8Array };

export function writeMail(mail: MailToWrite): Buffer {
  return Buffer.from(messageOf(mail, 0), "latin1");
}

const crlf = "\r\n";

/** In ASCII, but for headers that came with other bytes. */
function messageOf(mail: MailToWrite, depth: number): string {
  const texts = [
    ...(mail.text === "" ? [] : [part("text/plain; charset=utf-8", Buffer.from(mail.text))]),
    ...(mail.html.length === 0 ? [] : [part("text/html; charset=utf-8", Buffer.from(mail.html))]),
  ];
  const body = texts.length === 1 ? (texts[0] as string) : multipart("alternative", texts, `${depth}a`);
  const attachments = mail.attachments.map((attachment) => attachmentPart(attachment, depth));
  const content = attachments.length === 0 ? body : multipart("mixed", [body, ...attachments], `${depth}m`);
  return [headersOf(mail), "MIME-Version: 1.0", content].filter((piece) => piece !== "").join(crlf);
}

function attachmentPart(attachment: AttachmentToWrite, depth: number): string {
  const disposition = `Content-Disposition: attachment; ${fileNameOf(attachment.name)}`;
  if ("mail" in attachment)
    return [`Content-Type: message/rfc822`, disposition, "", messageOf(attachment.mail, depth + 1)].join(
      crlf,
    );
  const { contentType, contentId, bytes } = attachment;
  const id = contentId === "" ? [] : [`Content-ID: <${ascii(contentId)}>`];
  return part(/^[\w.+-]+\/[\w.+-]+$/.test(contentType) ? contentType : "application/octet-stream", bytes, [
    disposition,
    ...id,
  ]);
}

function part(contentType: string, bytes: Uint8Array, more: readonly string[] = []): string {
  const lines =
    Buffer.from(bytes)
      .toString("base64")
      .match(/.{1,76}/g) ?? [];
  return [`Content-Type: ${contentType}`, "Content-Transfer-Encoding: base64", ...more, "", ...lines].join(
    crlf,
  );
}

function multipart(kind: string, parts: readonly string[], level: string): string {
  const boundary = `=_${level}_${createHash("sha1").update(parts.join()).digest("hex").slice(0, 20)}`;
  const inside = parts.flatMap((one) => [`--${boundary}`, one]);
  return [
    `Content-Type: multipart/${kind}; boundary="${boundary}"`,
    "",
    ...inside,
    `--${boundary}--`,
    "",
  ].join(crlf);
}

/** The headers that it came with, except those that describe the form of the body, and what they lack. */
function headersOf(mail: MailToWrite): string {
  const kept = Buffer.from(mail.headers)
    .toString("latin1")
    .split(/\r?\n(?![ \t])/)
    .filter((line) => /^[!-9;-~]+:/.test(line) && !/^(?:content-[\w-]+|mime-version):/i.test(line))
    .map((line) => line.replaceAll(/\r?\n/g, crlf).trimEnd());
  const { from, to, cc, bcc, subject, date, messageId, inReplyTo, appointment } = mail;
  const made: (readonly [string, string])[] = [
    ["From", from === null ? "" : people([from])],
    ["To", people(to)],
    ["Cc", people(cc)],
    ["Bcc", people(bcc)],
    ["Subject", encoded(subject)],
    ["Date", dateOf(date)],
    ["Message-ID", idOf(messageId)],
    ["In-Reply-To", idOf(inReplyTo)],
    [appointmentHeaders.start, dateOf(appointment?.start ?? null)],
    [appointmentHeaders.end, dateOf(appointment?.end ?? null)],
    [appointmentHeaders.location, encoded(appointment?.location ?? "")],
  ];
  const names = new Set(kept.map((line) => line.slice(0, line.indexOf(":")).toLowerCase()));
  const missing = made.filter(([name, value]) => value !== "" && !names.has(name.toLowerCase()));
  return [...kept, ...missing.map(([name, value]) => `${name}: ${value}`)].join(crlf);
}

/** The headers that say when and where an appointment is. */
export const appointmentHeaders = {
  start: "X-Appointment-Start",
  end: "X-Appointment-End",
  location: "X-Appointment-Location",
};

const dateOf = (date: Date | null): string => date?.toUTCString().replace("GMT", "+0000") ?? "";

const idOf = (id: string): string => (id === "" ? "" : `<${ascii(id.replaceAll(/[<>\s]/g, ""))}>`);

function people(list: readonly WrittenPerson[]): string {
  return list
    .map(({ name, address }) => {
      const shown = name === "" || name === address ? "" : `${encoded(name, true)} `;
      return address === "" ? shown.trim() : `${shown}<${ascii(address)}>`;
    })
    .filter((one) => one !== "")
    .join(`,${crlf} `);
}

/** A text in a header: as it is if it is ASCII, or else in encoded words. */
function encoded(text: string, isPhrase = false): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  if (/^[ -~]*$/.test(line)) return isPhrase ? `"${line.replaceAll(/["\\]/g, "")}"` : line;
  const pieces = line.match(/.{1,15}/gsu) ?? [];
  return pieces.map((piece) => `=?utf-8?B?${Buffer.from(piece).toString("base64")}?=`).join(`${crlf} `);
}

function fileNameOf(name: string): string {
  // Outlook cuts long names, also between the two halves of a character.
  const line = name.replaceAll(/[\r\n]/g, " ").toWellFormed();
  if (/^[ -~]*$/.test(line)) return `filename="${line.replaceAll(/["\\]/g, "_")}"`;
  return `filename*=utf-8''${encodeURIComponent(line).replaceAll("'", "%27")}`;
}

const ascii = (text: string): string => text.replaceAll(/[^!-~]/g, "");
