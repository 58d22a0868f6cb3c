import { createHash, randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import type { Context } from "../../../context.ts";
import type { Writer } from "../../../database/database.ts";
import { isDatabaseFull } from "../../../database/dialects.ts";
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
import { documentFileKey } from "../../../files/keys.ts";
import { leaveToRemove } from "../record/change-store.ts";
import { type ArrivedFile, noteArrival } from "../files/received-file-store.ts";
import { acquireFileLock, releaseFileLock } from "../files/file-lock-store.ts";
import { type FileFacts, findFileFacts } from "../file-facts-store.ts";
import { removeFilesOf } from "../record/remove-files.ts";
import { lockDocument } from "../store.ts";
import { checkQuotas, limitedHoldersOf } from "./quotas.ts";

/** How long to wait for the lock: longer than any holder may keep it. */
const maxWaitSeconds = 90;
const lookEveryMilliseconds = 100;

/** Where a file is stored, and the conditions for that. The functions run with the document's row locked. */
export interface FileTarget {
  key: string;
  extension: string;
  /** Throws if the document does not take a file now. */
  checkBefore(writer: Writer): Promise<void>;
  /** Throws if the document does not take the file that is stored now. */
  checkAfter(writer: Writer): Promise<void>;
  /** Runs if the file is not taken after all. */
  abandon(writer: Writer): Promise<void>;
}

/**
 * Stores the file of a document that waits for one, and replaces an earlier file. The store has the whole file or none
 * of it, and a file never changes while a document is being read. `note` records the file before another one can
 * replace it. A caller that has the file lock of the document already names its holder.
 *
 * @throws {ApiError} 404 if there is no such document, 409 if it has its file already, 413, 507.
 */
export async function receiveFile(
  context: Pick<Context, "config" | "database" | "files" | "log">,
  id: number,
  bytes: AsyncIterable<Uint8Array>,
  announcedBytes: number | null,
  note: (writer: Writer, file: ArrivedFile) => Promise<void> = (writer, file) =>
    noteArrival(writer, id, file, { isRead: false }),
  lockHolder: string | null = null,
): Promise<void> {
  const document = await findFileFacts(context.database.reader, id);
  if (document === null) throw notFound();
  if (!document.isWaiting) throw waitsNoLonger();
  await storeFile(context, id, targetOf(id, document), { bytes, announcedBytes, note, lockHolder });
}

/** The place of the file of a document that waits for one. */
function targetOf(id: number, { slug, extension }: FileFacts): FileTarget {
  const check = async (writer: Writer): Promise<void> => {
    if ((await findFileFacts(writer, id))?.isWaiting !== true) throw waitsNoLonger();
  };
  return {
    key: documentFileKey(id, slug, extension),
    extension,
    checkBefore: check,
    checkAfter: check,
    abandon: () => Promise.resolve(),
  };
}

/**
 * Stores a file for a document, as {@link receiveFile} does, wherever the target says.
 *
 * @throws {ApiError} the refusal of the target, 404 if the document was deleted meanwhile, 413, 507.
 */
export async function storeFile(
  context: Pick<Context, "config" | "database" | "files" | "log">,
  id: number,
  target: FileTarget,
  {
    bytes,
    announcedBytes,
    note,
    lockHolder = null,
  }: {
    bytes: AsyncIterable<Uint8Array>;
    announcedBytes: number | null;
    note: (writer: Writer, file: ArrivedFile) => Promise<void>;
    lockHolder?: string | null;
  },
): Promise<void> {
  const { config, database, files } = context;
  const limitBytes = config.uploadLimitMb * 1024 * 1024;
  if (announcedBytes !== null && announcedBytes > limitBytes) throw overLimit(config.uploadLimitMb);
  const holders = await limitedHoldersOf(context, id);
  await checkQuotas(context, holders, announcedBytes ?? 0);
  const { key, extension } = target;
  const started = performance.now();
  const holder = lockHolder ?? randomUUID();
  const [sha1, sha256] = [createHash("sha1"), createHash("sha256")];
  let received = 0;
  let isLocked = lockHolder !== null;
  let receivedAt = started;
  const checked = async function* checked(): AsyncGenerator<Uint8Array> {
    for await (const chunk of withinLimit(bytes, config.uploadLimitMb)) {
      received += chunk.length;
      sha1.update(chunk);
      sha256.update(chunk);
      yield chunk;
    }
    if (received === 0) throw invalidRequest("The file is empty.");
    if (announcedBytes === null) await checkQuotas(context, holders, received);
    receivedAt = performance.now();
    // The store makes the file visible once this ends.
    if (!isLocked) await waitForLock(context, id, target, holder);
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
        await leaveToRemove(writer, id);
        return false;
      }
      const wasHeld = await releaseFileLock(writer, id, holder);
      if (!wasHeld) throw waitsNoLonger();
      await target.checkAfter(writer);
      const milliseconds = { coming: receivedAt - started, storing: performance.now() - receivedAt };
      const hashes = { sha1: sha1.copy().digest("hex"), sha256: sha256.copy().digest("hex") };
      await note(writer, { key, extension, bytes: received, ...hashes, milliseconds });
      return true;
    });
    isLocked = isLocked && !isKept;
    if (isKept) return;
    // The document was deleted while its file was stored.
    await removeFilesOf(context, [id]);
    throw notFound();
  } finally {
    if (isLocked) await giveUpLock(context, id, target, holder);
  }
}

/** Waits until no other file of the document is being stored. */
async function waitForLock(
  { database }: Pick<Context, "database">,
  id: number,
  target: FileTarget,
  holder: string,
): Promise<void> {
  const latest = performance.now() + maxWaitSeconds * 1000;
  for (;;) {
    const isAcquired = await database.write(async (writer) => {
      await lockDocument(writer, database.dialect, id);
      await target.checkBefore(writer);
      return acquireFileLock(writer, id, holder);
    });
    if (isAcquired) return;
    if (performance.now() > latest) throw tooBusy(10);
    await wait(lookEveryMilliseconds);
  }
}

/** A lock that cannot be released expires. */
async function giveUpLock(
  { database, log }: Pick<Context, "database" | "log">,
  id: number,
  target: FileTarget,
  holder: string,
): Promise<void> {
  try {
    await database.write(async (writer) => {
      await lockDocument(writer, database.dialect, id);
      if (await releaseFileLock(writer, id, holder)) await target.abandon(writer);
    });
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
