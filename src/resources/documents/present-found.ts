/**
 * A document's record as a search shows it: as that API does, with its id as text, the size of its first page alone, and
 * its notes.
 */
export function presentFound(
  record: Record<string, unknown>,
  notes: readonly Record<string, unknown>[],
): Record<string, unknown> {
  const { admin_noindex: _, revision_control: __, ...shown } = record;
  const [size = ""] = (record["page_spec"] as string).split(":");
  return {
    ...shown,
    id: String(record["id"]),
    page_spec: size === "" ? "" : `${size}:0`,
    notes: notes.map(({ edit_access: ___, ...note }) => Object.assign(note, { id: String(note["id"]) })),
    highlights: null,
  };
}
