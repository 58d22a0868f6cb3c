import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Context } from "../../context.ts";
import { notFound } from "../../errors.ts";
import { queryOf } from "../../http/browsable/view.ts";
import { visitedSite } from "../../http/browsable/visited-site.ts";
import { type Members, formOf, shortBodyLimit, textIn } from "../../http/request/body.ts";
import { leadToSlash } from "../../http/resource-route.ts";
import {
  type SessionViewer,
  formSender,
  leadToSignIn,
  sessionViewer,
} from "../../http/request/session-viewer.ts";
import { mayEditDocumentsOf } from "../../resources/documents/access.ts";
import { makeMailKey, revokeMailKey } from "../../resources/mailkeys/manage-keys.ts";
import { findMailKeys } from "../../resources/mailkeys/store.ts";
import { findProjectsFor } from "../../resources/projects/list-store.ts";
import { pageTexts } from "../../texts/pages.ts";
import { sendUncached } from "../account/form-pages.ts";
import { type NewAddress, renderMailKeysPage } from "./mail-key-pages.ts";

export const mailKeyPagePaths = ["/account/mail/", "/account/mail/revoke/"] as const;

/** The page on which people make and revoke the addresses to which they mail documents. It needs a session. */
export function mailKeyPageRoutes(app: FastifyInstance, context: Context): void {
  if (context.config.mailInDomain === null) return;
  const path = `${app.site.account}mail/`;

  app.get("/account/mail/", { schema: {} }, async (request, reply) => {
    const viewer = sessionViewer(request);
    if (viewer !== null) return sendList(context, viewer, request, reply, null);
    const next = `${path}${queryOf(request).asSent()}`;
    return leadToSignIn(reply, next);
  });
  leadToSlash(app, "/account/mail/");

  app.post("/account/mail/", { schema: {}, bodyLimit: shortBodyLimit }, async (request, reply) => {
    const viewer = formSender(request);
    const project = projectIn(request);
    if (project !== null && !mayEditDocumentsOf(viewer, project)) throw notFound();
    const key = await makeMailKey(context, viewer, project, membersOf(request));
    return sendList(context, viewer, request, reply, {
      project,
      address: `${key}@${context.config.mailInDomain}`,
    });
  });

  app.post("/account/mail/revoke/", { schema: {}, bodyLimit: shortBodyLimit }, async (request, reply) => {
    await revokeMailKey(context, formSender(request), projectIn(request));
    return reply.redirect(`${path}?done=revoked`, 303);
  });
}

/** The person's own address, and one for each project to which they may add documents, or for which they have a key. */
async function sendList(
  { database }: Pick<Context, "database">,
  viewer: SessionViewer,
  request: FastifyRequest,
  reply: FastifyReply,
  made: NewAddress | null,
): Promise<FastifyReply> {
  const site = visitedSite(request);
  const query = queryOf(request);
  const keys = await findMailKeys(database.reader, viewer.id);
  const editable = [...viewer.projects.keys()].filter((id) => mayEditDocumentsOf(viewer, id));
  const named = keys.flatMap(({ project_id: id }) => (id === null ? [] : [id]));
  const projects = await findProjectsFor(database, viewer, [...new Set([...editable, ...named])]);
  const titled = [...projects.values()].toSorted((one, other) => one.title.localeCompare(other.title));
  const page = renderMailKeysPage({
    site,
    csrfToken: viewer.csrfToken,
    subjects: [null, ...titled.map(({ id, title }) => ({ id, title }))].map((project) => ({
      project,
      key: keys.find(({ project_id: id }) => id === (project?.id ?? null)) ?? null,
      mayMake: project === null || editable.includes(project.id),
    })),
    made,
    done: query.last("done") === "revoked" ? pageTexts(site).mailkeys.revoked : null,
  });
  return sendUncached(reply, site.home, page);
}

/** Null without a project. @throws {ApiError} 404 for what cannot be an id. */
function projectIn(request: FastifyRequest): number | null {
  const sent = textIn(request, "project");
  if (sent === "") return null;
  if (!/^\d{1,15}$/.test(sent)) throw notFound();
  return Number(sent);
}

function membersOf(request: FastifyRequest): Members {
  const access = formOf(request).get("access")?.at(-1);
  return new Map(access === undefined ? [] : [["access", access]]);
}
