import type { FastifyInstance, FastifyRequest } from "fastify";
import { Created, ownAddress } from "./answer.ts";
import { type View, queryOf } from "./browsable/view.ts";
import type { Database, Writer } from "../database/database.ts";
import { type Extent, type FieldTable, type Values, membersIn, readFields } from "./fields/fields.ts";
import { type Members, bodyOf } from "./request/body.ts";
import { checkCondition } from "./request/entity-tag.ts";
import { type Cursor, decodeCursor } from "./request/cursor.ts";
import { idNeighbours, pageLinks, perPage } from "./request/pagination.ts";
import { idIn, uuidIn } from "./request/path-parameters.ts";
import { type SignedInViewer, type Viewer, writing } from "./request/viewer.ts";
import { type Content, content, pageContent } from "./response/representation.ts";
import { resourceRoute } from "./resource-route.ts";
import type { Published, PublishedRoute } from "./schema/published-operation.ts";

/*
 * The common behaviour of the lists of small resources: pages in ascending order of ids, a POST that responds with the
 * address of the new item, and items that PUT replaces, PATCH changes and DELETE removes.
 */

interface RowPage<Row> {
  rows: readonly Row[];
  /** Whether there are rows before the page, and after it. */
  before: boolean;
  after: boolean;
}

export interface ListRequest<Row> {
  find: (cursor: Cursor, limit: number) => Promise<RowPage<Row>>;
  present: (rows: readonly Row[]) => readonly unknown[] | Promise<readonly unknown[]>;
  offers?: Content["offers"];
  /** The order of the ids; ascending by default. */
  way?: "ascending" | "descending";
}

/** The page of a list that the request's `cursor` and `per_page` name. Throws 404 for a cursor that is invalid. */
export async function listContent<Row extends { id: number }>(
  request: FastifyRequest,
  { find, present, offers, way }: ListRequest<Row>,
): Promise<Content> {
  const query = queryOf(request);
  const cursor = decodeCursor(query.last("cursor"), null);
  const page = await find(cursor, perPage(query));
  const links = pageLinks(ownAddress(request), query, idNeighbours(page, cursor, way));
  return pageContent(links, await present(page.rows), offers);
}

/** What a client sent to change an item: the members of the body, which is a whole item or a part of one. */
export interface SentItem {
  members: Members;
  extent: Extent;
}

/** How an item of a small resource is changed. */
export interface ItemChanges<Item> {
  schemas: Record<"replacing" | "changing" | "deleting", Published>;
  fields: FieldTable;
  /** Throws a refusal that comes before those of the body. */
  before?: (request: FastifyRequest) => Promise<unknown>;
  /** The item, locked until the transaction ends. Throws 404 or 403 unless the viewer may change it. */
  lock: (writer: Writer, viewer: SignedInViewer, request: FastifyRequest) => Promise<Item>;
  /** The item as its entity tag covers it: without expansions, and with all members. */
  plain: (item: Item, viewer: SignedInViewer, request: FastifyRequest) => object;
  change: (writer: Writer, item: Item, sent: SentItem, viewer: SignedInViewer) => Promise<Item>;
  remove: (writer: Writer, item: Item, viewer: SignedInViewer) => Promise<unknown>;
  /** The response to a change. */
  shown: (item: Item, viewer: SignedInViewer, request: FastifyRequest) => Content | Promise<Content>;
}

/**
 * PUT replaces an item, PATCH changes it, DELETE removes it. Each is one transaction: lock, compare `If-Match` (412),
 * then work. So nobody else changes the item between the comparison and the change.
 */
export function itemChanges<Item>(database: Pick<Database, "write">, item: ItemChanges<Item>) {
  async function locked(writer: Writer, viewer: SignedInViewer, request: FastifyRequest): Promise<Item> {
    const found = await item.lock(writer, viewer, request);
    const tagOf = (one: Item): string => content(item.plain(one, viewer, request)).etag;
    checkCondition(found, { ifMatch: request.headers["if-match"], tagOf });
    return found;
  }
  const change = (extent: Extent) => async (request: FastifyRequest, sender: Viewer) => {
    await item.before?.(request);
    const viewer = writing(sender);
    const sent = { members: membersIn(item.fields, bodyOf(request)), extent };
    const changed = await database.write(async (writer) =>
      item.change(writer, await locked(writer, viewer, request), sent, viewer),
    );
    return item.shown(changed, viewer, request);
  };
  const remove = async (request: FastifyRequest, sender: Viewer): Promise<void> => {
    await item.before?.(request);
    const viewer = writing(sender);
    await database.write(async (writer) =>
      item.remove(writer, await locked(writer, viewer, request), viewer),
    );
  };
  const { replacing, changing, deleting } = item.schemas;
  return {
    put: { schema: replacing, answer: change("whole") },
    patch: { schema: changing, answer: change("part") },
    delete: { schema: deleting, answer: remove },
  };
}

/** What a client sent to change an item of a {@link collection}. */
export interface SentValues<Fields extends FieldTable> {
  values: Values<Fields>;
  extent: Extent;
}

/** A small resource: a list to which POST adds, and items that PUT, PATCH and DELETE change. */
export interface Collection<
  Row extends { id: number },
  Fields extends FieldTable,
  NewFields extends FieldTable,
> {
  /** The address of an item. Its last part is `:id` or `:uuid`; before it is the address of the list. */
  path: string;
  parameters?: NonNullable<PublishedRoute["parameters"]>;
  reading: "signed in" | "hidden";
  views: Record<"list" | "item", View>;
  schemas: Record<"listing" | "creating" | "reading" | "replacing" | "changing" | "deleting", Published>;
  /** What POST and PUT take whole, and PATCH in part. */
  fields: Fields;
  /** What only POST takes. */
  newFields?: NewFields;
  /** The rows that a viewer may see: `visibleRows` or `ownRows` of database/rows.ts. */
  rows: {
    get(from: Database, viewer: SignedInViewer, where: Partial<Row>): Promise<Row>;
    lock(writer: Writer, viewer: SignedInViewer, where: Partial<Row>): Promise<Row>;
    page(from: Database, viewer: SignedInViewer, cursor: Cursor, limit: number): Promise<RowPage<Row>>;
    remove(writer: Writer, row: { readonly id: number }): Promise<unknown>;
  };
  present: (row: Row, request: FastifyRequest) => object;
  /** A secret of the new row is shown only once. */
  create: (
    values: Values<NewFields & Fields>,
    viewer: SignedInViewer,
  ) => Promise<{ row: Row; secret?: string }>;
  change: (writer: Writer, row: Row, sent: SentValues<Fields>, viewer: SignedInViewer) => Promise<Row>;
  /** Removes the row by default. */
  remove?: (writer: Writer, row: Row) => Promise<unknown>;
  /** Runs after the transaction of a change. */
  afterChange?: () => void;
}

/** The two routes of a small resource. Viewers who may write see their forms. */
export function collection<
  Row extends { id: number },
  Fields extends FieldTable,
  NewFields extends FieldTable = Fields,
>(app: FastifyInstance, database: Database, it: Collection<Row, Fields, NewFields>): void {
  listRoute(app, database, it);
  itemRoute(app, database, it);
}

const keyOf = (path: string): "uuid" | "id" => (path.endsWith("/:uuid/") ? "uuid" : "id");

function listRoute<Row extends { id: number }, Fields extends FieldTable, NewFields extends FieldTable>(
  app: FastifyInstance,
  database: Database,
  {
    path,
    reading,
    views,
    schemas,
    fields,
    newFields,
    rows,
    present,
    create,
  }: Collection<Row, Fields, NewFields>,
): void {
  const postFields = { ...newFields, ...fields };
  resourceRoute(app, {
    path: path.replace(/:\w+\/$/, ""),
    view: { ...views.list, fields: { POST: postFields } },
    reading,
    get: {
      schema: schemas.listing,
      answer: (request, viewer) =>
        listContent(request, {
          find: (cursor, limit) => rows.page(database, viewer, cursor, limit),
          present: (found) => found.map((row) => present(row, request)),
          offers: viewer.mayWrite ? ["POST"] : [],
        }),
    },
    post: {
      schema: schemas.creating,
      async answer(request, viewer, reply) {
        const values = readFields(postFields, membersIn(postFields, bodyOf(request)), "whole");
        const { row, ...secret } = await create(values as Values<NewFields & Fields>, viewer);
        if ("secret" in secret) reply.header("cache-control", "no-store");
        const { [keyOf(path)]: name } = row as unknown as { id: number; uuid: string };
        return new Created(name, content({ ...present(row, request), ...secret }));
      },
    },
  });
}

function itemRoute<Row extends { id: number }, Fields extends FieldTable, NewFields extends FieldTable>(
  app: FastifyInstance,
  database: Database,
  { path, reading, views, schemas, fields, rows, present, ...it }: Collection<Row, Fields, NewFields>,
): void {
  const named = (request: FastifyRequest): Partial<Row> =>
    (keyOf(path) === "uuid"
      ? { uuid: uuidIn(request) }
      : { id: idIn(request, "id") }) as unknown as Partial<Row>;
  const shown = (row: Row, viewer: SignedInViewer, request: FastifyRequest): Content =>
    content(present(row, request), viewer.mayWrite ? ["PUT", "PATCH", "DELETE"] : []);

  resourceRoute(app, {
    path,
    ...(it.parameters !== undefined && { parameters: it.parameters }),
    view: { ...views.item, fields: { PUT: fields, PATCH: fields } },
    reading,
    get: {
      schema: schemas.reading,
      answer: async (request, viewer) =>
        shown(await rows.get(database, viewer, named(request)), viewer, request),
    },
    ...itemChanges(database, {
      schemas,
      fields,
      lock: (writer, viewer, request) => rows.lock(writer, viewer, named(request)),
      plain: (row, _viewer, request) => present(row, request),
      change: (writer, row, { members, extent }, viewer) =>
        it.change(writer, row, { values: readFields(fields, members, extent), extent }, viewer),
      remove: it.remove ?? ((writer, row) => rows.remove(writer, row)),
      shown(row, viewer, request) {
        it.afterChange?.();
        return shown(row, viewer, request);
      },
    }),
  });
}
