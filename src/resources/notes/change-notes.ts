import type { Context } from "../../context.ts";
import type { Writer } from "../../database/database.ts";
import { invalidWhole, notFound, permissionDenied } from "../../errors.ts";
import type { Members } from "../../http/request/body.ts";
import { type Extent, type Values, readFields } from "../../http/fields/fields.ts";
import { timestampNow } from "../../http/text/timestamp.ts";
import type { SignedInViewer } from "../../http/request/viewer.ts";
import { type ParentDocument, lockParent } from "../documents/parent-document.ts";
import { type Condition, checkCondition } from "../projects/change-projects.ts";
import { mayChange, mayGive, mayView } from "./access.ts";
import { htmlCleaner } from "./clean-html.ts";
import { changedNoteFields, coordinates, newNoteFields, onDocument, replacedNoteFields } from "./fields.ts";
import { type NoteRow, deleteNote, findNote, insertNote, updateNote } from "./store.ts";

type Dependencies = Pick<Context, "database">;

/** A note, and the document that it is on. */
export interface LocatedNote {
  row: NoteRow;
  document: ParentDocument;
}

export interface NoteIds {
  document: number;
  note: number;
}

/** Writes a note; it belongs to the viewer and to the organization that is active then. */
export async function createNote(
  { database }: Dependencies,
  viewer: SignedInViewer,
  documentId: number,
  members: Members,
): Promise<LocatedNote> {
  const clean = await htmlCleaner(members.get("content"));
  return database.write(async (writer) => {
    const document = await lockParent(writer, database.dialect, viewer, documentId);
    checkAccess(members, document);
    const values = readFields(onDocument(document, newNoteFields), members, "whole");
    // Required, or with a default.
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
    return { row, document };
  });
}

/** Changes a note: the whole of it, or what was sent. */
export async function changeNote(
  { database }: Dependencies,
  viewer: SignedInViewer,
  place: NoteIds,
  { members, extent, condition }: { members: Members; extent: Extent; condition: Condition<LocatedNote> },
): Promise<LocatedNote> {
  const clean = await htmlCleaner(members.get("content"));
  return database.write(async (writer) => {
    const document = await lockParent(writer, database.dialect, viewer, place.document);
    const before = await getChangeable(writer, viewer, document, place.note, condition);
    checkAccess(members, document);
    const table = extent === "whole" ? replacedNoteFields : changedNoteFields;
    const values = readFields(onDocument(document, table), members, extent);
    checkCoordinates(values, before);
    const { content } = values;
    const cleaned = content === undefined ? {} : { content_html: clean(content) };
    const row = await updateNote(writer, before.id, { ...values, ...cleaned, updated_at: timestampNow() });
    return { row, document };
  });
}

export async function removeNote(
  { database }: Dependencies,
  viewer: SignedInViewer,
  place: NoteIds,
  condition: Condition<LocatedNote>,
): Promise<void> {
  await database.write(async (writer) => {
    const document = await lockParent(writer, database.dialect, viewer, place.document);
    const { id } = await getChangeable(writer, viewer, document, place.note, condition);
    await deleteNote(writer, id);
  });
}

/** The note as it is, if the viewer may change it; 404, 403 or 412 if not. */
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

/** Before anything else that is wrong with what was sent, as in that API. */
function checkAccess(members: Members, { isEditable }: ParentDocument): void {
  if (mayGive(members.get("access"), isEditable)) return;
  throw permissionDenied("You may only create public or draft notes on documents you have edit access to");
}

type Coordinates = Pick<NoteRow, (typeof coordinates)[number]>;

/**
 * All or none, of what was sent: that some of them are there already does not count, as in that API. Which lets one of
 * four be taken away, too; here it has to be all four.
 */
export function checkCoordinates(values: Values<typeof changedNoteFields>, before: Coordinates): void {
  const sent = coordinates.filter((name) => values[name] !== undefined);
  const set = sent.filter((name) => values[name] !== null);
  const isTakenApart = sent.length > 0 && sent.length < coordinates.length && before.x1 !== null;
  if (set.length === 0 && !isTakenApart) return;
  const { x1 = null, x2 = null, y1 = null, y2 = null } = values;
  if (x1 === null || x2 === null || y1 === null || y2 === null) {
    throw invalidWhole("You must set either all of none of the note coordinates");
  }
  if (x1 >= x2) throw invalidWhole("`x1` must be less than `x2`");
  if (y1 >= y2) throw invalidWhole("`y1` must be less than `y2`");
}
