import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Context } from "../../context.ts";
import { adminPageNames } from "../../contract/page-options.ts";
import type { Catalogue } from "../../texts/pages-english.ts";
import { leadToSlash } from "../../http/resource-route.ts";
import { type Html, html } from "../../http/text/html.ts";
import { leadToSignIn, sendDeskPage, sessionViewer } from "./desk-answer.ts";
import { hasMail } from "../../resources/mails/mail-store.ts";

/** The pages on which signed-in users manage documents, and the pages for administrators. */
export function deskRoutes(app: FastifyInstance, context: Context): void {
  const { config } = context;
  const { site } = app;

  app.get("/documents/", { schema: {} }, (request, reply) => {
    const viewer = sessionViewer(request);
    if (viewer === null) return leadToSignIn(request, reply, site.manage);
    return sendDeskPage(context, request, reply, viewer, {
      title: (texts) => texts.manageDocuments,
      section: "manage",
      page: { name: "documents", own: {} },
      withoutScripts: needsScript,
    });
  });
  leadToSlash(app, "/documents/");

  app.get("/redact/", { schema: {} }, (request, reply) => {
    const viewer = sessionViewer(request);
    if (viewer === null)
      return leadToSignIn(request, reply, `${site.api.slice(0, -"/api/".length)}${request.url}`);
    return sendDeskPage(context, request, reply, viewer, {
      title: (texts) => texts.redactWordsTitle,
      section: "manage",
      page: { name: "redact", own: {} },
      withoutScripts: needsScript,
    });
  });
  leadToSlash(app, "/redact/");

  app.get("/documents/trash/", { schema: {} }, (request, reply) => {
    const viewer = sessionViewer(request);
    if (viewer === null) return leadToSignIn(request, reply, `${site.manage}trash/`);
    return sendDeskPage(context, request, reply, viewer, {
      title: (texts) => texts.trash,
      section: "manage",
      page: { name: "trash", own: {} },
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
    const name = adminPageNames.find((one) => one === page);
    if (viewer === null || !viewer.isAdministrator || name === undefined) {
      reply.callNotFound();
      return reply;
    }
    return sendDeskPage(context, request, reply, viewer, {
      title: (texts) => texts.adminPages[name],
      section: "admin",
      page: { name: "admin", own: { adminPage: name, hasMail: hasMail(config) } },
      withoutScripts: needsScript,
    });
  };
  const hidden = { schema: {}, config: { isHidden: true } };
  app.get("/admin", hidden, (request, reply) =>
    sessionViewer(request)?.isAdministrator === true ? reply.redirect(site.admin, 302) : reply.callNotFound(),
  );
  app.get("/admin/", hidden, sendAdminPage);
  app.get("/admin/:page/", hidden, sendAdminPage);
}

function needsScript({ needsScript: text }: Catalogue): Html {
  return html`<p class="notice">${text}</p>`;
}
