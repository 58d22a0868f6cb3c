import { onlyInRecords } from "../record-members.ts";

/** A document in the results of a search. */
export interface FoundRecord {
  [member: string]: unknown;
  id: string;
  notes: FoundNote[];
  /** By page. Null if the request did not ask for highlights. */
  highlights: Record<string, string[]> | null;
  /** By note id, if the request asked for highlights. A note's content is called `description` here. */
  note_highlights?: Record<string, { title: string[]; description: string[] }>;
}

/** A note of the document, with the fields that highlighting uses. */
export interface FoundNote {
  [member: string]: unknown;
  id: string;
  /** Counts from 0. */
  page_number: number;
  title: string;
  content_html: string;
}

const isLeftOut: ReadonlySet<string> = new Set(onlyInRecords);

/**
 * A document's record as a search shows it. As in DocumentCloud, the id is a string, only the size of the first page is
 * given, and the notes are included.
 */
export function presentFound(
  record: Record<string, unknown>,
  notes: readonly Record<string, unknown>[],
): FoundRecord {
  // Deleting members from a copy would take five times as long.
  const members: Record<string, unknown> = {};
  for (const name in record) if (!isLeftOut.has(name)) members[name] = record[name];
  const [size = ""] = (record["page_spec"] as string).split(":");
  return {
    ...members,
    id: String(record["id"]),
    page_spec: size === "" ? "" : `${size}:0`,
    notes: notes.map(foundNote),
    highlights: null,
  };
}

function foundNote(note: Record<string, unknown>): FoundNote {
  const { edit_access: _, ...members } = note;
  return { ...members, id: String(note["id"]) } as FoundNote;
}
