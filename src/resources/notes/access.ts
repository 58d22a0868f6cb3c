import { type Expression, type RawBuilder, sql } from "kysely";
import type { Dialect } from "../../database/dialect.ts";
import { parameter } from "../../database/prepared-queries.ts";
import type { Viewer } from "../../http/request/viewer.ts";
import { editableBy } from "../documents/access.ts";

/**
 * The access rules for notes on a document that the viewer may see. The rule for one row and the rule for a list stand
 * side by side. As in DocumentCloud, everyone sees a public note. A note with access `organization` (a shared draft) is
 * visible to its author and to everyone who may change the document. A private note is visible only to its author.
 * Administrators may change every document that they see, but they see no private notes except their own.
 */
export interface NoteFacts {
  access: string;
  user_id: number;
}

/** The rule for one row. `isEditable` says whether the viewer may change the document. */
export function mayView(viewer: Viewer, { access, user_id }: NoteFacts, isEditable: boolean): boolean {
  if (access === "public") return true;
  if (viewer.kind === "anonymous" || access === "invisible") return false;
  return user_id === viewer.id || (access === "organization" && isEditable);
}

/**
 * The rule for a list: a condition on `notes`. Its query parameters are `viewer`, the viewer's id, and `editable`, the
 * ids of the documents that the viewer may change.
 */
export function visibleTo(dialect: Dialect, viewer: Viewer): RawBuilder<boolean> {
  const isEditable = dialect.isAmong(sql.ref("notes.document_id"), parameter("editable"));
  return visible(viewer, parameter("viewer"), isEditable);
}

/** The same rule as a condition on `notes` joined with `documents`, without query parameters. */
export function visibleBeside(dialect: Dialect, viewer: Viewer): RawBuilder<boolean> {
  const id = viewer.kind === "anonymous" ? null : viewer.id;
  return visible(viewer, sql`${id}`, editableBy(dialect, viewer));
}

function visible(
  viewer: Viewer,
  id: Expression<unknown>,
  isEditable: RawBuilder<boolean>,
): RawBuilder<boolean> {
  if (viewer.kind === "anonymous") return sql<boolean>`notes.access = 'public'`;
  return sql<boolean>`(notes.access = 'public'
    or (notes.access <> 'invisible' and notes.user_id = ${id})
    or (notes.access = 'organization' and ${isEditable}))`;
}

/** Whether the viewer may change or delete the note. */
export function mayChange(viewer: Viewer, note: NoteFacts, isEditable: boolean): boolean {
  if (viewer.kind === "anonymous" || !mayView(viewer, note, isEditable)) return false;
  return note.user_id === viewer.id || isEditable;
}

/** Whether the viewer may set a note's access to this value. */
export function mayGive(access: unknown, isEditable: boolean): boolean {
  return isEditable || (access !== "public" && access !== "organization");
}
