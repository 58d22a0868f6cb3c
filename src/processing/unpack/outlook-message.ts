import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type * as MsgReaderModule from "@kenjiuno/msgreader";
import { type AttachmentToWrite, type MailToWrite, type WrittenPerson, writeMail } from "./write-mail.ts";

type FieldsData = MsgReaderModule.FieldsData;
type MsgReader = MsgReaderModule.default;

/** A mail of Outlook (MSG) as a message of the internet. */
export function messageOfOutlook(from: string): Buffer {
  const bytes = new Uint8Array(readFileSync(from));
  const { default: Reader } = createRequire(import.meta.url)("@kenjiuno/msgreader") as {
    default: new (bytes: ArrayBuffer) => MsgReader;
  };
  let reader = new Reader(bytes.buffer);
  let fields = reader.getFileData();
  const ansiEncoding = encodings.get(fields.messageCodepage ?? fields.internetCodepage ?? 0);
  if (ansiEncoding !== undefined) {
    reader = new Reader(bytes.buffer);
    reader.parserConfig = { ansiEncoding };
    fields = reader.getFileData();
  }
  if (fields.error !== undefined) throw new Error(fields.error);
  return writeMail(mailOf(fields, (attachment) => reader.getAttachment(attachment).content));
}

/** The encodings of texts that are not in Unicode, by the numbers of code pages, also of those for mail. */
const encodings = new Map(
  [
    [874, 874],
    [932, 932, 50_220, 50_221, 50_222, 51_932],
    [936, 936, 50_227, 51_936, 52_936, 54_936],
    [949, 949, 50_225, 51_949],
    [950, 950],
    [1250, 1250, 28_592],
    [1251, 1251, 20_866, 21_866, 28_595],
    [1253, 1253, 28_597],
    [1254, 1254, 28_599],
    [1255, 1255, 28_598, 38_598],
    [1256, 1256, 28_596],
    [1257, 1257, 28_594],
    [1258, 1258],
  ].flatMap(([encoding, ...pages]) => pages.map((page) => [page, `cp${encoding}`] as const)),
);

function mailOf(fields: FieldsData, contentOf: (attachment: FieldsData) => Uint8Array): MailToWrite {
  const persons = (type: string): WrittenPerson[] =>
    (fields.recipients ?? [])
      .filter(({ recipType = "to" }) => recipType === type)
      .map(({ name = "", smtpAddress, email = "" }) => ({
        name,
        address: smtpAddress ?? mailAddress(email),
      }));
  return {
    headers: fields.headers ?? "",
    from: { name: fields.senderName ?? "", address: senderAddress(fields) },
    to: persons("to"),
    cc: persons("cc"),
    bcc: persons("bcc"),
    subject: fields.subject ?? "",
    date: momentOf(fields.clientSubmitTime ?? fields.messageDeliveryTime),
    messageId: fields.messageId ?? "",
    inReplyTo: "",
    appointment: {
      start: momentOf(fields.apptStartWhole),
      end: momentOf(fields.apptEndWhole),
      location: fields.apptLocation ?? "",
    },
    text: fields.body ?? "",
    html: fields.bodyHtml ?? fields.html ?? "",
    attachments: (fields.attachments ?? []).map((attachment) => attachmentOf(attachment, contentOf)),
  };
}

function momentOf(text: string | undefined): Date | null {
  const moment = new Date(text ?? "");
  return Number.isNaN(moment.getTime()) ? null : moment;
}

function attachmentOf(
  attachment: FieldsData,
  contentOf: (attachment: FieldsData) => Uint8Array,
): AttachmentToWrite {
  const name = attachment.fileName ?? attachment.fileNameShort ?? attachment.name ?? "attachment";
  const { innerMsgContentFields: inner } = attachment;
  if (inner !== undefined) return { name: `${name}.eml`, mail: mailOf(inner, contentOf) };
  const { attachMimeTag: contentType = "", pidContentId: contentId = "" } = attachment;
  return { name, contentType, contentId, bytes: contentOf(attachment) };
}

/** Outlook states that of a sender in the same organization only where it says who wrote the file. */
function senderAddress({ senderSmtpAddress, senderEmail = "", senderName, ...fields }: FieldsData): string {
  const { lastModifierName, lastModifierSMTPAddress = "" } = fields;
  const known = senderSmtpAddress || mailAddress(senderEmail);
  const isModifier = senderName !== undefined && senderName === lastModifierName;
  return known === "" && isModifier ? mailAddress(lastModifierSMTPAddress) : known;
}

/** Addresses within an organization have another form, which the internet does not use. */
const mailAddress = (text: string): string => (text.includes("@") ? text : "");
