import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Catalogue } from "../../texts/pages-english.ts";
import { pageTexts } from "../../texts/pages.ts";
import type { Context } from "../../context.ts";
import { permissionDenied } from "../../errors.ts";
import { visitedSite } from "../../http/browsable/visited-site.ts";
import { leadToSlash } from "../../http/resource-route.ts";
import { html } from "../../http/text/html.ts";
import { type SessionViewer, deskOptions, leadToSignIn, sendDesk, sessionViewer } from "./desk-answer.ts";
import { type DeskPageView, plainUploadForm, renderDeskPage } from "./desk-page.ts";

/** The pages on which signed-in users upload and edit documents. */
export function deskRoutes(app: FastifyInstance, context: Context): void {
  const { site } = app;

  app.get("/upload/", { schema: {} }, (request, reply) => {
    const viewer = sessionViewer(request);
    if (viewer === null) return leadToSignIn(request, reply, site.upload);
    if (viewer.organization === null)
      throw permissionDenied("You do not belong to an organization, so you cannot upload documents.");
    return send(request, reply, viewer, {
      title: (texts) => texts.upload,
      section: "upload",
      name: "upload",
      withoutScripts: plainUploadForm(site, viewer.csrfToken),
    });
  });
  leadToSlash(app, "/upload/");

  app.get("/documents/", { schema: {} }, (request, reply) => {
    const viewer = sessionViewer(request);
    if (viewer === null) return leadToSignIn(request, reply, site.manage);
    return send(request, reply, viewer, {
      title: (texts) => texts.manageDocuments,
      section: "manage",
      name: "documents",
      withoutScripts: html`<p class="notice">This page needs JavaScript.</p>`,
    });
  });
  leadToSlash(app, "/documents/");

  function send(
    request: FastifyRequest,
    reply: FastifyReply,
    viewer: SessionViewer,
    page: Pick<DeskPageView, "section" | "name" | "withoutScripts"> & {
      title: (texts: Catalogue) => string;
    },
  ): Promise<FastifyReply> {
    const options = deskOptions(context, request, viewer);
    const visited = visitedSite(request);
    return sendDesk(
      context,
      request,
      reply,
      renderDeskPage({ ...page, title: page.title(pageTexts(visited)), site: visited, options }),
    );
  }
}
