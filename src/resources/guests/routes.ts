import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Context } from "../../context.ts";
import { Created } from "../../http/answer.ts";
import { listContent } from "../../http/collection.ts";
import { membersIn } from "../../http/fields/fields.ts";
import { bodyOf } from "../../http/request/body.ts";
import type { SignedInViewer } from "../../http/request/viewer.ts";
import { isAdministrator, resourceRoute } from "../../http/resource-route.ts";
import { content } from "../../http/response/representation.ts";
import { addressesOf } from "../../http/text/addresses.ts";
import { uuidIn } from "../../http/request/path-parameters.ts";
import type { Query } from "../../http/request/query.ts";
import { permissionDenied } from "../../errors.ts";
import { queryOf } from "../../http/browsable/view.ts";
import { idsIn, unknownChoice } from "../../http/request/list-filters.ts";
import { mayShareDocument, mayShareProject } from "./access.ts";
import { guestLinkFields } from "./fields.ts";
import { createGuestLink, getLink, revokeLink } from "./manage-links.ts";
import { presentGuestLink } from "./present.ts";
import * as shapes from "./schema.ts";
import { type LinksChoice, listGuestLinks } from "./store.ts";
import { guestLinkInstance, guestLinkList } from "./views.ts";

const reading = "signed in";

/** Links for guests: the viewer's, those to what the viewer may share, and for administrators all. */
export function guestLinkRoutes(app: FastifyInstance, context: Context): void {
  resourceRoute(app, {
    path: "/api/guest_links/",
    view: guestLinkList,
    reading,
    get: {
      schema: shapes.listing,
      async answer(request, viewer) {
        const choice = await choiceIn(context, viewer, queryOf(request));
        return listContent(request, {
          find: (cursor, limit) => listGuestLinks(context.database, viewer, choice, cursor, limit),
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

/**
 * Whose links the query of a request names.
 * @throws {ApiError} 400 for a document or a project that the viewer may not share, 403 for everyone's.
 */
export async function choiceIn(
  { database }: Pick<Context, "database">,
  viewer: SignedInViewer,
  query: Query,
): Promise<LinksChoice> {
  const document = idsIn(query, "document")?.at(-1);
  const project = idsIn(query, "project")?.at(-1);
  if (document !== undefined) {
    if (await mayShareDocument(database, viewer, document)) return { of: "document", id: document };
    throw unknownChoice(query, "document", document);
  }
  if (project !== undefined) {
    if (await mayShareProject(database, viewer, project)) return { of: "project", id: project };
    throw unknownChoice(query, "project", project);
  }
  if (query.last("everyone") !== "true") return { of: "viewer" };
  if (!isAdministrator(viewer)) throw permissionDenied();
  return { of: "everyone" };
}

/** The link with this secret. The query of an address is in no log of Quire. */
export function guestAddress(
  { config }: Pick<Context, "config">,
  request: FastifyRequest,
  secret: string,
): string {
  return `${addressesOf(config, request).web}/guest/?link=${secret}`;
}
