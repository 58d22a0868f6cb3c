import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Context } from "../../context.ts";
import type { Database } from "../../database/database.ts";
import { notFound } from "../../errors.ts";
import { bodyOf } from "../../http/request/body.ts";
import { Created } from "../../http/answer.ts";
import { listContent } from "../../http/collection.ts";
import { membersIn } from "../../http/fields/fields.ts";
import { flagIn, idsIn, textIn, unknownChoice } from "../../http/request/list-filters.ts";
import { idIn } from "../../http/request/path-parameters.ts";
import type { Query } from "../../http/request/query.ts";
import { type Content, content } from "../../http/response/representation.ts";
import { resourceRoute } from "../../http/resource-route.ts";
import { queryOf } from "../../http/browsable/view.ts";
import { type SignedInViewer, type Viewer, mayWrite } from "../../http/request/viewer.ts";
import { findUnknownUser } from "../users/list-store.ts";
import { mayAdminister } from "./access.ts";
import type { Condition } from "../../http/request/entity-tag.ts";
import { changeProject, createProject, removeProject } from "./change-projects.ts";
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
  projectListRoute(app, context);
  projectRoute(app, context);
}

function projectListRoute(app: FastifyInstance, context: Context): void {
  const { database } = context;

  resourceRoute(app, {
    path: "/api/projects/",
    view: projectList,
    get: {
      schema: shapes.listing,
      async answer(request, viewer) {
        const query = queryOf(request);
        const filters = filtersIn(query);
        await checkChoices(database, viewer, query, filters);
        return listContent(request, {
          find: (cursor, limit) => listProjects(database, viewer, filters, cursor, limit),
          present: (rows) => rows.map((row) => presentProject(row, viewer)),
          offers: mayWrite(viewer) ? ["POST"] : [],
        });
      },
    },
    post: {
      schema: shapes.creating,
      async answer(request, viewer) {
        const row = await createProject(context, viewer, membersIn(newProjectFields, bodyOf(request)));
        return new Created(row.id, projectContent(viewer, row));
      },
    },
  });
}

function projectRoute(app: FastifyInstance, context: Context): void {
  const { database } = context;

  resourceRoute(app, {
    path: "/api/projects/:id/",
    view: projectInstance,
    get: {
      schema: shapes.reading,
      async answer(request, viewer) {
        const row = await findProject(database, viewer, idIn(request, "id"));
        if (row === null) throw notFound();
        return projectContent(viewer, row);
      },
    },
    put: {
      schema: shapes.changing,
      answer: (request, viewer) => change(request, viewer, false),
    },
    patch: {
      schema: shapes.changing,
      answer: (request, viewer) => change(request, viewer, true),
    },
    delete: {
      schema: shapes.deleting,
      answer: async (request, viewer) =>
        removeProject(context, viewer, idIn(request, "id"), conditionOf(request)),
    },
  });

  async function change(request: FastifyRequest, viewer: SignedInViewer, isPart: boolean): Promise<Content> {
    const members = membersIn(projectFields, bodyOf(request));
    const sent = { members, isPart, condition: conditionOf(request) };
    return projectContent(viewer, await changeProject(context, viewer, idIn(request, "id"), sent));
  }
}

async function checkChoices(
  database: Database,
  viewer: Viewer,
  query: Query,
  { user = [], document = [] }: ProjectFilters,
): Promise<void> {
  const unknownUser = await findUnknownUser(database, viewer, user);
  if (unknownUser !== undefined) throw unknownChoice(query, "user", unknownUser);
  const unknownDocument = await findUnknownDocument(database, viewer, document);
  if (unknownDocument !== undefined) throw unknownChoice(query, "document", unknownDocument);
}

function conditionOf({ viewer, headers }: FastifyRequest): Condition<ProjectRow> {
  const tagOf = (row: ProjectRow): string => projectContent(viewer, row).etag;
  return { ifMatch: headers["if-match"], tagOf };
}

function projectContent(viewer: Viewer, row: ProjectRow): Content {
  const mayChange = mayWrite(viewer) && mayAdminister(viewer, row);
  return content(presentProject(row, viewer), mayChange ? ["PUT", "PATCH", "DELETE"] : []);
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
