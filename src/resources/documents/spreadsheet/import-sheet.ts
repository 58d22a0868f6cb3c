import type { SpreadsheetImport } from "../../../contract/spreadsheet.ts";
import type { Context } from "../../../context.ts";
import type { SignedInViewer } from "../../../http/request/viewer.ts";
import { byteOrderMark, csvLine } from "../../../http/text/csv.ts";
import { mayView } from "../access.ts";
import { changeRow } from "../record/change-documents.ts";
import { type DocumentRow, accessFacts, findVisibleDocuments, lockDocumentRows } from "../store.ts";
import { cellOf, fixedColumns } from "./cells.ts";
import { type PlannedLine, planLine } from "./plan-changes.ts";
import { type Sheet, readSheet } from "./read-sheet.ts";

const maxListed = 1000;

/**
 * Says what an edited file would change, or changes it: all documents in one transaction, without those in conflict and
 * those that it may not change.
 */
export async function importSheet(
  { database }: Pick<Context, "database">,
  viewer: SignedInViewer,
  { csv, apply, overwrite }: { csv: string; apply: boolean; overwrite: boolean },
): Promise<SpreadsheetImport> {
  const sheet = readSheet(csv);
  const ids = idsIn(sheet);
  const plan = (rows: readonly DocumentRow[]): Planned => {
    const byId = new Map(rows.map((row) => [row.id, row]));
    return planned(sheet, byId, { viewer, overwrites: overwrite });
  };
  if (!apply) return resultOf(sheet, plan(await findVisibleDocuments(database, viewer, ids)), null);
  return database.write(async (writer) => {
    const locked = await lockDocumentRows(writer, database.dialect, viewer, ids);
    const found = plan(locked.filter((row) => mayView(viewer, accessFacts(row))));
    const before = new Map(locked.map((row) => [row.id, row]));
    const changing = found.lines.filter(({ outcome }) => outcome === "change");
    for (const { id, columns } of changing) {
      await changeRow(writer, viewer, before.get(id as number) as DocumentRow, columns);
    }
    const changed = changing.map(({ id }) => id as number);
    const after = await lockDocumentRows(writer, database.dialect, viewer, changed);
    return resultOf(sheet, found, undoOf(changing, before, after));
  });
}

interface Planned {
  lines: PlannedLine[];
  unchanged: number;
}

function planned(
  { lines }: Sheet,
  rows: ReadonlyMap<number, DocumentRow>,
  options: Parameters<typeof planLine>[2],
): Planned {
  const seen = new Set<number>();
  const found = lines.flatMap((line) => {
    const id = Number(line.cells.get("id"));
    const change = planLine(line, rows.get(id), options);
    if (change === null) return [];
    if (!seen.has(id)) {
      seen.add(id);
      return [change];
    }
    const reason = "Another line has the same `id`.";
    return [{ ...change, changes: [], columns: {}, outcome: "error" as const, reason }];
  });
  return { lines: found, unchanged: lines.length - found.length };
}

function idsIn({ lines }: Sheet): number[] {
  const ids = lines.map(({ cells }) => cells.get("id")?.trim() ?? "");
  return [...new Set(ids.filter((id) => /^\d{1,15}$/.test(id)).map(Number))];
}

function resultOf({ ignored }: Sheet, { lines, unchanged }: Planned, undo: string | null): SpreadsheetImport {
  const count = (outcome: PlannedLine["outcome"]): number =>
    lines.filter((line) => line.outcome === outcome).length;
  return {
    is_applied: undo !== null,
    changed: count("change"),
    unchanged,
    conflicts: count("conflict"),
    errors: count("error"),
    ignored_columns: ignored,
    lines: lines.slice(0, maxListed).map(({ columns: _columns, ...line }) => line),
    undo,
  };
}

/** A file with what the documents had, in the state that they have now. */
function undoOf(
  changing: readonly PlannedLine[],
  before: ReadonlyMap<number, DocumentRow>,
  after: readonly DocumentRow[],
): string {
  const fields = [...new Set(changing.flatMap(({ changes }) => changes.map(({ field }) => field)))];
  const columns = [...fixedColumns, ...fields];
  const now = new Map(after.map((row) => [row.id, row.updated_at]));
  const lines = changing.map(({ id }) => {
    const row = before.get(id as number) as DocumentRow;
    return csvLine(
      columns.map((column) => (column === "updated_at" ? (now.get(row.id) ?? "") : cellOf(row, column))),
    );
  });
  return byteOrderMark + csvLine(columns) + lines.join("");
}
