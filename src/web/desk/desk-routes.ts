import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Catalogue } from "../../texts/pages-english.ts";
import { pageTexts } from "../../texts/pages.ts";
import type { Context } from "../../context.ts";
import { permissionDenied } from "../../errors.ts";
import { queryOf } from "../../http/browsable/view.ts";
import { visitedSite } from "../../http/browsable/visited-site.ts";
import { leadToSlash } from "../../http/resource-route.ts";
import { html } from "../../http/text/html.ts";
import { type SessionViewer, deskOptions, leadToSignIn, sendDesk, sessionViewer } from "./desk-answer.ts";
import { hasMail } from "../../resources/mails/mail-store.ts";
import { type DeskPageView, plainReplacementForm, plainUploadForm, renderDeskPage } from "./desk-page.ts";

/** The titles of the pages for administrators, by the last part of their address. */
const adminPages: ReadonlyMap<string, string> = new Map([
  ["", "Administration"],
  ["people", "People"],
  ["organizations", "Organizations"],
  ["queue", "Queue"],
  ["storage", "Storage"],
  ["checks", "Checks"],
  ["sign-ins", "Sign-ins"],
  ["settings", "Settings"],
  ["mail", "Mail"],
]);

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
        withoutScripts: plainReplacementForm(site, viewer.csrfToken, Number(replace)),
      });
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

  app.get("/redact/", { schema: {} }, (request, reply) => {
    const viewer = sessionViewer(request);
    if (viewer === null)
      return leadToSignIn(request, reply, `${site.api.slice(0, -"/api/".length)}${request.url}`);
    return send(request, reply, viewer, {
      title: (texts) => texts.redactWordsTitle,
      section: "manage",
      name: "redact",
      withoutScripts: html`<p class="notice">This page needs JavaScript.</p>`,
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
      intro: html`<p class="help">
        ${trashNotice(config.trashDays)} <a href="${site.manage}">Manage documents</a>
      </p>`,
      withoutScripts: html`<p class="notice">This page needs JavaScript.</p>`,
    });
  });
  leadToSlash(app, "/documents/trash/");

  // The pages for administrators. Everyone else gets the page of an address that does not exist.
  const sendAdminPage = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const viewer = sessionViewer(request);
    const { page = "" } = request.params as { page?: string };
    const title = adminPages.get(page);
    if (viewer === null || !viewer.isAdministrator || title === undefined) {
      reply.callNotFound();
      return reply;
    }
    return send(request, reply, viewer, {
      title: () => title,
      mainLanguage: "en",
      section: "admin",
      name: `admin-${page}`,
      options: { hasMail: hasMail(config) },
      withoutScripts: html`<p class="notice">This page needs JavaScript.</p>`,
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
    page: Pick<DeskPageView, "section" | "name" | "intro" | "withoutScripts" | "mainLanguage"> & {
      title: (texts: Catalogue) => string;
      options?: object;
    },
  ): Promise<FastifyReply> {
    const options = { ...deskOptions(context, request, viewer), ...page.options };
    const visited = visitedSite(request);
    return sendDesk(
      context,
      request,
      reply,
      renderDeskPage({ ...page, title: page.title(pageTexts(visited)), site: visited, options }),
    );
  }
}

function trashNotice(days: number): string {
  if (days === 0) return "Deleted documents are removed at once, and cannot be brought back.";
  return `Deleted documents can be brought back for ${days === 1 ? "a day" : `${days} days`}. Then they are gone for good.`;
}
