import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Context } from "../../context.ts";
import { notFound, permissionDenied, preconditionFailed } from "../../errors.ts";
import { bodyOf } from "../../http/request/body.ts";
import { listContent } from "../../http/collection.ts";
import { isAmong } from "../../http/request/entity-tag.ts";
import { readExpansion, readSelection } from "../../http/request/expansion.ts";
import { type Extent, membersIn, readFields } from "../../http/fields/fields.ts";
import { idsIn, textIn, unknownChoice, uuidIn } from "../../http/request/list-filters.ts";
import { idIn } from "../../http/request/path-parameters.ts";
import type { Query } from "../../http/request/query.ts";
import { type Content, content } from "../../http/response/representation.ts";
import { resourceRoute } from "../../http/resource-route.ts";
import { queryOf } from "../../http/browsable/view.ts";
import type { SignedInViewer } from "../../http/request/viewer.ts";
import { mayChange } from "./access.ts";
import { chooseOrganization } from "./choose-organization.ts";
import { presentUsers } from "./expand.ts";
import {
  type UserFilters,
  findUnknownOrganization,
  findUnknownProject,
  findUser,
  listUsers,
} from "./list-store.ts";
import * as shapes from "./schema.ts";
import { userInstance, userList } from "./views.ts";

/** Users, for signed-in viewers only. `me` is the viewer. */
export function userRoutes(app: FastifyInstance, context: Context): void {
  userListRoute(app, context);
  userInstanceRoutes(app, context);
}

function userListRoute(app: FastifyInstance, { database }: Context): void {
  resourceRoute(app, {
    path: "/api/users/",
    view: userList,
    reading: "signed in",
    get: {
      schema: shapes.listing,
      async answer(request, viewer) {
        const query = queryOf(request);
        const filters = filtersIn(query);
        await checkChoices(viewer, query, filters);
        const expansion = readExpansion(query, ["organization"]);
        const selection = readSelection(query);
        return listContent(request, {
          find: (cursor, limit) => listUsers(database, viewer, filters, cursor, limit),
          present: async (rows) =>
            (await presentUsers(database, viewer, rows, expansion)).map((user) => selection.of(user)),
        });
      },
    },
  });

  async function checkChoices(
    viewer: SignedInViewer,
    query: Query,
    { organization = [], project = [] }: UserFilters,
  ): Promise<void> {
    const unknown = await findUnknownOrganization(database, viewer, organization);
    if (unknown !== undefined) throw unknownChoice(query, "organization", unknown);
    const unknownProject = await findUnknownProject(database, viewer, project);
    if (unknownProject !== undefined) throw unknownChoice(query, "project", unknownProject);
  }
}

function userInstanceRoutes(app: FastifyInstance, context: Context): void {
  const { database } = context;

  resourceRoute(app, {
    path: "/api/users/me/",
    view: userInstance,
    reading: "signed in",
    get: {
      schema: shapes.readingMe,
      answer: (request, viewer) => contentOf(request, viewer, viewer.id, true),
    },
    put: {
      schema: shapes.changingMe,
      answer: (request, viewer) => change(request, viewer, viewer.id, "whole"),
    },
    patch: {
      schema: shapes.changingMe,
      answer: (request, viewer) => change(request, viewer, viewer.id, "part"),
    },
  });

  resourceRoute(app, {
    path: "/api/users/:id/",
    view: userInstance,
    reading: "signed in",
    get: {
      schema: shapes.reading,
      answer: (request, viewer) => contentOf(request, viewer, idIn(request, "id"), false),
    },
    put: {
      schema: shapes.changing,
      answer: (request, viewer) => change(request, viewer, idIn(request, "id"), "whole"),
    },
    patch: {
      schema: shapes.changing,
      answer: (request, viewer) => change(request, viewer, idIn(request, "id"), "part"),
    },
  });

  async function contentOf(
    request: FastifyRequest,
    viewer: SignedInViewer,
    id: number,
    isMe: boolean,
  ): Promise<Content> {
    const row = await findUser(database, viewer, id);
    if (row === null) throw notFound();
    const query = queryOf(request);
    const expansion = readExpansion(query, "any");
    const inDetail = request.method === "GET" || request.method === "HEAD";
    const [user = {}] = await presentUsers(database, viewer, [row], expansion, { inDetail, isMe });
    const offers = viewer.mayWrite && mayChange(viewer, id) ? (["PUT", "PATCH"] as const) : [];
    return content(readSelection(query).of(user), offers);
  }

  async function change(request: FastifyRequest, viewer: SignedInViewer, id: number, extent: Extent) {
    const isMe = request.url.startsWith("/api/users/me/");
    const { etag } = await contentOf(request, viewer, id, isMe);
    if (!mayChange(viewer, id)) throw permissionDenied();
    const ifMatch = request.headers["if-match"];
    if (ifMatch !== undefined && !isAmong(etag, ifMatch)) throw preconditionFailed();
    const fields = shapes.userFields;
    const { organization } = readFields(fields, membersIn(fields, bodyOf(request)), extent);
    if (organization !== undefined) await chooseOrganization(context, id, organization);
    return contentOf(request, viewer, id, isMe);
  }
}

function filtersIn(query: Query): UserFilters {
  return {
    ids: idsIn(query, "id__in"),
    organization: idsIn(query, "organization", "“%s” is not a valid value."),
    project: idsIn(query, "project", "“%s” is not a valid value."),
    username: textIn(query, "username"),
    uuid: uuidIn(query, "uuid"),
    name: textIn(query, "name"),
    nameStart: textIn(query, "name__istartswith"),
  };
}
