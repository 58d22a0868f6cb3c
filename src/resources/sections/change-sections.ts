import type { Context } from "../../context.ts";
import type { Writer } from "../../database/database.ts";
import { notFound, permissionDenied } from "../../errors.ts";
import type { Members } from "../../http/request/body.ts";
import { type Extent, readFields } from "../../http/fields/fields.ts";
import type { SignedInViewer } from "../../http/request/viewer.ts";
import { type ParentDocument, lockParent } from "../documents/parent-document.ts";
import { type Condition, checkCondition } from "../projects/change-projects.ts";
import { mayChangeSections } from "./access.ts";
import { changedSectionFields, onDocument, sectionFields } from "./fields.ts";
import {
  type SectionRow,
  deleteSection,
  findSection,
  findTakenPages,
  insertSection,
  updateSection,
} from "./store.ts";

export interface SectionIds {
  document: number;
  section: number;
}

/** Creates a section. As in DocumentCloud, errors in the request are reported before a missing permission. */
export async function createSection(
  { database }: Pick<Context, "database">,
  viewer: SignedInViewer,
  documentId: number,
  members: Members,
): Promise<SectionRow> {
  return database.write(async (writer) => {
    const document = await lockParent(writer, database.dialect, viewer, documentId);
    const taken = await findTakenPages(writer, document.id, { except: null });
    const table = onDocument(document, sectionFields, taken);
    const { page_number = 0, title = "" } = readFields(table, members, "whole");
    if (!mayChangeSections(viewer, document)) {
      throw permissionDenied("You may only create sections on documents you have edit access to");
    }
    return insertSection(writer, { document_id: document.id, page_number, title });
  });
}

/** Replaces a section, or changes the fields that were sent. */
export async function changeSection(
  { database }: Pick<Context, "database">,
  viewer: SignedInViewer,
  ids: SectionIds,
  { members, extent, condition }: { members: Members; extent: Extent; condition: Condition<SectionRow> },
): Promise<SectionRow> {
  return database.write(async (writer) => {
    const document = await lockParent(writer, database.dialect, viewer, ids.document);
    const before = await getChangeable(writer, viewer, document, ids.section, condition);
    const taken = await findTakenPages(writer, document.id, { except: before.id });
    const table = extent === "whole" ? sectionFields : changedSectionFields;
    const values = readFields(onDocument(document, table, taken), members, extent);
    // A PATCH may be empty.
    if (Object.keys(values).length > 0) await updateSection(writer, before.id, values);
    return { ...before, ...values };
  });
}

export async function removeSection(
  { database }: Pick<Context, "database">,
  viewer: SignedInViewer,
  ids: SectionIds,
  condition: Condition<SectionRow>,
): Promise<void> {
  await database.write(async (writer) => {
    const document = await lockParent(writer, database.dialect, viewer, ids.document);
    const { id } = await getChangeable(writer, viewer, document, ids.section, condition);
    await deleteSection(writer, id);
  });
}

/** The section. Throws 404, 403 or 412 unless the viewer may change it and `If-Match` holds. */
async function getChangeable(
  writer: Writer,
  viewer: SignedInViewer,
  document: ParentDocument,
  id: number,
  condition: Condition<SectionRow>,
): Promise<SectionRow> {
  const row = await findSection(writer, document.id, id);
  if (row === null) throw notFound();
  if (!mayChangeSections(viewer, document)) throw permissionDenied();
  checkCondition(row, condition);
  return row;
}
