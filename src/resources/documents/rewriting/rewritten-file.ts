import type { Context } from "../../../context.ts";
import type { Writer } from "../../../database/database.ts";
import type { BorrowedFile } from "../../../files/file-store.ts";
import { documentFileKey, documentFolder, redactionFolder } from "../../../files/keys.ts";
import type { Job } from "../../../jobs/running-job.ts";
import { UnreadableFileError } from "../../../processing/unreadable-file.ts";
import { removeAllImages } from "../files/page-images.ts";
import { findFileFacts } from "../file-facts-store.ts";
import { noteResult } from "../processing/rewrite-store.ts";

/** The PDF of a document. @throws {UnreadableFileError} if it is missing. */
export async function borrowedPdf(
  { files }: Pick<Context, "files">,
  id: number,
  slug: string,
): Promise<BorrowedFile> {
  const file = await files.borrow(documentFileKey(id, slug, "pdf"));
  if (file === null) throw new UnreadableFileError("unreachable", "The file is missing");
  return file;
}

/**
 * Replaces the old PDF by a new one, just before the commit. A worker that takes over the job afterwards recognises the
 * new PDF by its hash. Once the hash is recorded, the job cannot be cancelled.
 *
 * @throws {UnreadableFileError} if the document is under a hold.
 */
export async function replaceFile(
  { database, files }: Pick<Context, "database" | "files">,
  job: Job,
  { slug, hash, made }: { slug: string; hash: string; made: string },
  check: (writer: Writer) => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  await database.write(async (writer) => {
    await check(writer);
    await noteResult(writer, job.subject, hash);
    await job.hold(writer);
  });
  await files.put(documentFileKey(job.subject, slug, "pdf"), made);
}

/** Removes what a redaction has made so far, and the remains of the old file if the document's new PDF is published. */
export async function removeRemainsOf(
  context: Pick<Context, "database" | "files">,
  id: number,
): Promise<void> {
  await context.files.deleteFolder(redactionFolder(id));
  const document = await findFileFacts(context.database.reader, id);
  if (document?.extension === "pdf") await removeRemains(context, id);
}

/** Removes the file that the PDF was made from, and the images of its pages. */
export async function removeRemains({ files }: Pick<Context, "files">, id: number): Promise<void> {
  await files.deleteFolder(`${documentFolder(id)}/original`);
  await removeAllImages(files, id);
}
