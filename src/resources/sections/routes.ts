import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Context } from "../../context.ts";
import { notFound } from "../../errors.ts";
import { itemOperations, listContent, sendCreated } from "../../http/collection.ts";
import { addressesOf } from "../../http/text/addresses.ts";
import { bodyOf } from "../../http/request/body.ts";
import { type Extent, membersIn } from "../../http/fields/fields.ts";
import { idIn } from "../../http/request/path-parameters.ts";
import { type Content, content, send } from "../../http/response/representation.ts";
import { resourceRoute } from "../../http/resource-route.ts";
import { getParent, parentWriter } from "../documents/parent-document.ts";
import type { Condition } from "../projects/change-projects.ts";
import { mayChangeSections } from "./access.ts";
import { type SectionIds, changeSection, createSection, removeSection } from "./change-sections.ts";
import { sectionFields } from "./fields.ts";
import { presentSection } from "./present.ts";
import * as shapes from "./schema.ts";
import { type SectionRow, findSection, listSections } from "./store.ts";
import { sectionInstance, sectionList } from "./views.ts";

/** The sections of a document, which are its table of contents. */
export function sectionRoutes(app: FastifyInstance, context: Context): void {
  const { config, database } = context;

  resourceRoute(app, {
    path: "/api/documents/:id/sections/",
    view: sectionList,
    writing: "checked by handler",
    get: {
      schema: shapes.listing,
      async handler(request, reply) {
        const document = await getParent(database, request.viewer, idIn(request, "id"));
        const page = await listContent(request, {
          address: `${addressesOf(config, request).api}/api/documents/${document.id}/sections/`,
          find: (cursor, limit) => listSections(database, document.id, cursor, limit),
          present: (rows) => rows.map(presentSection),
          offers: mayChangeSections(request.viewer, document) ? ["POST"] : [],
        });
        return send(request, reply, page);
      },
    },
    post: {
      schema: shapes.creating,
      async handler(request, reply) {
        const id = idIn(request, "id");
        const viewer = await parentWriter(database, request.viewer, id);
        const created = await createSection(context, viewer, id, membersIn(sectionFields, bodyOf(request)));
        const { api } = addressesOf(config, request);
        const location = `${api}/api/documents/${id}/sections/${created.id}/`;
        return sendCreated(request, reply, location, content(presentSection(created)));
      },
    },
  });

  resourceRoute(app, {
    path: "/api/documents/:id/sections/:section/",
    view: sectionInstance,
    writing: "checked by handler",
    get: {
      schema: shapes.reading,
      async handler(request, reply) {
        const ids = idsOf(request);
        const document = await getParent(database, request.viewer, ids.document);
        const row = await findSection(database.reader, document.id, ids.section);
        if (row === null) throw notFound();
        return send(request, reply, contentOf(row, mayChangeSections(request.viewer, document)));
      },
    },
    ...itemOperations({ schemas: shapes, change, remove }),
  });

  async function change(request: FastifyRequest, extent: Extent): Promise<Content> {
    const ids = idsOf(request);
    const viewer = await parentWriter(database, request.viewer, ids.document);
    const members = membersIn(sectionFields, bodyOf(request));
    const sent = { members, extent, condition: conditionOf(request) };
    return contentOf(await changeSection(context, viewer, ids, sent), true);
  }

  async function remove(request: FastifyRequest): Promise<void> {
    const ids = idsOf(request);
    const viewer = await parentWriter(database, request.viewer, ids.document);
    await removeSection(context, viewer, ids, conditionOf(request));
  }
}

function contentOf(row: SectionRow, isOffered: boolean): Content {
  return { ...content(presentSection(row)), offers: isOffered ? ["PUT", "PATCH", "DELETE"] : [] };
}

function conditionOf({ headers }: FastifyRequest): Condition<SectionRow> {
  return { ifMatch: headers["if-match"], tagOf: (row) => content(presentSection(row)).etag };
}

function idsOf(request: FastifyRequest): SectionIds {
  return { document: idIn(request, "id"), section: idIn(request, "section") };
}
