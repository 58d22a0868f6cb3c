import { createReadStream, openSync, readSync, closeSync, statSync } from "node:fs";
import path from "node:path";
import { UnreadableFileError } from "../unreadable-file.ts";
import { ByteReading, type Bytes } from "./byte-reading.ts";
import { gunzip } from "./gunzip.ts";
import { maxRatio, smallEnough } from "./limits.ts";
import { type Entry, type OpenedContainer, unnamed } from "./unpacking.ts";

/** The files in a TAR archive. */
export function openTar(from: string): OpenedContainer {
  return { entries: filesIn(new ByteReading(createReadStream(from))) };
}

/** What is packed with gzip: a TAR archive, or one file, which is called as the packed one without its ending. */
export function openGzip(from: string): OpenedContainer {
  return { entries: inGzip(new ByteReading(inflated(from)), nameInGzip(from)) };
}

async function* inGzip(reading: ByteReading, name: string | null): AsyncGenerator<Entry> {
  if (isTar(await reading.peek(blockBytes))) return yield* filesIn(reading);
  yield { path: name ?? unnamed, isUnnamed: name === null, bytes: () => reading.take(Infinity) };
}

async function* inflated(from: string): Bytes {
  const packed = statSync(from).size;
  let bytes = 0;
  for await (const chunk of gunzip(new ByteReading(createReadStream(from)))) {
    bytes += chunk.length;
    if (bytes > smallEnough && bytes > packed * maxRatio) {
      throw new UnreadableFileError(
        "too-large",
        `too large when unpacked: it is more than ${maxRatio} times as large as its packed form`,
      );
    }
    yield chunk;
  }
}

/** The name that the header of a gzip file states; null if it states none. */
function nameInGzip(from: string): string | null {
  const head = Buffer.alloc(1024);
  const file = openSync(from, "r");
  const length = readSync(file, head, 0, head.length, 0);
  closeSync(file);
  const flags = head[3] ?? 0;
  if ((flags & 8) === 0) return null;
  const start = (flags & 4) === 0 ? 10 : 12 + head.readUInt16LE(10);
  const end = head.indexOf(0, start);
  return end < 0 || end > length ? null : path.posix.basename(head.toString("utf8", start, end)) || null;
}

const blockBytes = 512;

const isTar = (head: Buffer): boolean => head.toString("latin1", 257, 262) === "ustar";

async function* filesIn(reading: ByteReading): AsyncGenerator<Entry> {
  /** The name of the next file, from an entry before it. */
  let longName: string | null = null;
  for (;;) {
    const head = await reading.read(blockBytes);
    if (head.length < blockBytes || head.every((byte) => byte === 0)) return;
    const size = sizeIn(head);
    const type = String.fromCharCode(head[156] ?? 0);
    const padding = (blockBytes - (size % blockBytes)) % blockBytes;
    if (type === "L" || type === "x") {
      const text = (await reading.read(Math.min(size, 65_536))).toString("utf8");
      await reading.skip(Math.max(0, size - 65_536) + padding);
      longName = type === "L" ? text.replace(/\0.*$/s, "") : (/\d+ path=(.*)\n/.exec(text)?.[1] ?? longName);
      continue;
    }
    const end = reading.position + size;
    if (type === "0" || type === "\0") {
      yield { path: longName ?? nameIn(head), bytes: () => reading.take(size) };
    }
    longName = null;
    await reading.skip(end - reading.position + padding);
  }
}

function sizeIn(head: Buffer): number {
  // A large size is a binary number.
  if ((head[124] ?? 0) >= 0x80) return Number(head.readBigUInt64BE(128));
  const size = Number.parseInt(head.toString("latin1", 124, 136).replaceAll(/[\0 ]/g, "") || "0", 8);
  if (!Number.isSafeInteger(size)) throw new Error("a size in it is no number");
  return size;
}

function nameIn(head: Buffer): string {
  const text = (start: number, end: number): string =>
    head.toString("utf8", start, end).replace(/\0.*$/s, "");
  const prefix = isTar(head) && head[262] === 0 ? text(345, 500) : "";
  return prefix === "" ? text(0, 100) : `${prefix}/${text(0, 100)}`;
}
