import { randomUUID } from "node:crypto";
import type { Reader, Writer } from "../../../database/database.ts";
import { addRow, lockRow, removeRows, rowOf, rowsOf, setRows } from "../../../database/rows.ts";
import {
  type PartialFile,
  type UploadLimit,
  type UploadNote,
  isLimitReached,
} from "../../../files/partial-files.ts";
import { timestampIn, timestampNow } from "../../../http/text/timestamp.ts";

export interface UploadPart {
  /** Its offset, in bytes. */
  start: number;
  /** In bytes. */
  size: number;
  /** The key of its file. */
  key: string;
}

/** Adds an upload, unless too many of the user's are not complete. Returns whether it did. */
export async function addUpload(
  writer: Writer,
  name: string,
  note: UploadNote,
  limit: UploadLimit,
): Promise<boolean> {
  // From here on, no other server adds one of the same user's.
  await lockRow(writer, "users", { id: limit.user });
  if (isLimitReached(limit, await findUploadNames(writer, { onlyUnfinished: true }))) return false;
  await addRow(writer, "partial_uploads", {
    name,
    note: JSON.stringify(note),
    is_done: false,
    touched_at: timestampNow(),
  });
  return true;
}

export async function findUpload(reader: Reader, name: string): Promise<PartialFile | null> {
  const row = await rowOf(reader, "partial_uploads", { name });
  if (row === null) return null;
  const note = JSON.parse(row.note) as UploadNote;
  return { note, received: await findReceived(reader, name), touchedAt: new Date(row.touched_at) };
}

async function findReceived(reader: Pick<Reader, "selectFrom">, upload: string): Promise<number> {
  const last = await reader
    .selectFrom("partial_upload_parts")
    .select(["start", "size"])
    .where("upload", "=", upload)
    .orderBy("start", "desc")
    .limit(1)
    .executeTakeFirst();
  return last === undefined ? 0 : last.start + last.size;
}

/** The parts of an upload, the first one first. */
export function findParts(reader: Reader, upload: string): Promise<UploadPart[]> {
  return rowsOf(reader, "partial_upload_parts", { upload }, "start");
}

/**
 * Adds a part if it begins where the parts so far end. Returns false if it does not, because another server has added
 * one meanwhile, or if there is no such upload.
 */
export async function addPart(writer: Writer, upload: string, part: UploadPart): Promise<boolean> {
  // The row is locked from here on, so no other part comes between.
  const found = await setRows(writer, "partial_uploads", { name: upload }, { touched_at: timestampNow() });
  if (found === 0 || (await findReceived(writer, upload)) !== part.start) return false;
  await addRow(writer, "partial_upload_parts", { upload, ...part });
  return true;
}

/** Replaces the note, unless another server holds the upload. Returns whether it did. */
export async function changeNote(
  writer: Writer,
  name: string,
  note: UploadNote,
  holder: string | null,
): Promise<boolean> {
  const change = { note: JSON.stringify(note), is_done: note.isDone, touched_at: timestampNow() };
  const isChanged = (await setRows(writer, "partial_uploads", { name, holder }, change)) > 0;
  if (isChanged && note.isDone) await removeRows(writer, "partial_upload_parts", { upload: name });
  return isChanged;
}

/** The names of all uploads, or of those that are not complete. */
export async function findUploadNames(
  reader: Pick<Reader, "selectFrom">,
  { onlyUnfinished }: { onlyUnfinished: boolean },
): Promise<string[]> {
  const rows = await rowsOf(reader, "partial_uploads", onlyUnfinished ? { is_done: false } : {}, "name");
  return rows.map(({ name }) => name);
}

export async function removeUpload(writer: Writer, name: string): Promise<void> {
  await removeRows(writer, "partial_uploads", { name });
}

/** The result of an attempt to hold an upload: the holder's name, or why it is not held. */
export type Held = { holder: string } | "of another" | "gone";

/** Holds an upload for some seconds, if nobody else does. */
export async function holdUpload(writer: Writer, name: string, seconds: number): Promise<Held> {
  const holder = randomUUID();
  const { numUpdatedRows } = await writer
    .updateTable("partial_uploads")
    .set({ holder, held_until: timestampIn(seconds) })
    .where("name", "=", name)
    .where((either) => either.or([either("holder", "is", null), either("held_until", "<", timestampNow())]))
    .executeTakeFirstOrThrow();
  if (numUpdatedRows > 0n) return { holder };
  return (await rowOf(writer, "partial_uploads", { name })) === null ? "gone" : "of another";
}

/** Holds it for some more seconds, or no longer if they are null. */
export async function goOnHolding(
  writer: Writer,
  name: string,
  holder: string,
  seconds: number | null,
): Promise<void> {
  const change = seconds === null ? { holder: null, held_until: null } : { held_until: timestampIn(seconds) };
  await setRows(writer, "partial_uploads", { name, holder }, change);
}
