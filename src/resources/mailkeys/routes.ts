import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Context } from "../../context.ts";
import { notFound, permissionDenied } from "../../errors.ts";
import { listContent } from "../../http/collection.ts";
import { membersIn } from "../../http/fields/fields.ts";
import { bodyOf, shortBodyLimit } from "../../http/request/body.ts";
import { idIn } from "../../http/request/path-parameters.ts";
import type { Viewer } from "../../http/request/viewer.ts";
import { resourceRoute } from "../../http/resource-route.ts";
import { mayEditDocumentsOf } from "../documents/access.ts";
import { findProject } from "../projects/list-store.ts";
import { hidePath } from "../unsupported/routes.ts";
import { mailKeyFields } from "./fields.ts";
import { makeMailKey, revokeMailKey } from "./manage-keys.ts";
import * as shapes from "./schema.ts";
import { listRefused } from "./store.ts";
import { ownMailKey, projectMailKey, refusedMailList } from "./views.ts";

export const mailKeyPaths = [
  "/api/users/mailkey/",
  "/api/projects/:id/mailkey/",
  "/api/admin/refused_mails/",
] as const;

/** The keys of addresses to which people mail documents. Until a setting names a domain, nothing is there. */
export function mailKeyRoutes(app: FastifyInstance, context: Context): void {
  const { config, database } = context;
  if (config.mailInDomain === null) return hidePath(app, "/api/users/mailkey/");

  resourceRoute(app, {
    path: "/api/users/mailkey/",
    view: ownMailKey,
    reading: "signed in",
    post: {
      schema: shapes.making,
      bodyLimit: shortBodyLimit,
      isSecret: true,
      answer: async (request, viewer) => ({
        mailkey: await makeMailKey(context, viewer, null, membersIn(mailKeyFields, bodyOf(request))),
      }),
    },
    delete: {
      schema: shapes.revoking,
      answer: (_request, viewer) => revokeMailKey(context, viewer, null),
    },
  });

  resourceRoute(app, {
    path: "/api/projects/:id/mailkey/",
    view: projectMailKey,
    reading: "signed in",
    parent: (request) => getProject(request, request.viewer),
    post: {
      schema: shapes.making,
      bodyLimit: shortBodyLimit,
      isSecret: true,
      async answer(request, viewer) {
        const { id } = await getProject(request, viewer);
        if (!mayEditDocumentsOf(viewer, id)) throw permissionDenied();
        return { mailkey: await makeMailKey(context, viewer, id, membersIn(mailKeyFields, bodyOf(request))) };
      },
    },
    delete: {
      schema: shapes.revoking,
      answer: (request, viewer) => revokeMailKey(context, viewer, idIn(request, "id")),
    },
  });

  resourceRoute(app, {
    path: "/api/admin/refused_mails/",
    view: refusedMailList,
    reading: "hidden",
    get: {
      schema: shapes.listingRefused,
      answer: (request) =>
        listContent(request, {
          find: (cursor, limit) => listRefused(database, cursor, limit),
          present: (rows) => rows,
          way: "descending",
        }),
    },
  });

  async function getProject(request: FastifyRequest, viewer: Viewer) {
    const project = await findProject(database, viewer, idIn(request, "id"));
    if (project === null) throw notFound();
    return project;
  }
}
