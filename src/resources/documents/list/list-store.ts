import { type RawBuilder, sql } from "kysely";
import type { Database } from "../../../database/database.ts";
import { type Page, type PageForm, type PageRequest, readPage } from "../../../database/keyset.ts";
import type { Cursor, CursorKey } from "../../../http/request/cursor.ts";
import type { Neighbours } from "../../../http/request/pagination.ts";
import type { Viewer } from "../../../http/request/viewer.ts";
import { kindOf, viewerValues } from "../access.ts";
import type { BaseUrls } from "../present.ts";
import { type DocumentRow, wholeRow } from "../store.ts";
import { type AudienceExtent, findAudienceExtent } from "./audience-store.ts";
import type { DocumentFilters } from "./filters.ts";
import type { Ordering } from "./orderings.ts";
import { segmentsOf } from "./range-store.ts";
import { type ListedRecord, listedColumns, storedPage, storedPageValues } from "./stored-page-store.ts";

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
  baseUrls: BaseUrls,
): (cursor: Cursor) => Promise<DocumentsPage<ListedRecord>> {
  const { dialect } = database;
  const form = storedPage(dialect, viewer);
  return pagesOf<ListedRecord>(database, viewer, list, {
    name: form.name,
    select: () => listedColumns(dialect, viewer),
    form,
    values: storedPageValues(dialect, viewer, baseUrls),
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

/** Everything that does not depend on the position is planned once. */
function pagesOf<Row extends CursorKey>(
  database: Database,
  viewer: Viewer,
  { filters, ordering, perPage }: DocumentList,
  selection: Selection<Row>,
): (cursor: Cursor) => Promise<DocumentsPage<Row>> {
  const { dialect } = database;
  const planWith = (extent: AudienceExtent): Pick<PageRequest, "segments" | "values"> => {
    const plan = segmentsOf(dialect, viewer, filters, ordering, extent);
    if (plan === null) return { segments: [], values: {} };
    const segments = plan.segments.map((segment) => ({
      ...segment,
      shape: `${selection.name}&${segment.shape}`,
      sql: () => ({ ...segment.sql(), select: selection.select() }),
    }));
    return { segments, values: { ...plan.values, ...viewerValues(dialect, viewer), ...selection.values } };
  };
  const settled = "dataKey" in ordering.by ? null : planWith("few");
  return async (cursor) => {
    const { segments, values } = settled ?? planWith(await findAudienceExtent(database, viewer));
    const { key, reverse, offset } = cursor;
    const position =
      key === null ? null : { segment: key.value === null && segments.length > 1 ? 1 : 0, key };
    const request = { segments, position, reverse, offset, limit: perPage, values };
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
