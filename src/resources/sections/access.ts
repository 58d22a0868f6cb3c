import { type Viewer, mayWrite } from "../../http/request/viewer.ts";
import type { ParentDocument } from "../documents/parent-document.ts";

/**
 * Sections have no access rules of their own. Everyone who sees a document sees its sections, and everyone who may
 * change the document may create, change and delete them.
 */
export function mayChangeSections(viewer: Viewer, { isEditable }: ParentDocument): boolean {
  return mayWrite(viewer) && isEditable;
}
