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
import { guestLinkFields } from "./fields.ts";
import { createGuestLink, getOwnLink, revokeOwnLink } from "./manage-links.ts";
import { presentGuestLink } from "./present.ts";
import * as shapes from "./schema.ts";
import { listGuestLinks } from "./store.ts";
import { guestLinkInstance, guestLinkList } from "./views.ts";

const reading = "signed in";

/** The viewer's links for guests. */
export function guestLinkRoutes(app: FastifyInstance, context: Context): void {
  resourceRoute(app, {
    path: "/api/guest_links/",
    view: guestLinkList,
    reading,
    get: {
      schema: shapes.listing,
      answer: (request, viewer) =>
        listContent(request, {
          find: (cursor, limit) => listGuestLinks(context.database, viewer, cursor, limit),
          present: (rows) => rows.map(presentGuestLink),
          offers: viewer.mayWrite ? ["POST"] : [],
          way: "descending",
        }),
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
      answer: (request, viewer) => revokeOwnLink(context, viewer, uuidIn(request)),
    },
  });

  async function contentOf(request: FastifyRequest, viewer: SignedInViewer) {
    const row = await getOwnLink(context, viewer, uuidIn(request));
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
