import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { guestLinkLimits, pageLimits } from "../../contract/limits.ts";
import type { Context } from "../../context.ts";
import { queryOf } from "../../http/browsable/view.ts";
import { visitedSite } from "../../http/browsable/visited-site.ts";
import { type Members, formOf, shortBodyLimit, textIn } from "../../http/request/body.ts";
import { decodeCursor, listStart } from "../../http/request/cursor.ts";
import type { Query } from "../../http/request/query.ts";
import { idNeighbours, pageLinks } from "../../http/request/pagination.ts";
import { leadToSlash } from "../../http/resource-route.ts";
import { mayShare } from "../../resources/documents/access.ts";
import { accessFacts, findDocument } from "../../resources/documents/store.ts";
import { createGuestLink, revokeLink } from "../../resources/guests/manage-links.ts";
import { presentGuestLink } from "../../resources/guests/present.ts";
import { guestAddress } from "../../resources/guests/routes.ts";
import { mayShareProject } from "../../resources/guests/access.ts";
import { type LinksChoice, listGuestLinks } from "../../resources/guests/store.ts";
import { mayAdminister } from "../../resources/projects/access.ts";
import { findProjectsFor } from "../../resources/projects/list-store.ts";
import { uuidIn } from "../../http/request/path-parameters.ts";
import {
  type SessionViewer,
  formSender,
  leadToSignIn,
  sessionViewer,
} from "../../http/request/session-viewer.ts";
import { ownSearches } from "../../resources/searches/store.ts";
import { pageTexts } from "../../texts/pages.ts";
import { sendUncached } from "../account/form-pages.ts";
import { type RefusedForm, errorsInWords, refusedBy } from "../forms/refused-form.ts";
import { renderLinksPage } from "./link-pages.ts";

export const linkPagePaths = ["/account/guests/", "/account/guests/:uuid/revoke/"] as const;

interface News {
  made?: string;
  refused?: RefusedForm;
}

/** The page on which people make and revoke guest links. It needs a session. */
export function linkPageRoutes(app: FastifyInstance, context: Context): void {
  const path = `${app.site.account}guests/`;

  app.get("/account/guests/", { schema: {} }, async (request, reply) => {
    const viewer = sessionViewer(request);
    if (viewer !== null) return sendList(context, viewer, request, reply);
    const next = `${path}${queryOf(request).asSent()}`;
    return leadToSignIn(reply, next);
  });
  leadToSlash(app, "/account/guests/");

  app.post("/account/guests/", { schema: {}, bodyLimit: shortBodyLimit }, async (request, reply) => {
    const viewer = formSender(request);
    try {
      const { secret } = await createGuestLink(context, viewer, formMembers(request));
      return await sendList(context, viewer, request, reply, {
        made: guestAddress(context, request, secret),
      });
    } catch (error) {
      return sendList(context, viewer, request, reply, { refused: refusedLink(error, request, reply) });
    }
  });

  app.post(
    "/account/guests/:uuid/revoke/",
    { schema: {}, bodyLimit: shortBodyLimit },
    async (request, reply) => {
      await revokeLink(context, formSender(request), uuidIn(request));
      return reply.redirect(`${path}?done=revoked`, 303);
    },
  );
}

async function sendList(
  context: Context,
  viewer: SessionViewer,
  request: FastifyRequest,
  reply: FastifyReply,
  { made, refused }: News = {},
): Promise<FastifyReply> {
  const site = visitedSite(request);
  const query = queryOf(request);
  const { subjects, chosen, document } = await subjectsFor(context, viewer, request, refused);
  const choice = await choiceFor(context, viewer, query, document);
  const cursor = decodeCursor(query.last("cursor"), null);
  const links = await listGuestLinks(context.database, viewer, choice, cursor, pageLimits.max);
  const page = renderLinksPage({
    site,
    csrfToken: viewer.csrfToken,
    links: links.rows.map((row) => ({
      link: presentGuestLink(row),
      maker: row.user_id === viewer.id ? null : row.maker,
    })),
    shown: choice.of,
    projects: subjects.flatMap(([value, words]) => {
      const id = /^project:(.*)$/.exec(value)?.[1];
      return id === undefined ? [] : [[`${site.account}guests/?project=${id}`, words] as const];
    }),
    isAdministrator: viewer.isAdministrator,
    next: pageLinks(`${site.account}guests/`, query, idNeighbours(links, cursor)).next,
    subjects,
    chosen,
    made: made ?? null,
    done: query.last("done") === "revoked" ? pageTexts(site).guests.revoked : null,
    refused: refused ?? null,
  });
  return sendUncached(reply, site.home, page);
}

/** Whose links the address names, as far as the viewer may see them; otherwise their own. */
async function choiceFor(
  { database }: Pick<Context, "database">,
  viewer: SessionViewer,
  query: Query,
  document: number | undefined,
): Promise<LinksChoice> {
  if (document !== undefined) return { of: "document", id: document };
  const project = Number(/^\d{1,15}$/.exec(query.last("project") ?? "")?.[0]);
  if (project > 0 && (await mayShareProject(database, viewer, project)))
    return { of: "project", id: project };
  return { of: query.last("everyone") === "true" && viewer.isAdministrator ? "everyone" : "viewer" };
}

/** What the form may share: the document that the address names, the viewer's projects, and their searches. */
async function subjectsFor(
  { database }: Pick<Context, "database">,
  viewer: SessionViewer,
  request: FastifyRequest,
  refused: RefusedForm | undefined,
): Promise<{
  subjects: (readonly [value: string, words: string])[];
  chosen: string;
  /** The document, if the viewer may share it. */
  document?: number | undefined;
}> {
  const site = visitedSite(request);
  const { guests: texts, untitled } = pageTexts(site);
  const query = queryOf(request);
  const sent = refused?.texts["subject"] ?? subjectSent(request);
  const ofForm = /^document:(\d{1,15})$/.exec(sent)?.[1];
  const named = ofForm ?? /^\d{1,15}$/.exec(query.last("document") ?? "")?.[0];
  const found = named === undefined ? null : await findDocument(database, viewer, Number(named));
  const document = found !== null && mayShare(viewer, accessFacts(found)) ? found : null;
  const projects = await findProjectsFor(database, viewer, [...viewer.projects.keys()]);
  const searches = await ownSearches.page(database, viewer, listStart, pageLimits.max);
  const chosen = ["project", "search"].flatMap((name) => {
    const value = query.last(name);
    return value === undefined ? [] : [`${name}:${value}`];
  })[0];
  const title = (text: string): string => (text === "" ? untitled : text);
  return {
    subjects: [
      ...(document !== null
        ? [[`document:${document.id}`, texts.document(title(document.title))] as const]
        : []),
      ...[...projects.values()]
        .filter((project) => mayAdminister(viewer, project))
        .map((project) => [`project:${project.id}`, texts.project(title(project.title))] as const),
      ...searches.rows.map((search) => [`search:${search.uuid}`, texts.search(search.name)] as const),
    ],
    chosen: chosen ?? "",
    document: document?.id,
  };
}

const subjectSent = (request: FastifyRequest): string =>
  request.method === "POST" ? textIn(request, "subject") : "";

/** The members that the API takes. A form sends empty texts, and no box without a tick. */
function formMembers(request: FastifyRequest): Members {
  const form = formOf(request);
  const text = (name: string): string => form.get(name)?.at(-1) ?? "";
  const [, kind = "", value = ""] = /^(document|project|search):(.*)$/s.exec(text("subject")) ?? [];
  const members = new Map<string, unknown>([
    ["name", text("name")],
    ["days", text("days")],
    ["password", text("password")],
    ["download", form.has("download")],
  ]);
  if (kind !== "") members.set(kind, value);
  if (text("max_uses").trim() !== "") members.set("max_uses", text("max_uses"));
  return members;
}

/** What the form is shown with again. */
function refusedLink(error: unknown, request: FastifyRequest, reply: FastifyReply): RefusedForm {
  const { messages, tooMany, notShared } = pageTexts(visitedSite(request)).guests;
  return refusedBy(error, { request, reply }, [400, 403], (refusal): RefusedForm["errors"] => {
    if (refusal.status === 403) return { subject: [notShared] };
    const {
      document,
      project,
      search,
      non_field_errors: general,
      ...errors
    } = errorsInWords(refusal, messages);
    if (general?.some((message) => message.includes("at most")) === true)
      return { ...errors, non_field_errors: [tooMany(guestLinkLimits.perPerson)] };
    const isAboutSubject = [document, project, search, general].some((said) => said !== undefined);
    return isAboutSubject ? { ...errors, subject: [notShared] } : errors;
  });
}
