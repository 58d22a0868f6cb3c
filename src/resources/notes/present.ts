import type { Note, NoteAccess } from "../../contract/note.ts";
import type { Database } from "../../database/database.ts";
import { type Expansion, expandMembers } from "../../http/request/expansion.ts";
import type { Viewer } from "../../http/request/viewer.ts";
import { mapInSlices } from "../../http/text/slices.ts";
import { expandedOrganizations, expandedUsers } from "../users/expand.ts";
import { mayChange } from "./access.ts";
import type { NoteRow } from "./store.ts";

/** A note as the API shows it. `isEditable` says whether the viewer may change the document. */
export function presentNote(row: NoteRow, viewer: Viewer, isEditable: boolean): Note {
  const { id, user_id, organization_id, page_number, access, title, content, content_html } = row;
  const { x1, x2, y1, y2, created_at, updated_at } = row;
  return {
    id,
    user: user_id,
    organization: organization_id,
    page_number,
    // Nobody sees an invisible note.
    access: access as NoteAccess,
    edit_access: mayChange(viewer, row, isEditable),
    title,
    content,
    content_html,
    x1,
    x2,
    y1,
    y2,
    created_at,
    updated_at,
  };
}

export interface RenderContext {
  /** The ids of the documents that the viewer may change. */
  editable: ReadonlySet<number>;
  expansion: Expansion;
  inDetail: boolean;
}

/** Notes as the API shows them, with expansions. */
export async function presentNotes(
  database: Database,
  viewer: Viewer,
  rows: readonly NoteRow[],
  { editable, expansion, inDetail }: RenderContext,
): Promise<Note[]> {
  const notes = await mapInSlices(rows, (row) => presentNote(row, viewer, editable.has(row.document_id)));
  await expandMembers(notes, expansion, {
    user: expandedUsers(database, viewer, { inDetail }),
    organization: expandedOrganizations(database, viewer, { inDetail }),
  });
  return notes;
}
