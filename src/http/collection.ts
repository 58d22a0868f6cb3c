import type { FastifyReply, FastifyRequest } from "fastify";
import { queryOf } from "./browsable/view.ts";
import type { Extent } from "./fields/fields.ts";
import { type Cursor, decodeCursor } from "./request/cursor.ts";
import { idNeighbours, pageLinks, perPage } from "./request/pagination.ts";
import type { Operation, ResourceRoute } from "./resource-route.ts";
import { type Content, pageContent, send } from "./response/representation.ts";

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
  /** The absolute address of the list. */
  address: string;
  find: (cursor: Cursor, limit: number) => Promise<RowPage<Row>>;
  present: (rows: readonly Row[]) => readonly unknown[] | Promise<readonly unknown[]>;
  offers: Content["offers"];
  /** The order of the ids; ascending by default. */
  way?: "ascending" | "descending";
}

/** The page of a list that the request's `cursor` and `per_page` name. Throws 404 for a cursor that is invalid. */
export async function listContent<Row extends { id: number }>(
  request: FastifyRequest,
  { address, find, present, offers, way }: ListRequest<Row>,
): Promise<Content> {
  const query = queryOf(request);
  const cursor = decodeCursor(query.last("cursor"), null);
  const page = await find(cursor, perPage(query));
  const links = pageLinks(address, query, idNeighbours(page, cursor, way));
  return pageContent(links, await present(page.rows), offers);
}

/** Responds with 201 and the created item; `location` is its absolute address. */
export function sendCreated(
  request: FastifyRequest,
  reply: FastifyReply,
  location: string,
  created: Content,
): FastifyReply {
  reply.code(201).header("location", location);
  return send(request, reply, created);
}

export interface ItemOperations {
  schemas: Record<"replacing" | "changing" | "deleting", Operation["schema"]>;
  change: (request: FastifyRequest, extent: Extent) => Promise<Content>;
  remove: (request: FastifyRequest) => Promise<void>;
}

/** PUT and PATCH respond with the changed item, DELETE with 204. */
export function itemOperations({
  schemas,
  change,
  remove,
}: ItemOperations): Pick<ResourceRoute, "put" | "patch" | "delete"> {
  return {
    put: {
      schema: schemas.replacing,
      handler: async (request, reply) => send(request, reply, await change(request, "whole")),
    },
    patch: {
      schema: schemas.changing,
      handler: async (request, reply) => send(request, reply, await change(request, "part")),
    },
    delete: {
      schema: schemas.deleting,
      async handler(request, reply) {
        await remove(request);
        return reply.code(204).send();
      },
    },
  };
}
