import type { Document } from "../../../contract/document.ts";
import type { Note } from "../../../contract/note.ts";
import type { FoundDocument, FoundNote } from "../../../contract/search.ts";
import { onlyInRecords } from "../record-members.ts";

const isLeftOut: ReadonlySet<string> = new Set(onlyInRecords);

/**
 * A document's record as a search shows it. As in DocumentCloud, the id is a string, only the size of the first page is
 * given, and the notes are included.
 */
export function presentFound(record: Document, notes: readonly Note[]): FoundDocument {
  // Deleting members from a copy would take five times as long.
  const members: Record<string, unknown> = {};
  for (const name in record) if (!isLeftOut.has(name)) members[name] = record[name as keyof Document];
  const [size = ""] = record.page_spec.split(":");
  return {
    ...(members as Omit<FoundDocument, "id" | "page_spec" | "notes" | "highlights">),
    id: String(record.id),
    page_spec: size === "" ? "" : `${size}:0`,
    notes: notes.map(foundNote),
    highlights: null,
  };
}

function foundNote(note: Note): FoundNote {
  const { edit_access: _, ...members } = note;
  return { ...members, id: String(note.id) };
}
