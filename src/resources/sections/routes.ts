import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Context } from "../../context.ts";
import { notFound } from "../../errors.ts";
import { addressesOf } from "../../http/text/addresses.ts";
import { bodyOf } from "../../http/request/body.ts";
import { decodeCursor } from "../../http/request/cursor.ts";
import { type Extent, membersIn } from "../../http/fields/fields.ts";
import { idNeighbours, pageLinks, perPage } from "../../http/request/pagination.ts";
import { idIn } from "../../http/request/path-parameters.ts";
import { type Content, content, pageContent, send } from "../../http/response/representation.ts";
import { resourceRoute } from "../../http/resource-route.ts";
import { queryOf } from "../../http/browsable/view.ts";
import { getParent, parentWriter } from "../documents/parent-document.ts";
import type { Condition } from "../projects/change-projects.ts";
import { mayChangeSections } from "./access.ts";
import { type SectionIds, changeSection, createSection, removeSection } from "./change-sections.ts";
import { sectionFields } from "./fields.ts";
import { presentSection } from "./present.ts";
import * as shapes from "./schema.ts";
import { type SectionRow, findSection, listSections } from "./store.ts";
import { sectionInstance, sectionList } from "./views.ts";

/** A document's table of contents. */
export function sectionRoutes(app: FastifyInstance, context: Context): void {
  const { config, database } = context;

  resourceRoute(app, {
    path: "/api/documents/:id/sections/",
    view: sectionList,
    writing: "asked",
    get: {
      schema: shapes.listing,
      async handler(request, reply) {
        const query = queryOf(request);
        const document = await getParent(database, request.viewer, idIn(request, "id"));
        const cursor = decodeCursor(query.last("cursor"), null);
        const page = await listSections(database, document.id, cursor, perPage(query));
        const address = `${addressesOf(config, request).api}/api/documents/${document.id}/sections/`;
        const links = pageLinks(address, query, idNeighbours(page, cursor));
        const offers = mayChangeSections(request.viewer, document) ? (["POST"] as const) : [];
        return send(request, reply, pageContent(links, page.rows.map(presentSection), offers));
      },
    },
    post: {
      schema: shapes.creating,
      async handler(request, reply) {
        const id = idIn(request, "id");
        const viewer = await parentWriter(database, request.viewer, id);
        const made = await createSection(context, viewer, id, membersIn(sectionFields, bodyOf(request)));
        reply.code(201);
        const { api } = addressesOf(config, request);
        reply.header("location", `${api}/api/documents/${id}/sections/${made.id}/`);
        return send(request, reply, content(presentSection(made)));
      },
    },
  });

  resourceRoute(app, {
    path: "/api/documents/:id/sections/:section/",
    view: sectionInstance,
    writing: "asked",
    get: {
      schema: shapes.reading,
      async handler(request, reply) {
        const place = placeOf(request);
        const document = await getParent(database, request.viewer, place.document);
        const row = await findSection(database.reader, document.id, place.section);
        if (row === null) throw notFound();
        return send(request, reply, shown(row, mayChangeSections(request.viewer, document)));
      },
    },
    put: {
      schema: shapes.replacing,
      handler: async (request, reply) => send(request, reply, await change(request, "whole")),
    },
    patch: {
      schema: shapes.changing,
      handler: async (request, reply) => send(request, reply, await change(request, "part")),
    },
    delete: {
      schema: shapes.deleting,
      async handler(request, reply) {
        const place = placeOf(request);
        const viewer = await parentWriter(database, request.viewer, place.document);
        await removeSection(context, viewer, place, conditionOf(request));
        return reply.code(204).send();
      },
    },
  });

  async function change(request: FastifyRequest, extent: Extent): Promise<Content> {
    const place = placeOf(request);
    const viewer = await parentWriter(database, request.viewer, place.document);
    const members = membersIn(sectionFields, bodyOf(request));
    const sent = { members, extent, condition: conditionOf(request) };
    return shown(await changeSection(context, viewer, place, sent), true);
  }
}

function shown(row: SectionRow, isOffered: boolean): Content {
  return { ...content(presentSection(row)), offers: isOffered ? ["PUT", "PATCH", "DELETE"] : [] };
}

function conditionOf({ headers }: FastifyRequest): Condition<SectionRow> {
  return { ifMatch: headers["if-match"], tagOf: (row) => content(presentSection(row)).etag };
}

function placeOf(request: FastifyRequest): SectionIds {
  return { document: idIn(request, "id"), section: idIn(request, "section") };
}
