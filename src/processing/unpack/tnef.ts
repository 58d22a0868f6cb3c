import { readFileSync } from "node:fs";
import { UnreadableFileError } from "../unreadable-file.ts";
import type { Entry, OpenedContainer } from "./unpacking.ts";

/*
 * Outlook puts attachments and formatted texts into a file `winmail.dat` (TNEF, described in MS-OXTNEF): attributes one
 * after another, of the message and then of each attachment, some of which hold lists of MAPI properties.
 */

const signature = 0x223e9f78;
const attributes = {
  body: 0x800c,
  attachData: 0x800f,
  attachTitle: 0x8010,
  attachBegin: 0x9002,
  messageProperties: 0x9003,
  attachProperties: 0x9005,
} as const;
const properties = {
  body: 0x1000,
  html: 0x1013,
  displayName: 0x3001,
  attachObject: 0x3701,
  fileName: 0x3704,
  longFileName: 0x3707,
  contentType: 0x370e,
} as const;
const [messageLevel, attachmentLevel] = [1, 2];
/** Before an embedded message stands the identifier of its interface. */
const interfaceBytes = 16;

interface Attachment {
  title: string;
  data: Buffer | null;
  properties: ReadonlyMap<number, Buffer | string>;
}

/** The attachments in a winmail.dat, and the texts of its message. */
export function openTnef(from: string): OpenedContainer {
  const file = readFileSync(from);
  if (file.length < 6 || file.readUInt32LE(0) !== signature)
    throw new UnreadableFileError("broken", "broken: it has no signature");
  return { entries: entriesIn(file) };
}

function* entriesIn(file: Buffer): Generator<Entry> {
  let attachment: Attachment | null = null;
  for (const { id, data } of attributesIn(file)) {
    if (id === attributes.attachBegin) {
      if (attachment !== null) yield* entryOf(attachment);
      attachment = { title: "", data: null, properties: new Map() };
    } else if (id === attributes.attachTitle && attachment !== null) attachment.title = narrow(data);
    else if (id === attributes.attachData && attachment !== null) attachment.data = data;
    else if (id === attributes.attachProperties && attachment !== null)
      attachment.properties = propertiesIn(data);
    else if (id === attributes.body && data.length > 1) yield textEntry("message.txt", narrow(data));
    else if (id === attributes.messageProperties) yield* textsIn(propertiesIn(data));
  }
  if (attachment !== null) yield* entryOf(attachment);
}

function* textsIn(found: ReadonlyMap<number, Buffer | string>): Generator<Entry> {
  const html = found.get(properties.html);
  const text = found.get(properties.body);
  if (html !== undefined && html.length > 0)
    yield { path: "message.html", contentType: "text/html", bytes: () => [Buffer.from(html as Buffer)] };
  else if (typeof text === "string" && text !== "") yield textEntry("message.txt", text);
}

function* entryOf({ title, data, properties: found }: Attachment): Generator<Entry> {
  const textOf = (id: number): string => {
    const value = found.get(id);
    return typeof value === "string" ? value : "";
  };
  const object = found.get(properties.attachObject);
  const name =
    textOf(properties.longFileName) || textOf(properties.fileName) || title || textOf(properties.displayName);
  if (Buffer.isBuffer(object) && object.length > interfaceBytes + 4) {
    const inner = object.subarray(interfaceBytes);
    const isMessage = inner.readUInt32LE(0) === signature;
    yield { path: isMessage ? `${name || "message"}.dat` : name, bytes: () => [isMessage ? inner : object] };
  } else if (data !== null) {
    const contentType = textOf(properties.contentType);
    yield { path: name || "attachment", ...(contentType !== "" && { contentType }), bytes: () => [data] };
  }
}

const textEntry = (path: string, text: string): Entry => ({
  path,
  contentType: "text/plain",
  bytes: () => [Buffer.from(text)],
});

function* attributesIn(file: Buffer): Generator<{ id: number; data: Buffer }> {
  for (let at = 6; at + 9 <= file.length;) {
    const level = file[at] ?? 0;
    // Some programs write more after the end.
    if (level !== messageLevel && level !== attachmentLevel) return;
    const id = file.readUInt16LE(at + 1);
    const length = file.readUInt32LE(at + 5);
    const end = at + 9 + length;
    if (end > file.length) throw new UnreadableFileError("broken", "broken: it ends early");
    yield { id, data: file.subarray(at + 9, end) };
    // A checksum of two bytes follows.
    at = end + 2;
  }
}

/** How many bytes a value has that is not a list of values, by its type. */
const fixedBytes = new Map([
  [0x02, 4],
  [0x03, 4],
  [0x04, 4],
  [0x05, 8],
  [0x06, 8],
  [0x07, 8],
  [0x0a, 4],
  [0x0b, 4],
  [0x14, 8],
  [0x40, 8],
  [0x48, 16],
]);
const isSeveral = 0x1000;
const [narrowType, wideType] = [0x1e, 0x1f];

/** Texts and bytes by the ids of their properties; of several values the first. */
function propertiesIn(data: Buffer): Map<number, Buffer | string> {
  const found = new Map<number, Buffer | string>();
  let at = 4;
  const number = (): number => {
    at += 4;
    return data.readUInt32LE(at - 4);
  };
  const padded = (length: number): Buffer => {
    const bytes = data.subarray(at, at + length);
    if (bytes.length < length) throw new UnreadableFileError("broken", "broken: it ends early");
    at += length + (-length & 3);
    return bytes;
  };
  for (let left = data.readUInt32LE(0); left > 0; left--) {
    const type = data.readUInt16LE(at);
    const id = data.readUInt16LE(at + 2);
    at += 4;
    if (id >= 0x8000) {
      at += 16;
      if (number() === 0) at += 4;
      else padded(number());
    }
    const bytes = fixedBytes.get(type & ~isSeveral);
    const count = bytes === undefined || (type & isSeveral) !== 0 ? number() : 1;
    for (let index = 0; index < count; index++) {
      const value = padded(bytes ?? number());
      if (index > 0) continue;
      if (type === narrowType) found.set(id, narrow(value));
      else if (type === wideType) found.set(id, value.toString("utf16le").replace(/\0.*$/s, ""));
      else found.set(id, value);
    }
  }
  return found;
}

function narrow(bytes: Buffer): string {
  const text = bytes.subarray(0, bytes.includes(0) ? bytes.indexOf(0) : bytes.length);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(text);
  } catch {
    return new TextDecoder("windows-1252").decode(text);
  }
}
