/** A document as a search shows it. */
export interface FoundRecord {
  [member: string]: unknown;
  id: string;
  notes: FoundNote[];
  /** By page; null: they were not asked for. */
  highlights: Record<string, string[]> | null;
  /** By the notes' ids, where highlights were asked for; what a note says is its `description` there. */
  note_highlights?: Record<string, { title: string[]; description: string[] }>;
}

/** A note of it, as far as it is looked into. */
export interface FoundNote {
  [member: string]: unknown;
  id: string;
  /** Counts from 0. */
  page_number: number;
  title: string;
  content_html: string;
}

/**
 * A document's record as a search shows it: as that API does, with its id as text, the size of its first page alone, and
 * its notes.
 */
export function presentFound(
  record: Record<string, unknown>,
  notes: readonly Record<string, unknown>[],
): FoundRecord {
  const { admin_noindex: _, revision_control: __, ...shown } = record;
  const [size = ""] = (record["page_spec"] as string).split(":");
  return {
    ...shown,
    id: String(record["id"]),
    page_spec: size === "" ? "" : `${size}:0`,
    notes: notes.map(({ edit_access: ___, ...note }) => ({ ...note, id: String(note["id"]) }) as FoundNote),
    highlights: null,
  };
}
