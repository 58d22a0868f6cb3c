import type { LineChange } from "../../../contract/spreadsheet.ts";
import { ApiError } from "../../../errors.ts";
import { readFields } from "../../../http/fields/fields.ts";
import type { SignedInViewer } from "../../../http/request/viewer.ts";
import { mayEdit } from "../access.ts";
import type { DocumentData } from "../data-field.ts";
import { changedFields } from "../record/fields.ts";
import { type DocumentRow, accessFacts } from "../store.ts";
import { cellOf, isTextColumn, keyOfColumn, textOfCell, valuesOfCell } from "./cells.ts";
import type { SheetLine } from "./read-sheet.ts";

export interface PlannedLine extends LineChange {
  /** The columns of the document that it changes, with their new values. */
  columns: Record<string, string>;
}

/**
 * What a line of a sheet would change in a document, which the viewer may see. Null if nothing differs.
 *
 * @param overwrites whether it may change a document that was changed after the export
 */
export function planLine(
  { line, cells }: SheetLine,
  row: DocumentRow | undefined,
  { viewer, overwrites }: { viewer: SignedInViewer; overwrites: boolean },
): PlannedLine | null {
  const given = cells.get("id")?.trim() ?? "";
  const id = /^\d{1,15}$/.test(given) ? Number(given) : null;
  const failed = (reason: string): PlannedLine => ({
    line,
    id,
    title: row?.title ?? "",
    changes: [],
    outcome: "error",
    reason,
    columns: {},
  });
  if (id === null) return failed("There is no number in the column `id`.");
  if (row === undefined) return failed("There is no such document, or you may not see it.");
  const changes: LineChange["changes"] = [];
  const members = new Map<string, unknown>();
  const data = { ...(JSON.parse(row.data) as DocumentData) };
  for (const [column, cell] of cells) {
    const key = keyOfColumn(column);
    if (key === null && !isTextColumn(column)) continue;
    const from = cellOf(row, column);
    const isSame = key === null ? isSameText(cell, from) : isSameList(valuesOfCell(cell), data[key] ?? []);
    if (isSame) continue;
    changes.push({ field: column, from, to: cell });
    if (key === null) members.set(column, textOfCell(cell));
    else if (valuesOfCell(cell).length > 0) data[key] = valuesOfCell(cell);
    else delete data[key];
  }
  if (changes.length === 0) return null;
  if (!mayEdit(viewer, accessFacts(row))) return failed("You may not edit this document.");
  if (changes.some(({ field }) => keyOfColumn(field) !== null)) members.set("data", data);
  const read = readValues(members);
  if (typeof read === "string") return failed(read);
  const exported = cells.get("updated_at")?.trim() ?? "";
  const isConflict = !overwrites && exported !== row.updated_at;
  const planned = { line, id, title: row.title, changes, reason: null, columns: read };
  return { ...planned, outcome: isConflict ? "conflict" : "change" };
}

/** Spreadsheets change the ends of lines. */
const isSameText = (cell: string, from: string): boolean =>
  cell.replaceAll(/\r\n?/g, "\n") === from.replaceAll(/\r\n?/g, "\n");

const isSameList = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((value, index) => value === other[index]);

/** The values as columns of the document, or why they are refused. */
function readValues(members: ReadonlyMap<string, unknown>): Record<string, string> | string {
  try {
    const { data, ...texts } = readFields(changedFields, members, "part");
    return {
      ...(texts as Record<string, string>),
      ...(data !== undefined && { data: JSON.stringify(data) }),
    };
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 400) throw error;
    const faults = Object.entries(error.body as Record<string, unknown>);
    return faults
      .map(([field, fault]) => `${field}: ${Array.isArray(fault) ? fault.join(" ") : String(fault)}`)
      .join(" ");
  }
}
