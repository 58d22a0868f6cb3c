import { createReadStream } from "node:fs";
import { open, readdir, stat } from "node:fs/promises";
import path from "node:path";
import type { Readable } from "node:stream";
import { reasonOf } from "../errors.ts";
import { fileKinds } from "../file-kinds.ts";

/** A source of documents to import. */
export type Source =
  | { kind: "list"; url: string }
  | { kind: "records"; name: string; bytes: number | null; open: () => AsyncIterable<Uint8Array> }
  | {
      kind: "file";
      path: string;
      extension: string;
      /** Where it is, from the folder on that was named: `Council/2024/minutes.pdf`. Null if the file was named. */
      relativePath: string | null;
    };

/** A file that cannot be imported. `isNamed`: it was named on the command line, so it is reported as a failure. */
export interface NoSource {
  name: string;
  reason: string;
  /** In a few words, to count it by: its extension with a dot, or `hidden`. */
  sort?: string;
  isNamed: boolean;
}

/**
 * Interprets an argument of the command line: `-` for records on the standard input, the address of a list, a folder, a
 * file that is a document, or a file of records.
 */
export async function findSources(
  words: readonly string[],
  stdin: Readable,
): Promise<{ sources: Source[]; others: NoSource[] }> {
  const found = [];
  for (const word of words) {
    if (word === "-") {
      found.push({ kind: "records" as const, name: "standard input", bytes: null, open: () => stdin });
    } else if (/^https?:\/\//i.test(word)) found.push(listAt(word));
    else found.push(...(await sourcesAt(word)));
  }
  return {
    sources: found.filter((one) => "kind" in one),
    others: found.filter((one) => "reason" in one),
  };
}

/** The size of all sources; null if one of them is not a file of records. */
export function bytesOf(sources: readonly Source[]): number | null {
  let bytes = 0;
  for (const source of sources) {
    if (source.kind !== "records" || source.bytes === null) return null;
    bytes += source.bytes;
  }
  return bytes;
}

function listAt(word: string): Source | NoSource {
  const url = URL.parse(word);
  if (url === null) return named(word, "not an address");
  if (url.username === "" && url.password === "") return { kind: "list", url: url.href };
  return named(url.host, "an address with a user name or a password cannot be asked");
}

async function sourcesAt(word: string): Promise<(Source | NoSource)[]> {
  try {
    const found = await stat(word);
    if (found.isDirectory()) return await documentsIn(word, path.basename(path.resolve(word)));
    const extension = extensionOf(word);
    if (found.isFile() && fileKinds.has(extension))
      return [{ kind: "file", path: word, extension, relativePath: null }];
    if (!found.isFile() || (await looksLikeJson(word))) {
      const bytes = found.isFile() ? found.size : null;
      return [{ kind: "records", name: word, bytes, open: () => createReadStream(word, { highWaterMark }) }];
    }
    return [named(word, `neither records nor ${aDocument}${inBrackets(extension)}`)];
  } catch (error) {
    return [named(word, `cannot be opened (${codeOf(error)})`)];
  }
}

/**
 * All files below a folder that can be documents, in order of names. Symbolic links are not followed.
 * `relativeFolder` is where the folder is, from the folder on that was named.
 */
async function documentsIn(folder: string, relativeFolder: string): Promise<(Source | NoSource)[]> {
  const found: (Source | NoSource)[] = [];
  const entries = await readdir(folder, { withFileTypes: true });
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const file = path.join(folder, entry.name);
    const relativePath = `${relativeFolder}/${entry.name}`;
    const extension = extensionOf(entry.name);
    if (entry.name.startsWith(".")) found.push(passedOver(file, "hidden"));
    else if (entry.isSymbolicLink()) found.push(passedOver(file, "a link"));
    else if (entry.isDirectory()) found.push(...(await documentsBelow(file, relativePath)));
    else if (!entry.isFile()) found.push(passedOver(file, "not a file"));
    else if (fileKinds.has(extension)) {
      found.push({ kind: "file", path: file, extension, relativePath: relativePath.normalize("NFC") });
    } else found.push(passedOver(file, `not ${aDocument}${inBrackets(extension)}`, `.${extension}`));
  }
  return found;
}

async function documentsBelow(folder: string, relativePath: string): Promise<(Source | NoSource)[]> {
  try {
    return await documentsIn(folder, relativePath);
  } catch (error) {
    return [named(folder, `cannot be opened (${codeOf(error)})`)];
  }
}

const aDocument = "a kind of file that can be a document";

const named = (name: string, reason: string): NoSource => ({ name, reason, isNamed: true });

const passedOver = (name: string, reason: string, sort = reason): NoSource => ({
  name,
  reason,
  sort: sort === "." ? "without an extension" : sort,
  isNamed: false,
});

const highWaterMark = 1024 * 1024;

async function looksLikeJson(file: string): Promise<boolean> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(4096), length: 4096 });
    return /^\ufeff?\s*[[{]/.test(buffer.toString("utf8", 0, bytesRead));
  } finally {
    await handle.close();
  }
}

function extensionOf(name: string): string {
  return path.extname(name).slice(1).toLowerCase();
}

function inBrackets(extension: string): string {
  return extension === "" ? "" : ` (.${extension})`;
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : reasonOf(error);
}
