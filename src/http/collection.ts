import type { FastifyRequest } from "fastify";
import { ownAddress } from "./answer.ts";
import { queryOf } from "./browsable/view.ts";
import type { Database, Writer } from "../database/database.ts";
import { type Extent, type FieldTable, membersIn } from "./fields/fields.ts";
import { type Members, bodyOf } from "./request/body.ts";
import { checkCondition } from "./request/entity-tag.ts";
import { type Cursor, decodeCursor } from "./request/cursor.ts";
import { idNeighbours, pageLinks, perPage } from "./request/pagination.ts";
import { type SignedInViewer, type Viewer, writing } from "./request/viewer.ts";
import { type Content, content, pageContent } from "./response/representation.ts";
import type { Published } from "./schema/published-operation.ts";

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
  plain: (item: Item, viewer: SignedInViewer) => object;
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
    const tagOf = (one: Item): string => content(item.plain(one, viewer)).etag;
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
