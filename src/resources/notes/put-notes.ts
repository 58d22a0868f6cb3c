import type { Writer } from "../../database/database.ts";
import type { Dialect } from "../../database/dialect.ts";
import { withoutRow } from "../../database/missing-rows.ts";
import { readFields } from "../../http/fields/fields.ts";
import { timestampNow } from "../../http/text/timestamp.ts";
import { checkCoordinates } from "./change-notes.ts";
import { htmlCleaner } from "./clean-html.ts";
import { newNoteFields, onDocument } from "./fields.ts";
import { findAccountIds } from "../users/account-store.ts";
import { type NoteRow, deleteNote, findNotesForPutting, insertNote, updateNote } from "./store.ts";

type NoteContent = Pick<NoteRow, "page_number" | "access" | "title" | "content" | "x1" | "x2" | "y1" | "y2">;

/** A note that is imported or mirrored with its document. An id or time is null if the source does not name it. */
export interface NoteToPut extends NoteContent {
  id: number | null;
  user_id: number;
  organization_id: number | null;
  created_at: string | null;
  updated_at: string | null;
}

/**
 * Reads a note by the same rules as a note that is sent to the API.
 *
 * @throws {ApiError}
 */
export function readNoteToPut(fields: Readonly<Record<string, unknown>>, pageCount: number): NoteContent {
  const document = { id: 0, page_count: pageCount, isEditable: true };
  const members = new Map(Object.entries(fields));
  const values = readFields(onDocument(document, newNoteFields), members, "whole");
  const { page_number = 0, title = "", access = "private", content = "" } = values;
  const { x1 = null, x2 = null, y1 = null, y2 = null } = values;
  checkCoordinates(values, { x1: null, x2: null, y1: null, y2: null });
  return { page_number, title, access, content, x1, x2, y1, y2 };
}

/**
 * Adds or updates the notes of these documents. Other notes of the documents stay. The documents must be locked, and
 * the users and organizations of the notes must exist. Returns the ids of the documents whose notes were written.
 *
 * A note matches an existing note with the same author and time of creation. A note without a time matches one with the
 * same author and id, and a note without either matches one with the same author and content. A new note keeps its id
 * if that is free.
 */
export async function putNotes(
  writer: Writer,
  dialect: Dialect,
  documents: ReadonlyMap<number, readonly NoteToPut[]>,
): Promise<Set<number>> {
  const written = new Set<number>();
  if (documents.size === 0) return written;
  const free = await freeIds(writer, dialect, documents);
  const before = Map.groupBy(
    await findNotesForPutting(writer, dialect, [...documents.keys()]),
    ({ document_id }) => document_id,
  );
  for (const [documentId, notes] of documents) {
    for (const [note, known] of matched(notes, before.get(documentId) ?? [])) {
      const isWritten = await putNote(writer, documentId, note, known, free);
      if (isWritten) written.add(documentId);
    }
  }
  if (written.size > 0) await dialect.afterOwnIds("notes")?.execute(writer);
  return written;
}

/**
 * Deletes the notes of a document that match none of these, except notes whose authors have an account here. Returns
 * whether any note was deleted.
 */
export async function removeOtherNotes(
  writer: Writer,
  dialect: Dialect,
  documentId: number,
  notes: readonly Pick<NoteToPut, "user_id" | "created_at">[],
): Promise<boolean> {
  const kept = new Set(notes.map(({ user_id, created_at }) => `${user_id} ${created_at}`));
  const rows = await findNotesForPutting(writer, dialect, [documentId]);
  const others = rows.filter(({ user_id, created_at }) => !kept.has(`${user_id} ${created_at}`));
  if (others.length === 0) return false;
  const authors = await findAccountIds(
    writer,
    others.map(({ user_id }) => user_id),
  );
  const removed = others.filter(({ user_id }) => !authors.has(user_id));
  for (const { id } of removed) await deleteNote(writer, id);
  return removed.length > 0;
}

async function freeIds(
  writer: Writer,
  dialect: Dialect,
  documents: ReadonlyMap<number, readonly NoteToPut[]>,
): Promise<Set<number>> {
  const named = [...documents.values()].flat().flatMap(({ id }) => (id === null ? [] : [{ id }]));
  return new Set((await withoutRow(writer, dialect, "notes", named)).map(({ id }) => id));
}

/** Each note with the existing note that it matches. Notes with the same id are matched first. */
function matched(
  notes: readonly NoteToPut[],
  rows: readonly NoteRow[],
): (readonly [NoteToPut, NoteRow | undefined])[] {
  const left = new Set(rows);
  const known = new Map<NoteToPut, NoteRow>();
  for (const isSame of [
    (note: NoteToPut, row: NoteRow) => note.id === row.id && isSameNote(note, row),
    (note: NoteToPut, row: NoteRow) => note.created_at !== null && isSameNote(note, row),
    (note: NoteToPut, row: NoteRow) => note.id === null && isSameNote(note, row) && !differs(note, row),
  ]) {
    for (const note of notes) {
      if (known.has(note)) continue;
      const row = [...left].find((one) => isSame(note, one));
      if (row === undefined) continue;
      known.set(note, row);
      left.delete(row);
    }
  }
  return notes.map((note) => [note, known.get(note)] as const);
}

function isSameNote({ user_id, created_at }: NoteToPut, row: NoteRow): boolean {
  return user_id === row.user_id && (created_at === null || created_at === row.created_at);
}

const compared = [
  "organization_id",
  "page_number",
  "access",
  "title",
  "content",
  "x1",
  "x2",
  "y1",
  "y2",
] as const satisfies readonly (keyof NoteToPut)[];

function differs(note: NoteToPut, row: NoteRow): boolean {
  if (note.updated_at !== null && note.updated_at !== row.updated_at) return true;
  return compared.some((column) => note[column] !== row[column]);
}

async function putNote(
  writer: Writer,
  document_id: number,
  { id, ...note }: NoteToPut,
  known: NoteRow | undefined,
  free: Set<number>,
): Promise<boolean> {
  if (known !== undefined && !differs({ id, ...note }, known)) return false;
  const clean = await htmlCleaner(note.content);
  const now = timestampNow();
  const created_at = note.created_at ?? known?.created_at ?? now;
  const updated_at = note.updated_at ?? (known === undefined ? created_at : now);
  const values = { ...note, content_html: clean(note.content), created_at, updated_at };
  if (known !== undefined) await updateNote(writer, known.id, values);
  else {
    // Another note of the same import may name the same id.
    const ownId = id !== null && free.delete(id) ? { id } : {};
    await insertNote(writer, { ...values, ...ownId, document_id });
  }
  return true;
}
