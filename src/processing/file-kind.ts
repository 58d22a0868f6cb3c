import { type FileHandle, open } from "node:fs/promises";
import { constants, inflateRawSync } from "node:zlib";
import { type Signature, fileKinds } from "../file-kinds.ts";
import { textEncodingOf } from "./text-encoding.ts";
import { UnreadableFileError, unreachableFile } from "./unreadable-file.ts";

/*
 * Checks that a file's bytes match its extension. An image uploaded as DOCX is refused at once, and no converter
 * receives a file whose type it would have to guess. Only the beginning is read, and of a ZIP file the directory at its
 * end.
 */

const headLength = 65_536;
const maxDirectoryBytes = 4 * 1024 * 1024;

interface KnownBytes {
  kind: Signature;
  /** With its article, for a person. */
  name: string;
  matches: (this: void, head: Buffer) => boolean;
}

const starts = (...bytes: number[]): KnownBytes["matches"] => {
  const start = Buffer.from(bytes);
  return (head) => head.subarray(0, start.length).equals(start);
};
const says = (text: string, offset = 0): KnownBytes["matches"] => {
  return (head) => head.toString("latin1", offset, offset + text.length) === text;
};

const signatures: readonly KnownBytes[] = [
  { kind: "png", name: "a PNG image", matches: starts(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a) },
  { kind: "jpeg", name: "a JPEG image", matches: starts(0xff, 0xd8, 0xff) },
  { kind: "gif", name: "a GIF image", matches: says("GIF8") },
  {
    kind: "tiff",
    name: "a TIFF image",
    matches: (head) => /^(II[*+]\0|MM\0[*+])/.test(head.toString("latin1", 0, 4)),
  },
  {
    kind: "bmp",
    name: "a BMP image",
    matches: (head) => says("BM")(head) && head.length > 18 && head.readUInt32LE(14) < 256,
  },
  { kind: "psd", name: "a Photoshop image", matches: says("8BPS") },
  {
    kind: "webp",
    name: "a WebP image",
    matches: (head) => says("RIFF")(head) && says("WEBP", 8)(head),
  },
  {
    kind: "ole",
    name: "an older office file, or one that is locked with a password",
    matches: starts(0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1),
  },
  { kind: "outlook", name: "a mailbox of Outlook", matches: says("!BDN") },
  { kind: "rtf", name: "an RTF document", matches: says("{\\rtf") },
  { kind: "zip", name: "a ZIP archive", matches: starts(0x50, 0x4b, 0x03, 0x04) },
  { kind: "zip", name: "an empty ZIP archive", matches: starts(0x50, 0x4b, 0x05, 0x06) },
  { kind: "gzip", name: "a gzip archive", matches: starts(0x1f, 0x8b) },
  { kind: "7z", name: "a 7z archive", matches: starts(0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c) },
  { kind: "rar", name: "a RAR archive", matches: says("Rar!\x1a\x07") },
  {
    kind: "bzip2",
    name: "a bzip2 archive",
    matches: (head) => /^BZh[1-9]/.test(head.toString("latin1", 0, 4)),
  },
  { kind: "xz", name: "an XZ archive", matches: starts(0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00) },
  { kind: "cab", name: "a CAB archive", matches: says("MSCF") },
  { kind: "iso", name: "an image of a disc", matches: says("CD001", 32_769) },
  { kind: "tnef", name: "a part of a mail of Outlook", matches: starts(0x78, 0x9f, 0x3e, 0x22) },
  { kind: "tar", name: "a TAR archive", matches: says("ustar", 257) },
  { kind: "program", name: "a program", matches: starts(0x7f, 0x45, 0x4c, 0x46) },
  {
    kind: "program",
    name: "a program",
    matches: (head) => says("MZ")(head) && head.length > 64 && head.indexOf("PE\0\0") > 0,
  },
  {
    kind: "pdf",
    name: "a PDF",
    matches: (head) => head.subarray(0, 1024).includes("%PDF-"),
  },
];

const openDocument = "application/vnd.oasis.opendocument.";
const oldOpenOffice = "application/vnd.sun.xml.";

/** ZIP files by their content: `content` is the beginning of an entry's name, or the text of the entry `mimetype`. */
const archives: readonly { kind: Signature; name: string; content: string }[] = [
  { kind: "docx", name: "a DOCX document", content: "word/" },
  { kind: "xlsx", name: "an XLSX workbook", content: "xl/" },
  { kind: "pptx", name: "a PPTX presentation", content: "ppt/" },
  { kind: "odt", name: "an OpenDocument text", content: `${openDocument}text` },
  { kind: "ods", name: "an OpenDocument spreadsheet", content: `${openDocument}spreadsheet` },
  { kind: "odp", name: "an OpenDocument presentation", content: `${openDocument}presentation` },
  { kind: "odg", name: "an OpenDocument drawing", content: `${openDocument}graphics` },
  { kind: "odb", name: "an OpenDocument database", content: `${openDocument}base` },
  { kind: "odb", name: "an OpenDocument database", content: `${openDocument}database` },
  { kind: "sxw", name: "an OpenOffice 1 text", content: `${oldOpenOffice}writer` },
  { kind: "sxc", name: "an OpenOffice 1 spreadsheet", content: `${oldOpenOffice}calc` },
  { kind: "sxi", name: "an OpenOffice 1 presentation", content: `${oldOpenOffice}impress` },
  { kind: "sxd", name: "an OpenOffice 1 drawing", content: `${oldOpenOffice}draw` },
  { kind: "epub", name: "an EPUB book", content: "application/epub+zip" },
];

const beginnings: readonly { kind: Signature; matches: KnownBytes["matches"] }[] = [
  { kind: "word2", matches: starts(0xdb, 0xa5) },
  { kind: "word2", matches: starts(0x31, 0xbe) },
  { kind: "word2", matches: starts(0xfe, 0x37) },
  {
    kind: "excel4",
    matches: (head) => head[0] === 0x09 && [0, 2, 4].includes(head[1] ?? 9) && head[3] === 0,
  },
];

interface FoundKind {
  kind: Signature | "text" | "unknown";
  /** With its article, for a person. Null if the kind is unknown. */
  name: string | null;
}

/** Detects the kind of a file from its bytes. */
export async function kindOf(path: string): Promise<FoundKind> {
  return (await look(path)).found;
}

/**
 * @param extension in lower case, without a dot.
 * @throws {UnreadableFileError} with a sentence for a person, if the bytes do not match the extension.
 */
export async function checkKind(path: string, extension: string): Promise<void> {
  const { found, head } = await look(path);
  const { kind, name } = found;
  const { text, bytes } = fileKinds.get(extension) ?? {};
  if (text !== undefined) {
    if (kind === "text" || kind === "rtf") {
      const encoding = textEncodingOf(head) ?? "utf-8";
      if (text.test(new TextDecoder(encoding).decode(head))) return;
    }
  } else {
    if (bytes === undefined || bytes.some((signature) => signature === kind)) return;
    if (beginnings.some((beginning) => bytes.includes(beginning.kind) && beginning.matches(head))) return;
  }
  const isOffice2007 = (bytes ?? []).some((signature) => /^(?:doc|xls|ppt)x$/.test(signature));
  if (isOffice2007 && kind === "ole" && (await isLocked(path, head)))
    throw new UnreadableFileError("encrypted", "encrypted: it is locked with a password");
  const claimed = extension.toUpperCase();
  const article = isSaidWithAn(extension) ? "an" : "a";
  throw new UnreadableFileError(
    "wrong-kind",
    `This is not ${article} ${claimed} file${name === null ? "" : `: it looks like ${name}`}`,
  );
}

/** Extensions are spelled out when spoken. The letters are those of checked kinds whose sound begins with a vowel. */
const isSaidWithAn = (extension: string): boolean => /^[ehiorsx]/.test(extension);

async function look(path: string): Promise<{ found: FoundKind; head: Buffer }> {
  const file = await open(path).catch((error: NodeJS.ErrnoException) => {
    throw unreachableFile(error);
  });
  try {
    const { size } = await file.stat();
    const head = await part(file, 0, Math.min(headLength, size));
    const signature = signatures.find(({ matches }) => matches(head));
    if (signature?.kind === "zip") return { found: (await insideZip(file, size, head)) ?? signature, head };
    if (signature !== undefined) return { found: signature, head };
    const encoding = textEncodingOf(head);
    if (encoding !== null) return { found: { kind: "text", name: textName(head, encoding) }, head };
    return { found: { kind: "unknown", name: null }, head };
  } finally {
    await file.close();
  }
}

/** Whether the directory of an OLE file has the stream in which encrypted office files since 2007 are. */
async function isLocked(path: string, head: Buffer): Promise<boolean> {
  if (head.length < 512) return false;
  const directory = (head.readUInt32LE(48) + 1) * 2 ** Math.min(16, head.readUInt16LE(30));
  await using file = await open(path);
  return (await part(file, directory, 4096)).includes(Buffer.from("EncryptedPackage", "utf16le"));
}

function textName(head: Buffer, encoding: string): string {
  const start = new TextDecoder(encoding).decode(head.subarray(0, 1024));
  if (/<!doctype html|<html\b/i.test(start)) return "an HTML page";
  return /^\s*<\?xml/.test(start) ? "XML" : "plain text";
}

async function insideZip(file: FileHandle, size: number, head: Buffer): Promise<FoundKind | null> {
  const entries = await entriesIn(file, size);
  const position = entries.get("mimetype") ?? (says("mimetype", 30)(head) ? 0 : undefined);
  const mimetype = position === undefined ? "" : await storedText(file, position);
  const names = [...entries.keys()];
  const found = archives.find(({ content }) =>
    content.includes("+") || content.includes(".")
      ? mimetype.startsWith(content)
      : entries.has("[Content_Types].xml") && names.some((name) => name.startsWith(content)),
  );
  return found ?? null;
}

/** The beginning of an entry, which may be anywhere in the file; some programs pack even a short text. */
async function storedText(file: FileHandle, position: number): Promise<string> {
  const head = await part(file, position, 1024);
  if (head.length < 30 || head.readUInt32LE(0) !== 0x04034b50) return "";
  const content = head.subarray(30 + head.readUInt16LE(26) + head.readUInt16LE(28));
  const isPacked = head.readUInt16LE(8) === 8;
  try {
    const { Z_SYNC_FLUSH } = constants;
    const text = isPacked
      ? inflateRawSync(content, { finishFlush: Z_SYNC_FLUSH, maxOutputLength: 65_536 })
      : content;
    return text.toString("latin1", 0, 100);
  } catch {
    return "";
  }
}

/** The entries in the directory at the end of a ZIP file, with their positions. Empty if the directory is invalid. */
async function entriesIn(file: FileHandle, size: number): Promise<ReadonlyMap<string, number>> {
  const entries = new Map<string, number>();
  const tail = await part(file, Math.max(0, size - headLength - 22), Math.min(size, headLength + 22));
  const end = tail.lastIndexOf("PK\u0005\u0006", undefined, "latin1");
  if (end < 0 || end + 22 > tail.length) return entries;
  const length = Math.min(tail.readUInt32LE(end + 12), maxDirectoryBytes);
  const position = tail.readUInt32LE(end + 16);
  if (position + length > size) return entries;
  const directory = await part(file, position, length);
  for (let at = 0; at + 46 <= directory.length && directory.readUInt32LE(at) === 0x02014b50;) {
    const [name = 0, extra = 0, comment = 0] = [28, 30, 32].map((field) =>
      directory.readUInt16LE(at + field),
    );
    entries.set(directory.toString("latin1", at + 46, at + 46 + name), directory.readUInt32LE(at + 42));
    at += 46 + name + extra + comment;
  }
  return entries;
}

async function part(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}
