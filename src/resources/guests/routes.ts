import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Context } from "../../context.ts";
import { Created } from "../../http/answer.ts";
import { listContent } from "../../http/collection.ts";
import { membersIn } from "../../http/fields/fields.ts";
import { bodyOf } from "../../http/request/body.ts";
import type { SignedInViewer } from "../../http/request/viewer.ts";
import { resourceRoute } from "../../http/resource-route.ts";
import { content } from "../../http/response/representation.ts";
import { addressesOf } from "../../http/text/addresses.ts";
import { uuidIn } from "../../http/request/path-parameters.ts";
import { queryOf } from "../../http/browsable/view.ts";
import { idsIn, unknownChoice } from "../../http/request/list-filters.ts";
import { mayShareDocument } from "./access.ts";
import { guestLinkFields } from "./fields.ts";
import { createGuestLink, getLink, revokeLink } from "./manage-links.ts";
import { presentGuestLink } from "./present.ts";
import * as shapes from "./schema.ts";
import { listGuestLinks } from "./store.ts";
import { guestLinkInstance, guestLinkList } from "./views.ts";

const reading = "signed in";

/** Links for guests: the viewer's, and those to documents that the viewer may share. */
export function guestLinkRoutes(app: FastifyInstance, context: Context): void {
  resourceRoute(app, {
    path: "/api/guest_links/",
    view: guestLinkList,
    reading,
    get: {
      schema: shapes.listing,
      async answer(request, viewer) {
        const { database } = context;
        const query = queryOf(request);
        const document = idsIn(query, "document")?.at(-1);
        if (document !== undefined && !(await mayShareDocument(database, viewer, document)))
          throw unknownChoice(query, "document", document);
        return listContent(request, {
          find: (cursor, limit) => listGuestLinks(database, viewer, { document }, cursor, limit),
          present: (rows) => rows.map(presentGuestLink),
          offers: viewer.mayWrite ? ["POST"] : [],
          way: "descending",
        });
      },
    },
    post: {
      schema: shapes.creating,
      isSecret: true,
      async answer(request, viewer) {
        const members = membersIn(guestLinkFields, bodyOf(request));
        const { row, secret } = await createGuestLink(context, viewer, members);
        const link = guestAddress(context, request, secret);
        return new Created(row.uuid, content({ ...presentGuestLink(row), link }));
      },
    },
  });

  resourceRoute(app, {
    path: "/api/guest_links/:uuid/",
    parameters: shapes.parameters,
    view: guestLinkInstance,
    reading,
    get: {
      schema: shapes.reading,
      answer: async (request, viewer) => contentOf(request, viewer),
    },
    delete: {
      schema: shapes.revoking,
      answer: (request, viewer) => revokeLink(context, viewer, uuidIn(request)),
    },
  });

  async function contentOf(request: FastifyRequest, viewer: SignedInViewer) {
    const row = await getLink(context, viewer, uuidIn(request));
    return content(presentGuestLink(row), viewer.mayWrite ? ["DELETE"] : []);
  }
}

/** The link with this secret. The query of an address is in no log of Quire. */
export function guestAddress(
  { config }: Pick<Context, "config">,
  request: FastifyRequest,
  secret: string,
): string {
  return `${addressesOf(config, request).web}/guest/?link=${secret}`;
}
