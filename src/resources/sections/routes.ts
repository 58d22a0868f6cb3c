import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Context } from "../../context.ts";
import { notFound } from "../../errors.ts";
import { Created } from "../../http/answer.ts";
import { itemOperations, listContent } from "../../http/collection.ts";
import { bodyOf } from "../../http/request/body.ts";
import { type Extent, membersIn } from "../../http/fields/fields.ts";
import { idIn } from "../../http/request/path-parameters.ts";
import { type Content, content } from "../../http/response/representation.ts";
import { resourceRoute } from "../../http/resource-route.ts";
import type { Viewer } from "../../http/request/viewer.ts";
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
  const { database } = context;

  resourceRoute(app, {
    path: "/api/documents/:id/sections/",
    view: sectionList,
    writing: "checked by handler",
    get: {
      schema: shapes.listing,
      async answer(request, viewer) {
        const document = await getParent(database, viewer, idIn(request, "id"));
        return listContent(request, {
          find: (cursor, limit) => listSections(database, document.id, cursor, limit),
          present: (rows) => rows.map(presentSection),
          offers: mayChangeSections(viewer, document) ? ["POST"] : [],
        });
      },
    },
    post: {
      schema: shapes.creating,
      async answer(request) {
        const id = idIn(request, "id");
        const viewer = await parentWriter(database, request.viewer, id);
        const row = await createSection(context, viewer, id, membersIn(sectionFields, bodyOf(request)));
        return new Created(row.id, content(presentSection(row)));
      },
    },
  });

  resourceRoute(app, {
    path: "/api/documents/:id/sections/:section/",
    view: sectionInstance,
    writing: "checked by handler",
    get: {
      schema: shapes.reading,
      async answer(request, viewer) {
        const ids = idsOf(request);
        const document = await getParent(database, viewer, ids.document);
        const row = await findSection(database.reader, document.id, ids.section);
        if (row === null) throw notFound();
        return contentOf(row, mayChangeSections(viewer, document));
      },
    },
    ...itemOperations({ schemas: shapes, change, remove }),
  });

  async function change(request: FastifyRequest, _viewer: Viewer, extent: Extent): Promise<Content> {
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
  return content(presentSection(row), isOffered ? ["PUT", "PATCH", "DELETE"] : []);
}

function conditionOf({ headers }: FastifyRequest): Condition<SectionRow> {
  return { ifMatch: headers["if-match"], tagOf: (row) => content(presentSection(row)).etag };
}

function idsOf(request: FastifyRequest): SectionIds {
  return { document: idIn(request, "id"), section: idIn(request, "section") };
}
