import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Context } from "../../context.ts";
import { notFound } from "../../errors.ts";
import { addressesOf } from "../../http/text/addresses.ts";
import { bodyOf } from "../../http/request/body.ts";
import { decodeCursor } from "../../http/request/cursor.ts";
import { membersIn } from "../../http/fields/fields.ts";
import { flagIn, idsIn, textIn, unknownChoice } from "../../http/request/list-filters.ts";
import { idNeighbours, pageLinks, perPage } from "../../http/request/pagination.ts";
import { idIn } from "../../http/request/path-parameters.ts";
import type { Query } from "../../http/request/query.ts";
import { type Content, content, pageContent, send } from "../../http/response/representation.ts";
import { resourceRoute } from "../../http/resource-route.ts";
import { queryOf } from "../../http/browsable/view.ts";
import { type Viewer, mayWrite, writing } from "../../http/request/viewer.ts";
import { findUnknownUser } from "../users/list-store.ts";
import { mayAdminister } from "./access.ts";
import { type Condition, changeProject, createProject, removeProject } from "./change-projects.ts";
import {
  type ProjectFilters,
  type ProjectRow,
  findProject,
  findUnknownDocument,
  listProjects,
} from "./list-store.ts";
import { presentProject } from "./present.ts";
import { newProjectFields, projectFields } from "./schema.ts";
import * as shapes from "./schema.ts";
import { projectInstance, projectList } from "./views.ts";

export function projectRoutes(app: FastifyInstance, context: Context): void {
  const { config, database } = context;

  resourceRoute(app, {
    path: "/api/projects/",
    view: projectList,
    get: {
      schema: shapes.listing,
      async handler(request, reply) {
        const { viewer } = request;
        const query = queryOf(request);
        const filters = filtersIn(query);
        await checkChoices(viewer, query, filters);
        const cursor = decodeCursor(query.last("cursor"), null);
        const page = await listProjects(database, viewer, filters, cursor, perPage(query));
        const address = `${addressesOf(config, request).api}/api/projects/`;
        const links = pageLinks(address, query, idNeighbours(page, cursor));
        const results = page.rows.map((row) => presentProject(row, viewer));
        return send(request, reply, await pageContent(links, results, mayWrite(viewer) ? ["POST"] : []));
      },
    },
    post: {
      schema: shapes.creating,
      async handler(request, reply) {
        const viewer = writing(request.viewer);
        const row = await createProject(context, viewer, membersIn(newProjectFields, bodyOf(request)));
        reply.code(201);
        reply.header("location", `${addressesOf(config, request).api}/api/projects/${row.id}/`);
        return send(request, reply, projectContent(viewer, row));
      },
    },
  });

  resourceRoute(app, {
    path: "/api/projects/:id/",
    view: projectInstance,
    get: {
      schema: shapes.reading,
      async handler(request, reply) {
        const row = await findProject(database, request.viewer, idIn(request, "id"));
        if (row === null) throw notFound();
        return send(request, reply, projectContent(request.viewer, row));
      },
    },
    put: {
      schema: shapes.changing,
      handler: async (request, reply) => send(request, reply, await change(request, false)),
    },
    patch: {
      schema: shapes.changing,
      handler: async (request, reply) => send(request, reply, await change(request, true)),
    },
    delete: {
      schema: shapes.deleting,
      async handler(request, reply) {
        const viewer = writing(request.viewer);
        await removeProject(context, viewer, idIn(request, "id"), conditionOf(request));
        return reply.code(204).send();
      },
    },
  });

  async function change(request: FastifyRequest, isPart: boolean): Promise<Content> {
    const viewer = writing(request.viewer);
    const members = membersIn(projectFields, bodyOf(request));
    const sent = { members, isPart, condition: conditionOf(request) };
    return projectContent(viewer, await changeProject(context, viewer, idIn(request, "id"), sent));
  }

  async function checkChoices(
    viewer: Viewer,
    query: Query,
    { user = [], document = [] }: ProjectFilters,
  ): Promise<void> {
    const unknownUser = await findUnknownUser(database, viewer, user);
    if (unknownUser !== undefined) throw unknownChoice(query, "user", unknownUser);
    const unknownDocument = await findUnknownDocument(database, viewer, document);
    if (unknownDocument !== undefined) throw unknownChoice(query, "document", unknownDocument);
  }
}

function conditionOf({ viewer, headers }: FastifyRequest): Condition<ProjectRow> {
  const tagOf = (row: ProjectRow): string => projectContent(viewer, row).etag;
  return { ifMatch: headers["if-match"], tagOf };
}

function projectContent(viewer: Viewer, row: ProjectRow): Content {
  const mayChange = mayWrite(viewer) && mayAdminister(viewer, row);
  return {
    ...content(presentProject(row, viewer)),
    offers: mayChange ? ["PUT", "PATCH", "DELETE"] : [],
  };
}

function filtersIn(query: Query): ProjectFilters {
  const invalid = "“%s” is not a valid value.";
  return {
    ids: idsIn(query, "id__in"),
    user: idsIn(query, "user", invalid),
    document: idsIn(query, "document", invalid),
    query: textIn(query, "query"),
    pinned: flagIn(query, "pinned"),
    private: flagIn(query, "private"),
    isShared: flagIn(query, "is_shared"),
    isOwn: flagIn(query, "owned_by_user"),
    slug: textIn(query, "slug"),
    title: textIn(query, "title"),
  };
}
