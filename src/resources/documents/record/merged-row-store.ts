import type { Selectable } from "kysely";
import type { DocumentsTable } from "../../../database/tables.ts";
import { recordColumns } from "../record-members.ts";
import type { DocumentToPut, DocumentValues } from "./new-rows-store.ts";

/** The columns that an import writes. */
export const writtenColumns = recordColumns as readonly (keyof DocumentValues)[];

/** What an import makes of a document that exists. */
export function mergedInto(
  row: Selectable<DocumentsTable>,
  { values, unnamed = [] }: DocumentToPut,
): DocumentValues {
  const merged = { ...values };
  if (keepsFile(row, values)) merged.asset_url = null;
  for (const column of unnamed) merged[column] = row[column];
  return merged;
}

function keepsFile(row: Selectable<DocumentsTable>, values: DocumentValues): boolean {
  return (
    row.asset_url === null &&
    row.file_hash === values.file_hash &&
    row.slug === values.slug &&
    row.original_extension === values.original_extension
  );
}

/** Whether the values are not those of the row. */
export function differs(row: Selectable<DocumentsTable>, values: DocumentValues): boolean {
  return writtenColumns.some((column) => {
    const value = values[column];
    return typeof value === "boolean" ? Boolean(row[column]) !== value : row[column] !== value;
  });
}
