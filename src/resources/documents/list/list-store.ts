import { type RawBuilder, sql } from "kysely";
import type { Database } from "../../../database/database.ts";
import { type Page, readPage } from "../../../database/keyset.ts";
import { type Buildable, compilable, parameter } from "../../../database/prepared-queries.ts";
import type { Cursor, CursorKey } from "../../../http/request/cursor.ts";
import type { Neighbours } from "../../../http/request/pagination.ts";
import type { Viewer } from "../../../http/request/viewer.ts";
import { mayView } from "../access.ts";
import { findReach } from "./audience-store.ts";
import type { DocumentFilters } from "./filters.ts";
import type { Ordering } from "./orderings.ts";
import { planList } from "./range-store.ts";
import {
  type DocumentRow,
  type ProjectColumns,
  accessFacts,
  kindOf,
  projectColumns,
  viewerValues,
  wholeRow,
} from "../store.ts";

/** The columns that a page needs of a document whose rendered record may be cached. */
export interface ListedDocument
  extends
    CursorKey,
    Pick<DocumentRow, "revision" | "access" | "status" | "user_id" | "organization_id">,
    ProjectColumns {}

export interface DocumentListQuery {
  filters: DocumentFilters;
  ordering: Ordering;
  cursor: Cursor;
  perPage: number;
}

/** One page of the documents that a viewer may see, and the cursors of the next and previous page. */
export async function listDocuments(
  database: Database,
  viewer: Viewer,
  query: DocumentListQuery,
): Promise<{ documents: ListedDocument[]; neighbours: Neighbours }> {
  const page = await readDocuments<ListedDocument>(database, viewer, query, {
    name: `listed for ${kindOf(viewer)}`,
    select: () => listedRow(database, viewer),
  });
  return { documents: page.rows, neighbours: neighboursOf(page, query) };
}

function listedRow({ dialect }: Database, viewer: Viewer): RawBuilder<unknown> {
  const columns = ["id", "revision", "access", "status", "user_id", "organization_id"];
  const references = columns.map((column) => sql.ref(`documents.${column}`));
  return sql`${sql.join(references)}${projectColumns(dialect, viewer)}`;
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

/** The document, or null if it does not exist or the viewer may not see it. */
export async function findListedDocument(
  database: Database,
  viewer: Viewer,
  id: number,
): Promise<ListedDocument | null> {
  const { dialect, prepared, reader } = database;
  const build = (): Buildable<ListedDocument> =>
    compilable(
      reader,
      sql`select ${listedRow(database, viewer)} from documents where id = ${parameter("id")}`,
    );
  const values = { id, ...viewerValues(dialect, viewer) };
  const [found] = await prepared.rows<ListedDocument>(`document of ${kindOf(viewer)}`, build, values);
  return found !== undefined && mayView(viewer, accessFacts(found)) ? found : null;
}

interface Selection {
  name: string;
  select: () => RawBuilder<unknown>;
}

async function readDocuments<Row>(
  database: Database,
  viewer: Viewer,
  { filters, ordering, cursor, perPage }: DocumentListQuery,
  selection: Selection,
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
  return readPage<Row>(database, {
    stretches,
    place: key === null ? null : { stretch: key.value === null && stretches.length > 1 ? 1 : 0, key },
    reverse: cursor.reverse,
    offset: cursor.offset,
    limit: perPage,
    values: { ...plan.values, ...viewerValues(database.dialect, viewer) },
  });
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
