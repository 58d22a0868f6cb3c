import type { Context } from "../../context.ts";
import type { Writer } from "../../database/database.ts";
import { conflict, invalidRequest, isOutOfRoom, noRoom, notFound, tooLarge } from "../../errors.ts";
import { documentFileKey, documentFolder } from "../../files/keys.ts";
import { addReceipt } from "./receipt-store.ts";
import { findWaiting } from "./processing-store.ts";

type Storage = Pick<Context, "config" | "database" | "files" | "log">;

/** A file that was kept. */
export interface ReceivedFile {
  bytes: number;
  /** How long it took to come. */
  milliseconds: number;
}

/**
 * Keeps the file of a document that waits for one, in place of one that came before. It is there whole or not at all,
 * and never comes between a document that is being read and what is read. `note` writes down that it is there.
 *
 * @throws {ApiError} 404 where no such document is, 409 where it waits no longer, 413, 507.
 */
export async function receiveFile(
  { config, database, files }: Storage,
  id: number,
  bytes: AsyncIterable<Uint8Array>,
  announcedBytes: number | null,
  note: (writer: Writer, file: ReceivedFile) => Promise<void> = (writer, file) =>
    noteUpload(writer, id, file),
): Promise<void> {
  const limitBytes = config.uploadLimitMb * 1024 * 1024;
  if (announcedBytes !== null && announcedBytes > limitBytes) throw overLimit(config.uploadLimitMb);
  const document = await findWaiting(database.reader, id);
  if (document === null) throw notFound();
  if (!document.isWaiting) throw waitsNoLonger();
  const started = performance.now();
  let received = 0;
  const checked = async function* checked(): AsyncGenerator<Uint8Array> {
    for await (const chunk of withinLimit(bytes, config.uploadLimitMb)) {
      received += chunk.length;
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
    if (isOutOfRoom(error)) throw noRoom();
    throw error;
  }
  const isKept = await database.write(async (writer) => {
    if ((await findWaiting(writer, id)) === null) return false;
    await note(writer, { bytes: received, milliseconds: performance.now() - started });
    return true;
  });
  if (isKept) return;
  // Deleted while the file was put in its place.
  await files.deleteFolder(documentFolder(id));
  throw notFound();
}

async function noteUpload(
  writer: Writer,
  documentId: number,
  { bytes, milliseconds }: ReceivedFile,
): Promise<void> {
  const details = { bytes };
  await addReceipt(writer, { documentId, step: "received", outcome: "done", milliseconds, details });
}

/** The bytes as they come; 413 where there are more. */
export async function* withinLimit(
  bytes: AsyncIterable<Uint8Array>,
  megabytes: number,
): AsyncGenerator<Uint8Array> {
  let left = megabytes * 1024 * 1024;
  for await (const chunk of bytes) {
    left -= chunk.length;
    if (left < 0) throw overLimit(megabytes);
    yield chunk;
  }
}

function overLimit(megabytes: number): Error {
  return tooLarge(`The file is larger than ${megabytes} MB.`);
}

function waitsNoLonger(): Error {
  return conflict("The document has its file already.");
}
