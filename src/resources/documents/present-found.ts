/** A document's record as a search shows it: as that API does, with its id as text and the size of its first page alone. */
export function presentFound(record: Record<string, unknown>): Record<string, unknown> {
  const { admin_noindex: _, revision_control: __, sections: ___, ...shown } = record;
  const [size = ""] = (record["page_spec"] as string).split(":");
  return {
    ...shown,
    id: String(record["id"]),
    page_spec: size === "" ? "" : `${size}:0`,
    notes: [],
    highlights: null,
  };
}
