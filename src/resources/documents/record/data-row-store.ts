import type { Selectable } from "kysely";
import type { DocumentDataTable } from "../../../database/tables.ts";
import { isPublic } from "../../document-states.ts";

export type DataRow = Selectable<DocumentDataTable>;

/** The rows that order documents by a key of their `data`: the same rows that triggers create for a new document. */
export function dataRowsOf(document: {
  id: number;
  data: string;
  access: string;
  status: string;
}): DataRow[] {
  const { id: document_id, data } = document;
  if (data === "{}") return [];
  const is_public = isPublic(document);
  const rows: DataRow[] = [];
  for (const [key, texts] of Object.entries(JSON.parse(data) as Record<string, string[]>)) {
    const inOrder = texts.length > 1 ? texts.toSorted(byBytes) : texts;
    const [lowest] = inOrder;
    const highest = inOrder.at(-1);
    if (lowest !== undefined && highest !== undefined)
      rows.push({ document_id, key, lowest, highest, is_public });
  }
  return rows;
}

/** Compares texts as the engines do. */
function byBytes(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}
