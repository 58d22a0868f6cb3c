import type { FastifyRequest } from "fastify";
import { ownAddress } from "./answer.ts";
import { queryOf } from "./browsable/view.ts";
import type { Extent } from "./fields/fields.ts";
import { type Cursor, decodeCursor } from "./request/cursor.ts";
import { idNeighbours, pageLinks, perPage } from "./request/pagination.ts";
import type { Viewer } from "./request/viewer.ts";
import { type Content, pageContent } from "./response/representation.ts";
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

export interface ItemOperations<Sender extends Viewer> {
  schemas: Record<"replacing" | "changing" | "deleting", Published>;
  change: (request: FastifyRequest, viewer: Sender, extent: Extent) => Promise<Content>;
  remove: (request: FastifyRequest, viewer: Sender) => Promise<void>;
}

/** PUT and PATCH respond with the changed item, DELETE with 204. */
export function itemOperations<Sender extends Viewer>({ schemas, change, remove }: ItemOperations<Sender>) {
  return {
    put: {
      schema: schemas.replacing,
      answer: (request: FastifyRequest, viewer: Sender) => change(request, viewer, "whole"),
    },
    patch: {
      schema: schemas.changing,
      answer: (request: FastifyRequest, viewer: Sender) => change(request, viewer, "part"),
    },
    delete: { schema: schemas.deleting, answer: remove },
  };
}
