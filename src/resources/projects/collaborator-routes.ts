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
import { queryOf } from "../../http/browsable/view.ts";
import { mayWrite } from "../../http/request/viewer.ts";
import { mayAdminister } from "./access.ts";
import {
  addCollaborator,
  changeCollaborator,
  lockCollaborator,
  removeCollaborator,
} from "./change-collaborators.ts";
import { type CollaboratorRow, findCollaborator, listCollaborators } from "./collaborator-store.ts";
import { findProject } from "./list-store.ts";
import { presentCollaborators } from "./present-collaborators.ts";
import { collaboratorFields, newCollaboratorFields } from "./schema.ts";
import * as shapes from "./schema.ts";
import { collaboratorInstance, collaboratorList } from "./views.ts";

/** The collaborators of a project. For everyone but its admins the list is empty. */
export function collaboratorRoutes(app: FastifyInstance, context: Context): void {
  collaboratorListRoute(app, context);
  collaboratorRoute(app, context);
}

function collaboratorListRoute(app: FastifyInstance, context: Context): void {
  const { database } = context;

  resourceRoute(app, {
    path: "/api/projects/:id/users/",
    view: collaboratorList,
    parent: (request) => administers(context, request),
    get: {
      schema: shapes.listingCollaborators,
      async answer(request, viewer) {
        const id = idIn(request, "id");
        const isAdmin = await administers(context, request);
        const options = { viewer, query: queryOf(request), as: "list" as const };
        return listContent(request, {
          find: async (cursor, limit) =>
            isAdmin
              ? listCollaborators(database, id, cursor, limit)
              : { rows: [], before: false, after: false },
          present: (rows) => presentCollaborators(context, rows, options),
          offers: mayWrite(viewer) && isAdmin ? ["POST"] : [],
        });
      },
    },
    post: {
      schema: shapes.addingCollaborator,
      async answer(request, viewer) {
        const id = idIn(request, "id");
        const members = membersIn(newCollaboratorFields, bodyOf(request));
        const added = await addCollaborator(context, viewer, id, members);
        return new Created(added.id, await contentOf(context, request, added));
      },
    },
  });
}

function collaboratorRoute(app: FastifyInstance, context: Context): void {
  resourceRoute(app, {
    path: "/api/projects/:id/users/:user/",
    view: collaboratorInstance,
    get: {
      schema: shapes.readingCollaborator,
      async answer(request) {
        const { project, user } = idsOf(request);
        const found = (await administers(context, request))
          ? await findCollaborator(context.database.reader, project, user)
          : null;
        if (found === null) throw notFound();
        return contentOf(context, request, found);
      },
    },
    ...itemChanges(context.database, {
      schemas: {
        replacing: shapes.changingCollaborator,
        changing: shapes.changingCollaborator,
        deleting: shapes.removingCollaborator,
      },
      fields: collaboratorFields,
      lock: (writer, viewer, request) => lockCollaborator(writer, context.database, viewer, idsOf(request)),
      // Without the objects that are expanded in it.
      plain: ({ row: { id, access } }) => ({ user: id, access }),
      change: changeCollaborator,
      remove: removeCollaborator,
      shown: ({ row }, _viewer, request) => contentOf(context, request, row),
    }),
  });
}

/** Whether the viewer administers the project. Throws 404 if the viewer may not see it. */
async function administers({ database }: Context, request: FastifyRequest): Promise<boolean> {
  const project = await findProject(database, request.viewer, idIn(request, "id"));
  if (project === null) throw notFound();
  return mayAdminister(request.viewer, project);
}

async function contentOf(context: Context, request: FastifyRequest, row: CollaboratorRow): Promise<Content> {
  const options = { viewer: request.viewer, query: queryOf(request), as: "one" as const };
  const [json] = await presentCollaborators(context, [row], options);
  return content(json, mayWrite(request.viewer) ? ["PUT", "PATCH", "DELETE"] : []);
}

function idsOf(request: FastifyRequest): { project: number; user: number } {
  return { project: idIn(request, "id"), user: idIn(request, "user") };
}
