import type { FastifyInstance } from "fastify";
import { DocumentFamily } from "../../../contract/family.ts";
import type { Context } from "../../../context.ts";
import { ownAddress } from "../../../http/answer.ts";
import { type View, queryOf } from "../../../http/browsable/view.ts";
import { integerParameter } from "../../../http/fields/schema-shapes.ts";
import { resourceRoute } from "../../../http/resource-route.ts";
import { addressesOf } from "../../../http/text/addresses.ts";
import { documentIn } from "../file-routes.ts";
import { documentAddress } from "../present.ts";
import { type ChildRow, findChildren, findContainers, findContainment } from "./family-store.ts";
import { countRedacted } from "./parts-store.ts";
import { findThread } from "./thread-store.ts";

/** How many children an answer has, and a page shows. */
export const childrenShown = 100;

const view: View = {
  name: "Document Family",
  description:
    "The documents around this one, such as the mail that it is attached to, those in it, and its conversation.",
};

const reading = {
  summary: "What a document is part of, the documents in it, and the conversation of a mail",
  query: { after: integerParameter("the position after which the children begin", { minimum: 0 }) },
  gives: DocumentFamily,
};

export function familyRoutes(app: FastifyInstance, { config, database }: Context): void {
  resourceRoute(app, {
    path: "/api/documents/:id/family/",
    view,
    get: {
      schema: reading,
      async answer(request, viewer) {
        const document = await documentIn(request, database);
        const { id } = document;
        const query = queryOf(request);
        const after = /^\d{1,9}$/.test(query.last("after") ?? "") ? Number(query.last("after")) : -1;
        const { web } = addressesOf(config, request);
        const containment = await findContainment(database.reader, id);
        const containers = await findContainers(database, viewer, id);
        const { children, next } = await findChildren(database, viewer, id, { after, limit: childrenShown });
        const thread = await findThread(database, viewer, document);
        const following = next === null ? null : query.with("after", String(next)).toString();
        return {
          containers: containers.map((row) => ({
            id: row.id,
            title: row.title,
            canonical_url: documentAddress(web, row),
          })),
          path: containment?.path ?? null,
          position: containment?.position ?? null,
          children: children.map((child) => presentChild(child, web)),
          next: following === null ? null : `${ownAddress(request)}${following}`,
          redaction: await countRedacted(database.reader, id),
          thread: thread.map(({ row, from, date, isGuessed: is_guessed }) => {
            const canonical_url = documentAddress(web, row);
            return { id: row.id, title: row.title, canonical_url, from: [...from], date, is_guessed };
          }),
        } satisfies DocumentFamily;
      },
    },
  });
}

function presentChild(
  { row, path, position, bytes, children }: ChildRow,
  web: string,
): DocumentFamily["children"][number] {
  return {
    id: row.id,
    title: row.title,
    canonical_url: documentAddress(web, row),
    path,
    position,
    bytes,
    original_extension: row.original_extension,
    page_count: row.page_count,
    status: row.status as DocumentFamily["children"][number]["status"],
    children,
  };
}
