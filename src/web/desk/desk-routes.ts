import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Context } from "../../context.ts";
import { permissionDenied } from "../../errors.ts";
import { visitedSite } from "../../http/browsable/visited-site.ts";
import type { SignedInViewer } from "../../http/request/viewer.ts";
import { leadToSlash } from "../../http/resource-route.ts";
import { sendPage } from "../../http/response/representation.ts";
import { addressesOf } from "../../http/text/addresses.ts";
import { html } from "../../http/text/html.ts";
import { fileExtensions } from "../../resources/documents/file-extensions.ts";
import { languageCodes } from "../../resources/documents/languages.ts";
import { documentSecurityPolicy } from "../document-page.ts";
import { fileStores } from "../document-pages.ts";
import { type DeskPageView, plainUploadForm, renderDeskPage } from "./desk-page.ts";

/** The titles of the pages for administrators, by the last part of their address. */
const adminPages: ReadonlyMap<string, string> = new Map([
  ["", "Administration"],
  ["people", "People"],
  ["organizations", "Organizations"],
]);

/** The pages on which signed-in users upload and edit documents, and the pages for administrators. */
export function deskRoutes(app: FastifyInstance, context: Context): void {
  const { config } = context;
  const { site } = app;
  const basePath = site.api.slice(0, -"/api/".length);

  app.get("/upload/", { schema: {} }, (request, reply) => {
    const viewer = sessionViewer(request);
    if (viewer === null) return leadToSignIn(reply, site.upload);
    if (viewer.organization === null)
      throw permissionDenied("You do not belong to an organization, so you cannot upload documents.");
    return send(request, reply, viewer, {
      title: "Upload",
      section: "upload",
      name: "upload",
      withoutScripts: plainUploadForm(site, viewer.csrfToken),
    });
  });
  leadToSlash(app, "/upload/");

  app.get("/documents/", { schema: {} }, (request, reply) => {
    const viewer = sessionViewer(request);
    if (viewer === null) return leadToSignIn(reply, site.manage);
    return send(request, reply, viewer, {
      title: "Manage documents",
      section: "manage",
      name: "documents",
      withoutScripts: html`<p class="notice">This page needs JavaScript.</p>`,
    });
  });
  leadToSlash(app, "/documents/");

  app.get("/documents/trash/", { schema: {} }, (request, reply) => {
    const viewer = sessionViewer(request);
    if (viewer === null) return leadToSignIn(reply, `${site.manage}trash/`);
    return send(request, reply, viewer, {
      title: "Trash",
      section: "manage",
      name: "trash",
      intro: html`<p class="notice">
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
      title,
      section: "admin",
      name: `admin-${page}`,
      withoutScripts: html`<p class="notice">This page needs JavaScript.</p>`,
    });
  };
  app.get("/admin/", { schema: {} }, sendAdminPage);
  app.get("/admin/:page/", { schema: {} }, sendAdminPage);

  function leadToSignIn(reply: FastifyReply, next: string): FastifyReply {
    return reply.redirect(`${site.signIn}?next=${encodeURIComponent(next)}`, 302);
  }

  async function send(
    request: FastifyRequest,
    reply: FastifyReply,
    viewer: SessionViewer,
    page: Pick<DeskPageView, "title" | "section" | "name" | "intro" | "withoutScripts">,
  ): Promise<FastifyReply> {
    const { assets } = addressesOf(config, request);
    const options = {
      api: site.api,
      assets,
      files: `${basePath}/files/`,
      tus: `${basePath}/uploads/tus/`,
      csrfToken: viewer.csrfToken,
      user: viewer.id,
      maxBytes: config.uploadLimitMb * 1024 * 1024,
      extensions: [...fileExtensions],
      languages: [...languageCodes],
      trashDays: config.trashDays,
      trash: `${site.manage}trash/`,
    };
    const sources = [assets, ...(await fileStores(context))];
    reply.headers({
      "cache-control": "no-store",
      "content-security-policy": documentSecurityPolicy(sources),
    });
    return sendPage(reply, renderDeskPage({ ...page, site: visitedSite(request), options }));
  }
}

function trashNotice(days: number): string {
  if (days === 0) return "Deleted documents are removed at once, and cannot be brought back.";
  return `Deleted documents can be brought back for ${days === 1 ? "a day" : `${days} days`}. Then they are gone for good.`;
}

type SessionViewer = SignedInViewer & { readonly csrfToken: string };

function sessionViewer({ viewer }: FastifyRequest): SessionViewer | null {
  return viewer.kind === "user" && viewer.csrfToken !== null ? (viewer as SessionViewer) : null;
}
