import { type Expression, type RawBuilder, sql } from "kysely";
import type { Dialect } from "../../database/dialect.ts";
import { parameter } from "../../database/prepared-queries.ts";
import type { Viewer } from "../../http/request/viewer.ts";
import { editableBy } from "../documents/access.ts";

/**
 * Who may see and change a note of a document that they see; the rule for one row and the rule for a list stand side by
 * side. As in that API: a public note is for everyone, one of access `organization` (a draft that is worked on together)
 * for its author and whoever may change the document, a private one for its author alone. An administrator may change
 * every document that they see; so they see no private notes but their own.
 */
export interface NoteFacts {
  access: string;
  user_id: number;
}

/** The rule for one row. `isEditable`: the viewer may change its document. */
export function mayView(viewer: Viewer, { access, user_id }: NoteFacts, isEditable: boolean): boolean {
  if (access === "public") return true;
  if (viewer.kind === "anonymous" || access === "invisible") return false;
  return user_id === viewer.id || (access === "organization" && isEditable);
}

/**
 * The rule for a list: a condition on `notes`, with the parameters `viewer`, their id, and `editable`, the ids of the
 * documents that they may change.
 */
export function visibleTo(dialect: Dialect, viewer: Viewer): RawBuilder<boolean> {
  const isEditable = dialect.isAmong(sql.ref("notes.document_id"), parameter("editable"));
  return visible(viewer, parameter("viewer"), isEditable);
}

/** The same as a condition on `notes` and `documents`, without parameters. */
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

/** Whether the viewer may change or delete the note, which they see. */
export function mayChange(viewer: Viewer, note: NoteFacts, isEditable: boolean): boolean {
  if (viewer.kind === "anonymous" || !mayView(viewer, note, isEditable)) return false;
  return note.user_id === viewer.id || isEditable;
}

/** Whether the viewer may give a note this access. */
export function mayGive(access: unknown, isEditable: boolean): boolean {
  return isEditable || (access !== "public" && access !== "organization");
}
