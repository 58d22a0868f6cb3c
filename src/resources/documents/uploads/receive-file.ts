import { createHash, randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import type { Context } from "../../../context.ts";
import type { Writer } from "../../../database/database.ts";
import { isDatabaseFull } from "../../../database/dialect.ts";
import {
  conflict,
  invalidRequest,
  isOutOfRoom,
  noRoom,
  notFound,
  reasonOf,
  tooBusy,
  tooLarge,
} from "../../../errors.ts";
import { documentFileKey, documentFolder } from "../../../files/keys.ts";
import { leaveToRemove } from "../record/change-store.ts";
import { type ArrivedFile, noteArrival } from "../files/received-file-store.ts";
import { acquireFileLock, releaseFileLock } from "../files/file-lock-store.ts";
import { findFileFacts } from "../file-facts-store.ts";
import { removeFilesOf } from "../record/remove-files.ts";
import { lockDocument } from "../store.ts";

type Storage = Pick<Context, "config" | "database" | "files" | "log">;

/** How long to wait for the lock: longer than any holder may keep it. */
const maxWaitSeconds = 90;
const lookEveryMilliseconds = 100;

/**
 * Stores the file of a document that waits for one, and replaces an earlier file. The store has the whole file or none of
 * it, and a file never changes while a document is being read. `note` records the file before another one can replace it.
 *
 * @throws {ApiError} 404 if there is no such document, 409 if it has its file already, 413, 507.
 */
export async function receiveFile(
  context: Storage,
  id: number,
  bytes: AsyncIterable<Uint8Array>,
  announcedBytes: number | null,
  note: (writer: Writer, file: ArrivedFile) => Promise<void> = (writer, file) =>
    noteArrival(writer, id, file, { isRead: false }),
): Promise<void> {
  const { config, database, files } = context;
  const limitBytes = config.uploadLimitMb * 1024 * 1024;
  if (announcedBytes !== null && announcedBytes > limitBytes) throw overLimit(config.uploadLimitMb);
  const document = await findFileFacts(database.reader, id);
  if (document === null) throw notFound();
  if (!document.isWaiting) throw waitsNoLonger();
  const started = performance.now();
  const holder = randomUUID();
  const [sha1, sha256] = [createHash("sha1"), createHash("sha256")];
  let received = 0;
  let isLocked = false;
  let receivedAt = started;
  const key = documentFileKey(id, document.slug, document.extension);
  const checked = async function* checked(): AsyncGenerator<Uint8Array> {
    for await (const chunk of withinLimit(bytes, config.uploadLimitMb)) {
      received += chunk.length;
      sha1.update(chunk);
      sha256.update(chunk);
      yield chunk;
    }
    if (received === 0) throw invalidRequest("The file is empty.");
    receivedAt = performance.now();
    // The store makes the file visible once this ends.
    await waitForLock(context, id, holder);
    isLocked = true;
  };
  try {
    try {
      await files.put(key, checked());
    } catch (error) {
      throw isOutOfRoom(error) || isDatabaseFull(error) ? noRoom() : error;
    }
    const isKept = await database.write(async (writer) => {
      if (!(await lockDocument(writer, database.dialect, id))) {
        await leaveToRemove(writer, id, documentFolder(id));
        return false;
      }
      const wasHeld = await releaseFileLock(writer, id, holder);
      if (!wasHeld || (await findFileFacts(writer, id))?.isWaiting !== true) throw waitsNoLonger();
      const milliseconds = { coming: receivedAt - started, storing: performance.now() - receivedAt };
      const hashes = { sha1: sha1.copy().digest("hex"), sha256: sha256.copy().digest("hex") };
      const { extension } = document;
      await note(writer, { key, extension, bytes: received, ...hashes, milliseconds });
      return true;
    });
    isLocked = isLocked && !isKept;
    if (isKept) return;
    // The document was deleted while its file was stored.
    await removeFilesOf(context, [id]);
    throw notFound();
  } finally {
    if (isLocked) await giveUpLock(context, id, holder);
  }
}

/** Waits until no other file of the document is being stored. */
async function waitForLock({ database }: Storage, id: number, holder: string): Promise<void> {
  const latest = performance.now() + maxWaitSeconds * 1000;
  for (;;) {
    const isAcquired = await database.write(async (writer) => {
      await lockDocument(writer, database.dialect, id);
      if ((await findFileFacts(writer, id))?.isWaiting !== true) throw waitsNoLonger();
      return acquireFileLock(writer, id, holder);
    });
    if (isAcquired) return;
    if (performance.now() > latest) throw tooBusy(10);
    await wait(lookEveryMilliseconds);
  }
}

/** A lock that cannot be released expires. */
async function giveUpLock({ database, log }: Storage, id: number, holder: string): Promise<void> {
  try {
    await database.write((writer) => releaseFileLock(writer, id, holder));
  } catch (error) {
    log.warn(
      { document: id, reason: reasonOf(error) },
      "A file lock could not be released: another file for the document has to wait a minute",
    );
  }
}

/** Passes the bytes on; throws 413 if there are more than the limit. */
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
