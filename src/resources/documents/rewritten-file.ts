import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Context } from "../../context.ts";
import type { BorrowedFile } from "../../files/file-store.ts";
import { documentFileKey, documentFolder } from "../../files/keys.ts";
import { UnreadableFileError } from "../../processing/unreadable-file.ts";
import { removeAllImages } from "./page-images.ts";
import { noteResult } from "./rewrite-store.ts";

/** A folder for what is being made, which goes with all that is in it. */
export interface WorkFolder extends AsyncDisposable {
  file(name: string): string;
}

export async function workFolder(): Promise<WorkFolder> {
  const folder = await mkdtemp(path.join(tmpdir(), "quire-rewrite-"));
  return {
    file: (name) => path.join(folder, name),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

/** The PDF of a document. @throws {UnreadableFileError} */
export async function borrowedPdf(
  { files }: Pick<Context, "files">,
  id: number,
  slug: string,
): Promise<BorrowedFile> {
  const file = await files.borrow(documentFileKey(id, slug, "pdf"));
  if (file === null) throw new UnreadableFileError("unreachable", "The file is not there");
  return file;
}

export async function sha1Of(place: string, signal: AbortSignal): Promise<string> {
  const hash = createHash("sha1");
  for await (const chunk of createReadStream(place, { signal })) hash.update(chunk as Buffer);
  return hash.digest("hex");
}

/**
 * Puts a new PDF in the place of the old one, and removes what was made of that, or what that was made of. It comes just
 * before the commit: whoever takes the work over afterwards finds the new PDF, and knows it by its hash.
 */
export async function replaceFile(
  { database, files }: Pick<Context, "database" | "files">,
  { id, slug, hash }: { id: number; slug: string; hash: string },
  made: string,
): Promise<void> {
  await database.write((writer) => noteResult(writer, id, hash));
  await files.put(documentFileKey(id, slug, "pdf"), made);
  await removeRemains({ files }, id);
}

/** The file that a PDF was made of, and images of its pages. */
export async function removeRemains({ files }: Pick<Context, "files">, id: number): Promise<void> {
  await files.deleteFolder(`${documentFolder(id)}/original`);
  await removeAllImages(files, id);
}
