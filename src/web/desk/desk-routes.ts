import type { FastifyInstance } from "fastify";
import type { Context } from "../../context.ts";
import { permissionDenied } from "../../errors.ts";
import { formSecurityPolicy } from "../../http/browsable/page-shell.ts";
import { visitedSite } from "../../http/browsable/visited-site.ts";
import { leadToSlash } from "../../http/resource-route.ts";
import { sendPage } from "../../http/response/representation.ts";
import { fileExtensions } from "../../resources/documents/file-extensions.ts";
import { languageCodes } from "../../resources/documents/languages.ts";
import { plainUploadForm, renderDeskPage } from "./desk-page.ts";

/** The pages on which people who have signed in upload documents. */
export function deskRoutes(app: FastifyInstance, { config }: Context): void {
  const { site } = app;

  app.get("/upload/", { schema: {} }, (request, reply) => {
    const { viewer } = request;
    if (viewer.kind === "anonymous" || viewer.csrfToken === null)
      return reply.redirect(`${site.signIn}?next=${encodeURIComponent(site.upload)}`, 302);
    if (viewer.organization === null)
      throw permissionDenied("You belong to no organization, so you cannot upload documents.");
    const basePath = site.api.slice(0, -"/api/".length);
    const page = renderDeskPage({
      site: visitedSite(request),
      title: "Upload",
      section: "upload",
      name: "upload",
      options: {
        api: site.api,
        tus: `${basePath}/uploads/tus/`,
        csrfToken: viewer.csrfToken,
        user: viewer.id,
        maxBytes: config.uploadLimitMb * 1024 * 1024,
        extensions: [...fileExtensions],
        languages: [...languageCodes],
      },
      withoutScripts: plainUploadForm(site, viewer.csrfToken),
    });
    reply.headers({ "cache-control": "no-store", "content-security-policy": formSecurityPolicy });
    return sendPage(reply, page);
  });
  leadToSlash(app, "/upload/");
}
