import { type RawBuilder, sql } from "kysely";
import type { Database } from "../../../database/database.ts";
import { type Page, type PageForm, type PageRequest, readPage } from "../../../database/keyset.ts";
import type { Cursor, CursorKey } from "../../../http/request/cursor.ts";
import type { Neighbours } from "../../../http/request/pagination.ts";
import type { Viewer } from "../../../http/request/viewer.ts";
import type { Bases } from "../present.ts";
import { type ListedRecord, listedColumns, storedPage, storedPageValues } from "../record-store.ts";
import { type DocumentRow, kindOf, viewerValues, wholeRow } from "../store.ts";
import { type Reach, findReach } from "./audience-store.ts";
import type { DocumentFilters } from "./filters.ts";
import type { Ordering } from "./orderings.ts";
import { planList } from "./range-store.ts";

/** Everything of a list but the position. */
export interface DocumentList {
  filters: DocumentFilters;
  ordering: Ordering;
  perPage: number;
}

export interface DocumentListQuery extends DocumentList {
  cursor: Cursor;
}

/** A page of documents, and the cursors of the next and previous page. */
export interface DocumentsPage<Row> {
  documents: Row[];
  neighbours: Neighbours;
}

/** The ids on one page of the documents that a viewer may see. */
export function listDocuments(
  database: Database,
  viewer: Viewer,
  query: DocumentListQuery,
): Promise<DocumentsPage<CursorKey>> {
  const ids = { name: "ids", select: () => sql.ref("documents.id") };
  return pagesOf<CursorKey>(database, viewer, query, ids)(query.cursor);
}

/** The pages of a list with the records that are stored. */
export function storedRecordPages(
  database: Database,
  viewer: Viewer,
  list: DocumentList,
  bases: Bases,
): (cursor: Cursor) => Promise<DocumentsPage<ListedRecord>> {
  const { dialect } = database;
  const form = storedPage(dialect, viewer);
  return pagesOf<ListedRecord>(database, viewer, list, {
    name: form.name,
    select: () => listedColumns(dialect, viewer),
    form,
    values: storedPageValues(dialect, viewer, bases),
  });
}

/** One page with whole rows. A single statement reads them, so that they are consistent. */
export function listDocumentRows(
  database: Database,
  viewer: Viewer,
  query: DocumentListQuery,
): Promise<DocumentsPage<DocumentRow & CursorKey>> {
  const whole = { name: `whole for ${kindOf(viewer)}`, select: () => wholeRow(database.dialect, viewer) };
  return pagesOf<DocumentRow & CursorKey>(database, viewer, query, whole)(query.cursor);
}

interface Selection<Row> {
  /** Equal names mean equal columns. */
  name: string;
  select: () => RawBuilder<unknown>;
  form?: PageForm<Row>;
  values?: Record<string, unknown>;
}

/** Whatever does not depend on the position is planned once. */
function pagesOf<Row extends CursorKey>(
  database: Database,
  viewer: Viewer,
  { filters, ordering, perPage }: DocumentList,
  selection: Selection<Row>,
): (cursor: Cursor) => Promise<DocumentsPage<Row>> {
  const { dialect } = database;
  const planWith = (reach: Reach): Pick<PageRequest, "stretches" | "values"> => {
    const plan = planList(dialect, viewer, filters, ordering, reach);
    if (plan === null) return { stretches: [], values: {} };
    const stretches = plan.stretches.map((stretch) => ({
      ...stretch,
      shape: `${selection.name}&${stretch.shape}`,
      sql: () => ({ ...stretch.sql(), select: selection.select() }),
    }));
    return { stretches, values: { ...plan.values, ...viewerValues(dialect, viewer), ...selection.values } };
  };
  const settled = "dataKey" in ordering.by ? null : planWith("few");
  return async (cursor) => {
    const { stretches, values } = settled ?? planWith(await findReach(database, viewer));
    const { key, reverse, offset } = cursor;
    const place = key === null ? null : { stretch: key.value === null && stretches.length > 1 ? 1 : 0, key };
    const request = { stretches, place, reverse, offset, limit: perPage, values };
    const page = await readPage<Row>(database, request, selection.form);
    return { documents: page.rows, neighbours: neighboursOf(page, ordering, cursor) };
  };
}

function neighboursOf(page: Page<CursorKey>, ordering: Ordering, cursor: Cursor): Neighbours {
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
