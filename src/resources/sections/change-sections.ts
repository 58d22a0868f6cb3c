import type { Database, Writer } from "../../database/database.ts";
import { notFound, permissionDenied } from "../../errors.ts";
import type { SentItem } from "../../http/collection.ts";
import { readFields } from "../../http/fields/fields.ts";
import type { Members } from "../../http/request/body.ts";
import type { SignedInViewer } from "../../http/request/viewer.ts";
import { type ParentDocument, lockParent } from "../documents/parent-document.ts";
import { mayChangeSections } from "./access.ts";
import { onDocument } from "./fields.ts";
import { type SectionRow, findSection, findTakenPages, sectionRows } from "./store.ts";

/** A section and its document. */
export interface LocatedSection {
  row: SectionRow;
  document: ParentDocument;
}

/** Creates a section. As in DocumentCloud, errors in the request are reported before a missing permission. */
export async function createSection(
  database: Database,
  viewer: SignedInViewer,
  documentId: number,
  members: Members,
): Promise<SectionRow> {
  return database.write(async (writer) => {
    const document = await lockParent(writer, database.dialect, viewer, documentId);
    const taken = await findTakenPages(writer, document.id, { except: null });
    const table = onDocument(document, taken);
    const { page_number = 0, title = "" } = readFields(table, members, "whole");
    if (!mayChangeSections(viewer, document)) {
      throw permissionDenied("You may only create sections on documents you have edit access to");
    }
    return sectionRows.add(writer, { document_id: document.id, page_number, title });
  });
}

/** The section, with its document locked. Throws 404 or 403 unless the viewer may change it. */
export async function lockSection(
  writer: Writer,
  { dialect }: Database,
  viewer: SignedInViewer,
  ids: { document: number; section: number },
): Promise<LocatedSection> {
  const document = await lockParent(writer, dialect, viewer, ids.document);
  const row = await findSection(writer, document.id, ids.section);
  if (row === null) throw notFound();
  if (!mayChangeSections(viewer, document)) throw permissionDenied();
  return { row, document };
}

/** Replaces a section, or changes the fields that were sent. */
export async function changeSection(
  writer: Writer,
  { row, document }: LocatedSection,
  { members, extent }: SentItem,
): Promise<LocatedSection> {
  const taken = await findTakenPages(writer, document.id, { except: row.id });
  const values = readFields(onDocument(document, taken), members, extent);
  // A PATCH may be empty.
  if (Object.keys(values).length > 0) await sectionRows.change(writer, row, values);
  return { row: { ...row, ...values }, document };
}
