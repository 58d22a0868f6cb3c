/** The columns of documents by which lists can be sorted, besides the id, and the kind of their values. */
export const sortedColumns = {
  created_at: "string",
  updated_at: "string",
  page_count: "number",
  title: "string",
  source: "string",
} as const satisfies Readonly<Record<string, "string" | "number">>;

export type SortedColumn = keyof typeof sortedColumns;

/** Frequent filters compare these columns. */
const filteredColumns = ["status", "user_id"] as const;

/**
 * What `document_audiences` repeats from its document, so that a list of documents that are not public is a range of an
 * index in every ordering.
 */
export const audienceColumns = [...(Object.keys(sortedColumns) as SortedColumn[]), ...filteredColumns];

export type AudienceColumn = (typeof audienceColumns)[number];
