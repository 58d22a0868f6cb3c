import { type FileHandle, open } from "node:fs/promises";

const chunkBytes = 1024 * 1024;
/** The maximum length of the text between an object's number and its type. */
const overlapBytes = 4096;
const catalog = /(\d{1,10})\s+(\d{1,5})\s+obj\b(?:(?!\bobj\b)[^]){0,2000}?\/Type\s*\/Catalog\b/g;

/** A PDF may have other bytes before its header, up to this many. */
const headerWithin = 1024;
/** The header, and bytes that show other programs that the file is not a text. */
const header = Buffer.from("%PDF-1.7\n%\u00e2\u00e3\u00cf\u00d3\n", "latin1");
/** Whatever was open where the file ends: a string, an array, a dictionary, a stream, an object. */
const closing = "\n)>]>>\nendstream\nendobj\n";

/**
 * Copies a PDF whose first or last bytes were lost, for example by an incomplete download. The copy begins with a
 * header and ends in a trailer that names its root object. Every reader finds the other objects by itself. Returns
 * which of the two was missing, or null if the root was lost too: then there is no copy.
 */
export async function copyWithEnds(from: string, to: string): Promise<"header" | "trailer" | null> {
  await using source = await open(from, "r");
  const root = await findRoot(source);
  if (root === null) return null;
  await using file = await open(to, "wx");
  const hasHeader = (await textAt(source, 0, headerWithin)).includes("%PDF-");
  if (!hasHeader) await file.appendFile(header);
  const buffer = Buffer.alloc(chunkBytes);
  for (let position = 0; ;) {
    const { bytesRead } = await source.read(buffer, 0, buffer.length, position);
    if (bytesRead === 0) break;
    await file.appendFile(buffer.subarray(0, bytesRead));
    position += bytesRead;
  }
  await file.appendFile(`${closing}trailer\n<< /Root ${root} R >>\nstartxref\n0\n%%EOF\n`);
  return hasHeader ? "trailer" : "header";
}

/** The number and the generation of the last catalog, which replaces earlier ones. */
async function findRoot(file: FileHandle): Promise<string | null> {
  let found: string | null = null;
  for (let start = 0; ; start += chunkBytes) {
    const text = await textAt(file, start, chunkBytes + overlapBytes);
    for (const [, number, generation] of text.matchAll(catalog)) found = `${number} ${generation}`;
    if (text.length < chunkBytes + overlapBytes) return found;
  }
}

async function textAt(file: FileHandle, position: number, bytes: number): Promise<string> {
  const buffer = Buffer.alloc(bytes);
  let length = 0;
  for (;;) {
    const { bytesRead } = await file.read(buffer, length, buffer.length - length, position + length);
    length += bytesRead;
    if (bytesRead === 0 || length === buffer.length) return buffer.toString("latin1", 0, length);
  }
}
