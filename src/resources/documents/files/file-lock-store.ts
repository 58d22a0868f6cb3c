import type { Reader, Writer } from "../../../database/database.ts";
import { systemClock, timestampAt } from "../../../jobs/clock.ts";

/*
 * Several requests and servers may receive a file for the same document at the same time. The store keeps each file
 * apart while it arrives. Only the holder of the document's file lock may put its file under the document's key, from
 * the moment the whole file has arrived until the database has a record of it. So the file in the store is the one
 * recorded last.
 *
 * A lock expires: another holder takes over the lock of a process that died.
 */

/** Longer than a store takes to finish with a file that has arrived. */
const lockSeconds = 60;

/** Whether `holder` has the lock now; false while another holder has it. Run with the document's row locked. */
export async function acquireFileLock(writer: Writer, documentId: number, holder: string): Promise<boolean> {
  const nowMilliseconds = systemClock.nowMilliseconds();
  const expires_at = timestampAt(nowMilliseconds + lockSeconds * 1000);
  const acquired = await writer
    .insertInto("file_locks")
    .values({ document_id: documentId, holder, expires_at })
    .onConflict((conflict) =>
      conflict
        .column("document_id")
        .doUpdateSet({ holder, expires_at })
        .where("file_locks.expires_at", "<=", timestampAt(nowMilliseconds)),
    )
    .returning("document_id")
    .executeTakeFirst();
  return acquired !== undefined;
}

/** Releases the lock; false if `holder` no longer has it. */
export async function releaseFileLock(writer: Writer, documentId: number, holder: string): Promise<boolean> {
  const { numDeletedRows } = await writer
    .deleteFrom("file_locks")
    .where("document_id", "=", documentId)
    .where("holder", "=", holder)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Whether anyone holds the lock now. */
export async function isFileLocked(reader: Pick<Reader, "selectFrom">, documentId: number): Promise<boolean> {
  const lock = await reader
    .selectFrom("file_locks")
    .select("document_id")
    .where("document_id", "=", documentId)
    .where("expires_at", ">", timestampAt(systemClock.nowMilliseconds()))
    .executeTakeFirst();
  return lock !== undefined;
}
