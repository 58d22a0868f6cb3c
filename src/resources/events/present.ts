import type { Event, EventType } from "../../contract/event.ts";
import type { EventRow } from "./store.ts";

export function presentEvent({
  id,
  at,
  type,
  document_id,
  project_id,
  object_id,
  search_uuid,
}: EventRow): Event {
  const [kind, action = ""] = type.split(".");
  return {
    id,
    at,
    type: type as EventType,
    document: document_id,
    project: project_id,
    note: kind === "note" ? object_id : null,
    section: kind === "section" ? object_id : null,
    user: action.startsWith("member_") ? object_id : null,
    search: search_uuid,
  };
}
