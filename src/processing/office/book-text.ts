import { posix } from "node:path";
import { decodeText } from "../text-encoding.ts";
import type { ZipEntries } from "../unpack/zip-entries.ts";
import { UnreadableFileError } from "../unreadable-file.ts";
import type { AddText } from "./add-text.ts";
import { textOfHtml } from "./html-text.ts";
import { readXml } from "./xml-reading.ts";

/** Adds the text of a book (EPUB), chapter by chapter in the order in which it is read. */
export async function readBook(zip: ZipEntries, add: AddText): Promise<void> {
  const opf = await packagePath(zip);
  const paths = new Map<string, string>();
  const spine: string[] = [];
  await readXml(zip.read(opf), {
    open(tag, attributes) {
      const name = localName(tag);
      if (name === "item") paths.set(attributes["id"] ?? "", attributes["href"] ?? "");
      else if (name === "itemref") spine.push(attributes["idref"] ?? "");
    },
  });
  const protectedPaths = await findProtected(zip);
  let isFirst = true;
  for (const id of spine) {
    const path = pathIn(posix.dirname(opf), paths.get(id) ?? "");
    if (!/\.(?:x?html?|xml)$/i.test(path) || !zip.has(path)) continue;
    if (protectedPaths.has(path))
      throw new UnreadableFileError("encrypted", "encrypted: the book is protected against copying");
    const text = textOfHtml(withoutHead(decodeText(await bytesOf(zip, path))));
    if (text === "") continue;
    if (!isFirst) add("");
    isFirst = false;
    add(text);
  }
}

const localName = (name: string): string => name.slice(name.indexOf(":") + 1);

async function packagePath(zip: ZipEntries): Promise<string> {
  let path = "";
  await readXml(zip.read("META-INF/container.xml"), {
    open(tag, attributes) {
      if (localName(tag) === "rootfile" && path === "") path = attributes["full-path"] ?? "";
    },
  });
  return path;
}

/** Fonts may be obfuscated in any book. A protected chapter cannot be read. */
async function findProtected(zip: ZipEntries): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  if (!zip.has("META-INF/encryption.xml")) return found;
  await readXml(zip.read("META-INF/encryption.xml"), {
    open(tag, attributes) {
      if (localName(tag) === "CipherReference") found.add(pathIn("", attributes["URI"] ?? ""));
    },
  });
  return found;
}

function pathIn(folder: string, address: string): string {
  const [path = ""] = address.split("#");
  try {
    return posix.join(folder, decodeURIComponent(path));
  } catch {
    return posix.join(folder, path);
  }
}

/** The title in a chapter's head is no part of its text. */
const withoutHead = (html: string): string => html.replace(/<head\b[^]*?<\/head\s*>/i, "");

async function bytesOf(zip: ZipEntries, name: string): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of zip.read(name)) chunks.push(chunk);
  return Buffer.concat(chunks);
}
