import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Context } from "../../context.ts";
import { notFound } from "../../errors.ts";
import { Created } from "../../http/answer.ts";
import { itemChanges, listContent } from "../../http/collection.ts";
import { bodyOf } from "../../http/request/body.ts";
import { membersIn } from "../../http/fields/fields.ts";
import { idIn } from "../../http/request/path-parameters.ts";
import { type Content, content } from "../../http/response/representation.ts";
import { resourceRoute } from "../../http/resource-route.ts";
import { getParent, parentWriter } from "../documents/parent-document.ts";
import { mayChangeSections } from "./access.ts";
import { changeSection, createSection, lockSection } from "./change-sections.ts";
import { sectionFields } from "./fields.ts";
import { presentSection } from "./present.ts";
import { operations } from "./schema.ts";
import { type SectionRow, findSection, listSections, sectionRows } from "./store.ts";
import { sectionInstance, sectionList } from "./views.ts";

/** The sections of a document, which are its table of contents. */
export function sectionRoutes(app: FastifyInstance, { database }: Context): void {
  resourceRoute(app, {
    path: "/api/documents/:id/sections/",
    view: sectionList,
    writing: "checked by handler",
    get: {
      schema: operations.listing,
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
      schema: operations.creating,
      async answer(request) {
        const id = idIn(request, "id");
        const viewer = await parentWriter(database, request.viewer, id);
        const row = await createSection(database, viewer, id, membersIn(sectionFields, bodyOf(request)));
        return new Created(row.id, content(presentSection(row)));
      },
    },
  });

  resourceRoute(app, {
    path: "/api/documents/:id/sections/:section/",
    view: sectionInstance,
    writing: "checked by handler",
    get: {
      schema: operations.reading,
      async answer(request, viewer) {
        const ids = idsOf(request);
        const document = await getParent(database, viewer, ids.document);
        const row = await findSection(database.reader, document.id, ids.section);
        if (row === null) throw notFound();
        return contentOf(row, mayChangeSections(viewer, document));
      },
    },
    ...itemChanges(database, {
      schemas: operations,
      fields: sectionFields,
      before: (request) => parentWriter(database, request.viewer, idsOf(request).document),
      lock: (writer, viewer, request) => lockSection(writer, database, viewer, idsOf(request)),
      plain: ({ row }) => presentSection(row),
      change: changeSection,
      remove: (writer, { row }) => sectionRows.remove(writer, row),
      shown: ({ row }) => contentOf(row, true),
    }),
  });
}

function contentOf(row: SectionRow, isOffered: boolean): Content {
  return content(presentSection(row), isOffered ? ["PUT", "PATCH", "DELETE"] : []);
}

function idsOf(request: FastifyRequest): { document: number; section: number } {
  return { document: idIn(request, "id"), section: idIn(request, "section") };
}
