import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type Catalogue, english } from "../../texts/pages-english.ts";
import { pageTexts } from "../../texts/pages.ts";
import type { Context } from "../../context.ts";
import { permissionDenied } from "../../errors.ts";
import { queryOf } from "../../http/browsable/view.ts";
import { visitedSite } from "../../http/browsable/visited-site.ts";
import { leadToSlash } from "../../http/resource-route.ts";
import { type Html, html } from "../../http/text/html.ts";
import { type SessionViewer, deskOptions, leadToSignIn, sendDesk, sessionViewer } from "./desk-answer.ts";
import { hasMail } from "../../resources/mails/mail-store.ts";
import { type DeskPageView, plainReplacementForm, plainUploadForm, renderDeskPage } from "./desk-page.ts";

/** The pages on which signed-in users upload and edit documents, and the pages for administrators. */
export function deskRoutes(app: FastifyInstance, context: Context): void {
  const { config } = context;
  const { site } = app;

  app.get("/upload/", { schema: {} }, (request, reply) => {
    const viewer = sessionViewer(request);
    const replace = queryOf(request).last("replace") ?? "";
    const next = replace === "" ? site.upload : `${site.api.slice(0, -"/api/".length)}${request.url}`;
    if (viewer === null) return leadToSignIn(request, reply, next);
    if (/^[1-9]\d{0,14}$/.test(replace))
      return send(request, reply, viewer, {
        title: (texts) => texts.replaceFile,
        section: "manage",
        name: "replace",
        options: { replace: Number(replace) },
        withoutScripts: (texts) => plainReplacementForm(site, viewer.csrfToken, Number(replace), texts),
      });
    if (viewer.organization === null)
      throw permissionDenied("You do not belong to an organization, so you cannot upload documents.");
    return send(request, reply, viewer, {
      title: (texts) => texts.upload,
      section: "upload",
      name: "upload",
      withoutScripts: (texts) => plainUploadForm(site, viewer.csrfToken, texts.plainUpload),
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
      withoutScripts: needsScript,
    });
  });
  leadToSlash(app, "/documents/");

  app.get("/redact/", { schema: {} }, (request, reply) => {
    const viewer = sessionViewer(request);
    if (viewer === null)
      return leadToSignIn(request, reply, `${site.api.slice(0, -"/api/".length)}${request.url}`);
    return send(request, reply, viewer, {
      title: (texts) => texts.redactWordsTitle,
      section: "manage",
      name: "redact",
      withoutScripts: needsScript,
    });
  });
  leadToSlash(app, "/redact/");

  app.get("/documents/trash/", { schema: {} }, (request, reply) => {
    const viewer = sessionViewer(request);
    if (viewer === null) return leadToSignIn(request, reply, `${site.manage}trash/`);
    return send(request, reply, viewer, {
      title: (texts) => texts.trash,
      section: "manage",
      name: "trash",
      intro: (texts) =>
        html`<p class="help">
          ${texts.trashHelp(config.trashDays)} <a href="${site.manage}">${texts.manageDocuments}</a>
        </p>`,
      withoutScripts: needsScript,
    });
  });
  leadToSlash(app, "/documents/trash/");

  // The pages for administrators. Everyone else gets the page of an address that does not exist.
  const sendAdminPage = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const viewer = sessionViewer(request);
    const { page = "" } = request.params as { page?: string };
    if (viewer === null || !viewer.isAdministrator || !Object.hasOwn(english.adminPages, page)) {
      reply.callNotFound();
      return reply;
    }
    return send(request, reply, viewer, {
      title: (texts) => texts.adminPages[page] ?? "",
      section: "admin",
      name: `admin-${page}`,
      options: { hasMail: hasMail(config) },
      withoutScripts: needsScript,
    });
  };
  app.get("/admin", { schema: {} }, (request, reply) =>
    sessionViewer(request)?.isAdministrator === true ? reply.redirect(site.admin, 302) : reply.callNotFound(),
  );
  app.get("/admin/", { schema: {} }, sendAdminPage);
  app.get("/admin/:page/", { schema: {} }, sendAdminPage);

  function send(
    request: FastifyRequest,
    reply: FastifyReply,
    viewer: SessionViewer,
    page: Pick<DeskPageView, "section" | "name"> & {
      title: (texts: Catalogue) => string;
      intro?: (texts: Catalogue) => Html;
      withoutScripts: (texts: Catalogue) => Html;
      options?: object;
    },
  ): Promise<FastifyReply> {
    const options = { ...deskOptions(context, request, viewer), ...page.options };
    const visited = visitedSite(request);
    const texts = pageTexts(visited);
    const { section, name, intro } = page;
    const view = {
      site: visited,
      title: page.title(texts),
      section,
      name,
      options,
      ...(intro !== undefined && { intro: intro(texts) }),
      withoutScripts: page.withoutScripts(texts),
    };
    return sendDesk(context, request, reply, renderDeskPage(view));
  }
}

function needsScript({ needsScript: text }: Catalogue): Html {
  return html`<p class="notice">${text}</p>`;
}
