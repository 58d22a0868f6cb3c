import { type Viewer, mayWrite } from "../../http/request/viewer.ts";
import type { ParentDocument } from "../documents/parent-document.ts";

/*
 * Everyone sees every entity, also who added it. Which documents have it is said by each of these alone: whoever sees the
 * document sees its entities, and whoever may change it gives it some or takes them from it. There is no rule for one of
 * them or for a list of them but the document's.
 */

/** In that API nobody corrects what Wikidata says. Here it is what somebody said. */
export function mayChangeEntity(viewer: Viewer, { user_id }: { user_id: number | null }): boolean {
  return mayWrite(viewer) && (viewer.isAdministrator || viewer.id === user_id);
}

/**
 * Only an entity that no document has can be deleted: so who tries is told whether any has, also one that they do not
 * see. That is not for everyone who adds an entity.
 */
export function mayDeleteEntities(viewer: Viewer): boolean {
  return mayWrite(viewer) && viewer.isAdministrator;
}

export function mayChangeOccurrences(viewer: Viewer, { isEditable }: ParentDocument): boolean {
  return mayWrite(viewer) && isEditable;
}
