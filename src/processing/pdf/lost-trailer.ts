import { constants } from "node:fs";
import { type FileHandle, copyFile, open } from "node:fs/promises";

const chunkBytes = 1024 * 1024;
/** The maximum length of the text between an object's number and its type. */
const overlapBytes = 4096;
const catalog = /(\d{1,10})\s+(\d{1,5})\s+obj\b(?:(?!\bobj\b)[^]){0,2000}?\/Type\s*\/Catalog\b/g;

/**
 * Copies a PDF whose end was lost, for example by an incomplete download, and adds a trailer that names its root
 * object. Every reader finds the other objects by itself. Returns false if the root was lost too.
 */
export async function copyWithTrailer(from: string, to: string): Promise<boolean> {
  const root = await findRoot(from);
  if (root === null) return false;
  await copyFile(from, to, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL);
  await using file = await open(to, "a");
  await file.appendFile(`\nendobj\ntrailer\n<< /Root ${root} R >>\nstartxref\n0\n%%EOF\n`);
  return true;
}

/** The number and the generation of the last catalog, which replaces earlier ones. */
async function findRoot(path: string): Promise<string | null> {
  await using file = await open(path, "r");
  let found: string | null = null;
  for (let start = 0; ; start += chunkBytes) {
    const text = await textAt(file, start);
    for (const [, number, generation] of text.matchAll(catalog)) found = `${number} ${generation}`;
    if (text.length < chunkBytes + overlapBytes) return found;
  }
}

async function textAt(file: FileHandle, position: number): Promise<string> {
  const buffer = Buffer.alloc(chunkBytes + overlapBytes);
  let length = 0;
  for (;;) {
    const { bytesRead } = await file.read(buffer, length, buffer.length - length, position + length);
    length += bytesRead;
    if (bytesRead === 0 || length === buffer.length) return buffer.toString("latin1", 0, length);
  }
}
