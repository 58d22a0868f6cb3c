import { type RawBuilder, sql } from "kysely";
import type { Database } from "../../../database/database.ts";
import { type Page, type PageForm, type PageRequest, readPage } from "../../../database/keyset.ts";
import type { Cursor, CursorKey } from "../../../http/request/cursor.ts";
import type { Neighbours } from "../../../http/request/pagination.ts";
import type { Viewer } from "../../../http/request/viewer.ts";
import type { Bases } from "../present.ts";
import { type ListedRecord, listedColumns, storedPage, storedPageValues } from "../record-store.ts";
import { type DocumentRow, kindOf, viewerValues, wholeRow } from "../store.ts";
import { findReach } from "./audience-store.ts";
import type { DocumentFilters } from "./filters.ts";
import type { Ordering } from "./orderings.ts";
import { planList } from "./range-store.ts";

export interface DocumentListQuery {
  filters: DocumentFilters;
  ordering: Ordering;
  cursor: Cursor;
  perPage: number;
}

/** The ids on one page of the documents that a viewer may see, and the cursors of the next and previous page. */
export async function listDocuments(
  database: Database,
  viewer: Viewer,
  query: DocumentListQuery,
): Promise<{ documents: CursorKey[]; neighbours: Neighbours }> {
  const ids = { name: "ids", select: () => sql.ref("documents.id") };
  const page = await readDocuments<CursorKey>(database, viewer, query, ids);
  return { documents: page.rows, neighbours: neighboursOf(page, query) };
}

/** The same page with the records that are stored. */
export async function listStoredRecords(
  database: Database,
  viewer: Viewer,
  query: DocumentListQuery,
  bases: Bases,
): Promise<{ documents: ListedRecord[]; neighbours: Neighbours }> {
  const { dialect } = database;
  const form = storedPage(dialect, viewer);
  const page = await readDocuments<ListedRecord>(database, viewer, query, {
    name: form.name,
    select: () => listedColumns(dialect, viewer),
    form,
    values: storedPageValues(dialect, viewer, bases),
  });
  return { documents: page.rows, neighbours: neighboursOf(page, query) };
}

/** The same page with whole rows. A single statement reads them, so that they are consistent. */
export async function listDocumentRows(
  database: Database,
  viewer: Viewer,
  query: DocumentListQuery,
): Promise<{ documents: (DocumentRow & CursorKey)[]; neighbours: Neighbours }> {
  const whole = { name: `whole for ${kindOf(viewer)}`, select: () => wholeRow(database.dialect, viewer) };
  const page = await readDocuments<DocumentRow & CursorKey>(database, viewer, query, whole);
  return { documents: page.rows, neighbours: neighboursOf(page, query) };
}

interface Selection<Row> {
  /** Equal names mean equal columns. */
  name: string;
  select: () => RawBuilder<unknown>;
  form?: PageForm<Row>;
  values?: Record<string, unknown>;
}

async function readDocuments<Row>(
  database: Database,
  viewer: Viewer,
  { filters, ordering, cursor, perPage }: DocumentListQuery,
  selection: Selection<Row>,
): Promise<Page<Row>> {
  const reach = "dataKey" in ordering.by ? await findReach(database, viewer) : "few";
  const plan = planList(database.dialect, viewer, filters, ordering, reach);
  if (plan === null) return { rows: [], before: false, after: false };
  const stretches = plan.stretches.map((stretch) => ({
    ...stretch,
    shape: `${selection.name}&${stretch.shape}`,
    sql: () => ({ ...stretch.sql(), select: selection.select() }),
  }));
  const { key } = cursor;
  const request: PageRequest = {
    stretches,
    place: key === null ? null : { stretch: key.value === null && stretches.length > 1 ? 1 : 0, key },
    reverse: cursor.reverse,
    offset: cursor.offset,
    limit: perPage,
    values: { ...plan.values, ...viewerValues(database.dialect, viewer), ...selection.values },
  };
  return readPage<Row>(database, request, selection.form);
}

function neighboursOf(page: Page<CursorKey>, { ordering, cursor }: DocumentListQuery): Neighbours {
  const at = (key: CursorKey, reverse: boolean): Cursor => ({
    reverse,
    offset: 0,
    ordering: ordering.name,
    key: { id: key.id, value: key.value ?? null },
  });
  const first = page.rows[0] ?? cursor.key;
  const last = page.rows.at(-1) ?? cursor.key;
  // An empty page was reached from a row that the neighbouring page must show again: its cursor is just past that row.
  const past = page.rows.length > 0 ? 0 : ordering.descending ? -1 : 1;
  return {
    next: page.after && last !== null ? at({ ...last, id: last.id - past }, false) : null,
    previous: page.before && first !== null ? at({ ...first, id: first.id + past }, true) : null,
  };
}
