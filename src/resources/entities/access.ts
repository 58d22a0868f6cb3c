import { type Viewer, mayWrite } from "../../http/request/viewer.ts";
import type { ParentDocument } from "../documents/parent-document.ts";

/*
 * Everyone sees every entity and who added it. Only a document itself shows which entities it has: everyone who sees
 * the document sees its entities, and everyone who may change the document may add and remove them. Entities of
 * documents have no access rules of their own.
 */

/** Creators may correct their entities, because they wrote the content. In DocumentCloud it is copied from Wikidata. */
export function mayChangeEntity(viewer: Viewer, { user_id }: { user_id: number | null }): boolean {
  return mayWrite(viewer) && (viewer.isAdministrator || viewer.id === user_id);
}

/**
 * Only an entity that no document has can be deleted. The response to an attempt thus reveals whether any document has
 * it, even one that the viewer may not see. Therefore only administrators may delete entities.
 */
export function mayDeleteEntities(viewer: Viewer): boolean {
  return mayWrite(viewer) && viewer.isAdministrator;
}

export function mayChangeOccurrences(viewer: Viewer, { isEditable }: ParentDocument): boolean {
  return mayWrite(viewer) && isEditable;
}
