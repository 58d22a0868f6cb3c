import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Context } from "../../context.ts";
import { adminPageNames } from "../../contract/page-options.ts";
import type { Catalogue } from "../../texts/pages.ts";
import { leadToSlash } from "../../http/resource-route.ts";
import { type Html, html } from "../../http/text/html.ts";
import { type SessionViewer, leadToSignIn, sessionViewer } from "../../http/request/session-viewer.ts";
import { sendDocumentsPage } from "../routes.ts";
import { sendDeskPage } from "./desk-answer.ts";
import { sendDocumentsDesk } from "./documents-desk.ts";
import { holdRightsOf } from "../../resources/keeping/access.ts";
import { findOrganizationNames } from "../../resources/organizations/store.ts";
import { hasMail } from "../../resources/mails/mail-store.ts";

interface DocumentPage {
  path: string;
  name: "redact" | "spreadsheet" | "trash";
  title: (texts: Catalogue) => string;
  intro?: (texts: Catalogue, trashDays: number, manage: string) => Html;
  /** The path to which signing in leads back, if it has more than the page's own. */
  addressIn?: (request: FastifyRequest) => string;
}

const documentPages: readonly DocumentPage[] = [
  { path: "/redact/", name: "redact", title: (texts) => texts.redactWordsTitle, addressIn: ({ url }) => url },
  { path: "/documents/spreadsheet/", name: "spreadsheet", title: (texts) => texts.importSpreadsheet },
  {
    path: "/documents/trash/",
    name: "trash",
    title: (texts) => texts.trash,
    intro: (texts, trashDays, manage) =>
      html`<p class="help">
        ${texts.trashHelp(trashDays)} <a href="${manage}">${texts.landing.allDocuments}</a>
      </p>`,
  },
];

/** The pages on which signed-in users manage documents, and the pages for administrators. */
export function deskRoutes(app: FastifyInstance, context: Context): void {
  const { config } = context;
  const { site } = app;

  const root = site.api.slice(0, -"/api/".length);
  // Everyone gets the same list; those who have signed in get the script that works on it.
  app.get("/documents/", { schema: {}, config: { takesLongQuery: true } }, (request, reply) => {
    const viewer = sessionViewer(request);
    return viewer === null
      ? sendDocumentsPage(context, request, reply, "/documents/")
      : sendDocumentsDesk(context, request, reply, viewer);
  });
  leadToSlash(app, "/documents/");
  for (const { path, name, title, intro, addressIn } of documentPages) {
    app.get(path, { schema: {} }, (request, reply) => {
      const viewer = sessionViewer(request);
      if (viewer === null) return leadToSignIn(reply, `${root}${addressIn?.(request) ?? path}`);
      return sendDeskPage(context, request, reply, viewer, {
        title,
        section: "documents",
        page: { name, own: {} },
        ...(intro !== undefined && { intro: (texts) => intro(texts, config.trashDays, site.manage) }),
        withoutScripts: needsScript,
      });
    });
    leadToSlash(app, path);
  }

  // The pages for administrators; that of legal holds is for admins of organizations, too. Others get the page of an
  // address that does not exist.
  const sendAdminPage = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const viewer = sessionViewer(request);
    const { page = "" } = request.params as { page?: string };
    const name = adminPageNames.find((one) => one === page);
    const organizations = viewer === null || name !== "holds" ? [] : await administeredBy(context, viewer);
    if (viewer === null || name === undefined || !(viewer.isAdministrator || organizations.length > 0)) {
      reply.callNotFound();
      return reply;
    }
    return sendDeskPage(context, request, reply, viewer, {
      title: (texts) => texts.adminPages[name],
      section: "admin",
      page: {
        name: "admin",
        own: {
          adminPage: name,
          hasMail: hasMail(config),
          hasMailIn: config.mailInDomain !== null,
          isAdministrator: viewer.isAdministrator,
          organizations,
        },
      },
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

/** The organizations of whose documents somebody may set legal holds. */
async function administeredBy(
  { database }: Pick<Context, "database">,
  viewer: SessionViewer,
): Promise<{ id: number; name: string }[]> {
  const { organizations } = await holdRightsOf(database, viewer);
  const names = await findOrganizationNames(database, [...organizations]);
  return Array.from(names, ([id, name]) => ({ id, name })).toSorted((one, other) => one.id - other.id);
}

function needsScript({ needsScript: text }: Catalogue): Html {
  return html`<p class="notice">${text}</p>`;
}
