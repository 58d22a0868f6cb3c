import type { Context } from "../../context.ts";
import type { Writer } from "../../database/database.ts";
import { invalidWhole, notFound, permissionDenied } from "../../errors.ts";
import type { Members } from "../../http/request/body.ts";
import { type Extent, type Values, readFields } from "../../http/fields/fields.ts";
import { timestampNow } from "../../http/text/timestamp.ts";
import type { SignedInViewer } from "../../http/request/viewer.ts";
import { type ParentDocument, lockParent } from "../documents/parent-document.ts";
import { type Condition, checkCondition } from "../../http/request/entity-tag.ts";
import { mayChange, mayGive, mayView } from "./access.ts";
import { htmlCleaner } from "./clean-html.ts";
import { changedNoteFields, coordinates, newNoteFields, onDocument, replacedNoteFields } from "./fields.ts";
import { findMentioned, notifyAboutNote } from "./mentions.ts";
import { type NoteRow, deleteNote, findNote, insertNote, updateNote } from "./store.ts";

/** A note and its document. */
export interface LocatedNote {
  row: NoteRow;
  document: ParentDocument;
}

export interface NoteIds {
  document: number;
  note: number;
}

/** Creates a note. It belongs to the viewer and to the viewer's active organization. */
export async function createNote(
  context: Pick<Context, "config" | "database">,
  viewer: SignedInViewer,
  documentId: number,
  members: Members,
): Promise<LocatedNote> {
  const { database } = context;
  const clean = await htmlCleaner(members.get("content"));
  const mentioned = await findMentioned(database, documentId, members.get("content"));
  return database.write(async (writer) => {
    const document = await lockParent(writer, database.dialect, viewer, documentId);
    checkAccess(members, document);
    const values = readFields(onDocument(document, newNoteFields), members, "whole");
    // Each of these is required or has a default.
    const { page_number = 0, title = "", access = "private", content = "" } = values;
    const { x1 = null, x2 = null, y1 = null, y2 = null } = values;
    checkCoordinates(values, { x1: null, x2: null, y1: null, y2: null });
    const now = timestampNow();
    const row = await insertNote(writer, {
      document_id: document.id,
      user_id: viewer.id,
      organization_id: viewer.organization,
      page_number,
      access,
      title,
      content,
      content_html: clean(content),
      x1,
      x2,
      y1,
      y2,
      created_at: now,
      updated_at: now,
    });
    await notifyAboutNote(context, writer, mentioned, { note: row, before: null, actorId: viewer.id });
    return { row, document };
  });
}

/** Replaces a note, or changes the fields that were sent. */
export async function changeNote(
  context: Pick<Context, "config" | "database">,
  viewer: SignedInViewer,
  ids: NoteIds,
  { members, extent, condition }: { members: Members; extent: Extent; condition: Condition<LocatedNote> },
): Promise<LocatedNote> {
  const { database } = context;
  const clean = await htmlCleaner(members.get("content"));
  const mentioned = await findMentioned(database, ids.document, members.get("content"));
  return database.write(async (writer) => {
    const document = await lockParent(writer, database.dialect, viewer, ids.document);
    const before = await getChangeable(writer, viewer, document, ids.note, condition);
    checkAccess(members, document);
    const table = extent === "whole" ? replacedNoteFields : changedNoteFields;
    const values = readFields(onDocument(document, table), members, extent);
    checkCoordinates(values, before);
    const { content } = values;
    const cleaned = content === undefined ? {} : { content_html: clean(content) };
    const row = await updateNote(writer, before.id, { ...values, ...cleaned, updated_at: timestampNow() });
    await notifyAboutNote(context, writer, mentioned, {
      note: row,
      before: before.content,
      actorId: viewer.id,
    });
    return { row, document };
  });
}

export async function removeNote(
  { database }: Pick<Context, "database">,
  viewer: SignedInViewer,
  ids: NoteIds,
  condition: Condition<LocatedNote>,
): Promise<void> {
  await database.write(async (writer) => {
    const document = await lockParent(writer, database.dialect, viewer, ids.document);
    const { id } = await getChangeable(writer, viewer, document, ids.note, condition);
    await deleteNote(writer, id);
  });
}

/** The note. Throws 404, 403 or 412 unless the viewer may change it and `If-Match` holds. */
async function getChangeable(
  writer: Writer,
  viewer: SignedInViewer,
  document: ParentDocument,
  id: number,
  condition: Condition<LocatedNote>,
): Promise<NoteRow> {
  const row = await findNote(writer, document.id, id);
  if (row === null || !mayView(viewer, row, document.isEditable)) throw notFound();
  if (!mayChange(viewer, row, document.isEditable)) throw permissionDenied();
  checkCondition({ row, document }, condition);
  return row;
}

/** Runs before all other checks of the request, as in DocumentCloud. */
function checkAccess(members: Members, { isEditable }: ParentDocument): void {
  if (mayGive(members.get("access"), isEditable)) return;
  throw permissionDenied("You may only create public or draft notes on documents you have edit access to");
}

type Coordinates = Pick<NoteRow, (typeof coordinates)[number]>;

/**
 * A request must set all four coordinates or none. As in DocumentCloud, coordinates that the note has already do not
 * count. DocumentCloud allows a request to remove only one of the four. Quire requires it to remove all four.
 */
export function checkCoordinates(values: Values<typeof changedNoteFields>, before: Coordinates): void {
  const sent = coordinates.filter((name) => values[name] !== undefined);
  const set = sent.filter((name) => values[name] !== null);
  const isPartlyRemoved = sent.length > 0 && sent.length < coordinates.length && before.x1 !== null;
  if (set.length === 0 && !isPartlyRemoved) return;
  const { x1 = null, x2 = null, y1 = null, y2 = null } = values;
  if (x1 === null || x2 === null || y1 === null || y2 === null) {
    throw invalidWhole("You must set either all of none of the note coordinates");
  }
  if (x1 >= x2) throw invalidWhole("`x1` must be less than `x2`");
  if (y1 >= y2) throw invalidWhole("`y1` must be less than `y2`");
}
