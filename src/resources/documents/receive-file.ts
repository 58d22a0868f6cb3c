import type { Context } from "../../context.ts";
import { conflict, invalidRequest, noRoom, notFound, tooLarge } from "../../errors.ts";
import { documentFileKey, documentFolder } from "../../files/keys.ts";
import { addReceipt } from "./receipt-store.ts";
import { findWaiting } from "./processing-store.ts";

type Storage = Pick<Context, "config" | "database" | "files" | "log">;

/**
 * Keeps the file of a document that waits for one, in place of one that came before. It is there whole or not at all,
 * and never comes between a document that is being read and what is read.
 *
 * @throws {ApiError} 404 where no such document is, 409 where it waits no longer, 413, 507.
 */
export async function receiveFile(
  { config, database, files }: Storage,
  id: number,
  bytes: AsyncIterable<Uint8Array>,
  announcedBytes: number | null,
): Promise<void> {
  const limitBytes = config.uploadLimitMb * 1024 * 1024;
  if (announcedBytes !== null && announcedBytes > limitBytes) throw overLimit(config.uploadLimitMb);
  const document = await findWaiting(database.reader, id);
  if (document === null) throw notFound();
  if (!document.isWaiting) throw waitsNoLonger();
  const started = performance.now();
  let received = 0;
  const checked = async function* checked(): AsyncGenerator<Uint8Array> {
    for await (const chunk of bytes) {
      received += chunk.length;
      if (received > limitBytes) throw overLimit(config.uploadLimitMb);
      yield chunk;
    }
    if (received === 0) throw invalidRequest("The file is empty.");
    // The store puts the file in its place once this ends.
    const now = await findWaiting(database.reader, id);
    if (now?.isWaiting !== true) throw waitsNoLonger();
  };
  try {
    await files.put(documentFileKey(id, document.slug, document.extension), checked());
  } catch (error) {
    if (isFull(error)) throw noRoom();
    throw error;
  }
  const isKept = await database.write(async (writer) => {
    if ((await findWaiting(writer, id)) === null) return false;
    const milliseconds = performance.now() - started;
    const details = { bytes: received };
    await addReceipt(writer, { documentId: id, step: "received", outcome: "done", milliseconds, details });
    return true;
  });
  if (isKept) return;
  // Deleted while the file was put in its place.
  await files.deleteFolder(documentFolder(id));
  throw notFound();
}

function overLimit(megabytes: number): Error {
  return tooLarge(`The file is larger than ${megabytes} MB.`);
}

function waitsNoLonger(): Error {
  return conflict("The document has its file already.");
}

function isFull(error: unknown): boolean {
  return error instanceof Error && "code" in error && ["ENOSPC", "EDQUOT"].includes(String(error.code));
}
