import { type Viewer, mayWrite } from "../../http/request/viewer.ts";
import type { ParentDocument } from "../documents/parent-document.ts";

/**
 * Whoever sees a document sees its sections: there is no rule for one of them or for a list of them but the document's.
 * Whoever may change the document makes, changes and deletes them.
 */
export function mayChangeSections(viewer: Viewer, { isEditable }: ParentDocument): boolean {
  return mayWrite(viewer) && isEditable;
}
