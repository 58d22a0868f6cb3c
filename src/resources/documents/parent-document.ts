import type { Database, Writer } from "../../database/database.ts";
import type { Dialect } from "../../database/dialect.ts";
import { notFound } from "../../errors.ts";
import { FieldError, type Field } from "../../http/fields/fields.ts";
import { type SignedInViewer, type Viewer, writing } from "../../http/request/viewer.ts";
import { mayEdit, mayView } from "./access.ts";
import { type DocumentRow, accessFacts, findDocument, lockDocumentRows } from "./store.ts";

/** The document that something belongs to, as far as that concerns what belongs to it. */
export interface ParentDocument {
  id: number;
  page_count: number;
  /** Whether the viewer may change it. */
  isEditable: boolean;
}

/** The document, if this viewer may see it; 404 if not. */
export async function getParent(database: Database, viewer: Viewer, id: number): Promise<ParentDocument> {
  return parentOf(viewer, await findDocument(database, viewer, id));
}

/** The same within a transaction: until it ends nobody else changes the document, or what belongs to it. */
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

/** Whoever may write something to a document that they see: 404 where they see none comes before 403. */
export async function parentWriter(database: Database, viewer: Viewer, id: number): Promise<SignedInViewer> {
  await getParent(database, viewer, id);
  return writing(viewer);
}

/** The number of a page, from 0, as a field that takes only pages which the document has. */
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
