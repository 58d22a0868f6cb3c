import type { Note, NoteAccess } from "../../contract/note.ts";
import type { Database } from "../../database/database.ts";
import type { Expansion } from "../../http/request/expansion.ts";
import type { Viewer } from "../../http/request/viewer.ts";
import { mapInSlices } from "../../http/text/slices.ts";
import { findOrganizations } from "../organizations/list-store.ts";
import { presentOrganization } from "../organizations/present.ts";
import { findPresentedUsers } from "../users/expand.ts";
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
  const authors = rows.map(({ user_id }) => user_id);
  const users = expansion.has("user")
    ? await findPresentedUsers(database, viewer, authors, expansion.within("user"), { inDetail })
    : null;
  const ids = rows.flatMap(({ organization_id }) => (organization_id === null ? [] : [organization_id]));
  const organizations = expansion.has("organization")
    ? await findOrganizations(database, [...new Set(ids)])
    : null;
  return mapInSlices(rows, (row) => {
    const note = presentNote(row, viewer, editable.has(row.document_id));
    const organization = organizations?.get(row.organization_id ?? 0);
    if (users !== null) note["user"] = users.get(row.user_id) ?? row.user_id;
    if (organization !== undefined) {
      note["organization"] = presentOrganization(organization, viewer, { inDetail });
    }
    return note;
  });
}
