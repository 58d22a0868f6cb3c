import type { Database, Writer } from "../../database/database.ts";
import type { Dialect } from "../../database/dialect.ts";
import { notFound } from "../../errors.ts";
import { FieldError, type Field } from "../../http/fields/fields.ts";
import { type SignedInViewer, type Viewer, writing } from "../../http/request/viewer.ts";
import { mayEdit, mayView } from "./access.ts";
import { type DocumentRow, accessFacts, findDocument, lockDocumentRows } from "./store.ts";

/** The facts about a document that its notes, sections and other children need. */
export interface ParentDocument {
  id: number;
  page_count: number;
  /** Whether the viewer may change it. */
  isEditable: boolean;
}

/** The document. Throws 404 if it does not exist or the viewer may not see it. */
export async function getParent(database: Database, viewer: Viewer, id: number): Promise<ParentDocument> {
  return parentOf(viewer, await findDocument(database, viewer, id));
}

/** Like {@link getParent}, and locks the document and its children against other writers until the transaction ends. */
export async function lockParent(
  writer: Writer,
  dialect: Dialect,
  viewer: SignedInViewer,
  id: number,
): Promise<ParentDocument> {
  const [row] = await lockDocumentRows(writer, dialect, viewer, [id]);
  return parentOf(viewer, row ?? null);
}

function parentOf(viewer: Viewer, row: DocumentRow | null): ParentDocument {
  if (row === null || !mayView(viewer, accessFacts(row))) throw notFound();
  return { id: row.id, page_count: row.page_count, isEditable: mayEdit(viewer, accessFacts(row)) };
}

/** The viewer, if signed in and allowed to write. Throws 404 for a hidden document before 403 for a missing right. */
export async function parentWriter(database: Database, viewer: Viewer, id: number): Promise<SignedInViewer> {
  await getParent(database, viewer, id);
  return writing(viewer);
}

/** The field, restricted to the numbers of the document's pages, which count from 0. */
export function pageOf<const F extends Field<number>>({ page_count }: ParentDocument, field: F): F {
  return {
    ...field,
    read: (value: unknown) => {
      const page = field.read(value);
      if (page < 0 || page >= page_count) throw new FieldError("Must be a valid page for the document");
      return page;
    },
  };
}
