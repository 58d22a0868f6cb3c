import type { Database } from "../../database/database.ts";
import type { Viewer } from "../../http/request/viewer.ts";
import { type AccessFacts, audiencesOf, mayEdit, mayView } from "../documents/access.ts";
import { type NoteFacts, mayView as mayViewNote } from "../notes/access.ts";
import { mayAdminister } from "../projects/access.ts";
import { type ProjectRow, findProjectsFor } from "../projects/list-store.ts";
import { type EventRow, findAccessFacts, findNoteFacts } from "./store.ts";

/**
 * A viewer may see an event if they may see everything that it names, at the moment of asking. What is gone is shown to
 * those who could see it at its end; what a saved search has found, to its owner alone. As everywhere else, only the
 * admins of a project see who its collaborators are.
 */
export async function visibleAmong(
  database: Database,
  viewer: Viewer,
  rows: readonly EventRow[],
): Promise<EventRow[]> {
  const existing = rows.filter((row) => !isWholeGone(row));
  const facts = await findAccessFacts(database, viewer, named("document_id", existing));
  const projects = await findProjectsFor(database, viewer, named("project_id", existing));
  const ofNotes = existing.filter(({ type, seen_by }) => type.startsWith("note.") && seen_by === null);
  const notes = await findNoteFacts(database, named("object_id", ofNotes));
  const known = { viewer, facts, projects, notes, audiences: new Set(["public", ...audiencesOf(viewer)]) };
  return rows.filter((row) => isVisible(row, known));
}

/** The different ids in a column. */
function named(column: "document_id" | "project_id" | "object_id", rows: readonly EventRow[]): number[] {
  return [...new Set(rows.flatMap((row) => row[column] ?? []))];
}

/** Whether the document or the project itself is gone. */
const isWholeGone = ({ type }: EventRow): boolean =>
  type === "document.deleted" || type === "project.deleted";

interface Known {
  viewer: Viewer;
  facts: ReadonlyMap<number, AccessFacts>;
  /** Those that the viewer may see. */
  projects: ReadonlyMap<number, ProjectRow>;
  notes: ReadonlyMap<number, NoteFacts>;
  audiences: ReadonlySet<string>;
}

function isVisible(row: EventRow, { viewer, facts, projects, notes, audiences }: Known): boolean {
  const readers = row.seen_by?.split(" ") ?? [];
  const isReader = readers.some((one) => audiences.has(one));
  if (isWholeGone(row)) return isReader;
  if (row.type === "search.found" && !isReader) return false;
  let isEditable = false;
  if (row.document_id !== null) {
    const document = facts.get(row.document_id);
    if (document === undefined || !mayView(viewer, document)) return false;
    isEditable = mayEdit(viewer, document);
  }
  if (row.project_id !== null) {
    const project = projects.get(row.project_id);
    if (project === undefined) return false;
    if (row.type.startsWith("project.member_")) return mayAdminister(viewer, project);
  }
  if (row.type === "note.deleted") return isReader || (readers.includes("editors") && isEditable);
  if (!row.type.startsWith("note.")) return true;
  const note = notes.get(row.object_id ?? 0);
  return note !== undefined && mayViewNote(viewer, note, isEditable);
}
