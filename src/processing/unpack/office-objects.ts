import { Reader } from "@kenjiuno/msgreader/lib/Reader.js";
import { openPromise, type Entry as ZipEntry, type ZipFile } from "yauzl";
import type { Entry, OpenedContainer } from "./unpacking.ts";

/*
 * Files that were inserted into an office document. Microsoft's formats have them in a folder `embeddings`, as they are
 * or within a compound file (MS-OLEDS), and the formats of OpenDocument as compound files beside the text. Charts,
 * formulas and pictures are parts of the document itself.
 */

const embeddedFile = /^(?:word|xl|ppt)\/embeddings\/[^/]+$|^Object \d+$/;

/** The largest compound file that is read: it is in memory as a whole. */
const maxObjectBytes = 256 * 1024 * 1024;

export async function openOfficeFile(from: string): Promise<OpenedContainer> {
  const zip = await openPromise(from, { lazyEntries: true, autoClose: false });
  return { entries: filesIn(zip), close: () => zip.close() };
}

async function* filesIn(zip: ZipFile): AsyncGenerator<Entry> {
  for await (const entry of zip.eachEntry()) {
    const name = entry.fileName;
    if (!embeddedFile.test(name)) continue;
    const path = name.slice(name.lastIndexOf("/") + 1);
    const packedBytes = entry.compressedSize;
    if (!/\.bin$|^Object \d+$/.test(path)) {
      yield {
        path,
        packedBytes,
        async *bytes() {
          yield* (await zip.openReadStreamPromise(entry)) as AsyncIterable<Uint8Array>;
        },
      };
      continue;
    }
    const file =
      entry.uncompressedSize > maxObjectBytes ? null : fileInObject(await readWhole(zip, entry), path);
    // Most others are formulas, which the document shows.
    if (file !== null) yield { path: file.name, packedBytes, bytes: () => [file.bytes] };
  }
}

async function readWhole(zip: ZipFile, entry: ZipEntry): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of (await zip.openReadStreamPromise(entry)) as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    if (bytes > maxObjectBytes) break;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The streams by which older office files are recognised. */
const wholeFiles = new Map([
  ["WordDocument", "doc"],
  ["Workbook", "xls"],
  ["Book", "xls"],
  ["PowerPoint Document", "ppt"],
  ["VisioDocument", "vsd"],
]);

interface InsertedFile {
  name: string;
  bytes: Uint8Array;
}

/** The file in a compound file; null if that is an object of another kind, or broken. */
export function fileInObject(object: Buffer, path: string): InsertedFile | null {
  const title = path.replace(/\.bin$/, "");
  const streams = streamsOf(object);
  const native = streams?.get("\u0001Ole10Native");
  if (native !== undefined) return packagedFile(native);
  const contents = streams?.get("CONTENTS");
  if (contents?.subarray(0, 5).toString("latin1") === "%PDF-")
    return { name: `${title}.pdf`, bytes: contents };
  const whole = streams?.get("Package");
  // What it is follows from its bytes.
  if (whole !== undefined) return { name: title, bytes: whole };
  for (const [name, extension] of wholeFiles)
    if (streams?.has(name) === true) return { name: `${title}.${extension}`, bytes: object };
  return null;
}

/** The streams at the top of a compound file, by name. Null if the bytes are not such a file. */
function streamsOf(object: Buffer): Map<string, Buffer> | null {
  try {
    const reader = new Reader(new Uint8Array(object).buffer);
    reader.parse();
    const root = reader.rootFolder();
    return new Map(
      root.fileNames().flatMap((name) => {
        const bytes = root.readFile(name);
        return bytes === null ? [] : [[name, Buffer.from(bytes)] as const];
      }),
    );
  } catch {
    return null;
  }
}

/** Reads a file as Windows' Packager writes it: its name, two paths of the sender's machine, and its bytes. */
function packagedFile(native: Buffer): InsertedFile | null {
  // The size of what follows, and two bytes that say which kind of package it is.
  let at = 6;
  const text = (): string => {
    const end = native.indexOf(0, at);
    const written = native.toString("latin1", at, end === -1 ? native.length : end);
    at = end === -1 ? native.length : end + 1;
    return written;
  };
  try {
    const label = text();
    const path = text();
    at += 4;
    at += 4 + native.readUInt32LE(at);
    const bytes = native.readUInt32LE(at);
    at += 4;
    if (bytes === 0 || at + bytes > native.length) return null;
    const name = (label === "" ? path : label).split(/[\\/]/).at(-1) ?? "";
    return { name: name === "" ? "file" : name, bytes: native.subarray(at, at + bytes) };
  } catch {
    return null;
  }
}
