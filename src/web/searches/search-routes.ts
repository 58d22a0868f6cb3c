import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { pageLimits, savedSearchLimits } from "../../contract/limits.ts";
import type { Context } from "../../context.ts";
import { notFound } from "../../errors.ts";
import { queryOf } from "../../http/browsable/view.ts";
import { localSite, visitedSite } from "../../http/browsable/visited-site.ts";
import { membersIn, readFields } from "../../http/fields/fields.ts";
import { type Members, bodyOf, shortBodyLimit } from "../../http/request/body.ts";
import { decodeCursor } from "../../http/request/cursor.ts";
import { idNeighbours, pageLinks } from "../../http/request/pagination.ts";
import { leadToSlash } from "../../http/resource-route.ts";
import { addressesOf } from "../../http/text/addresses.ts";
import { findVisibleDocuments } from "../../resources/documents/store.ts";
import { listFinds } from "../../resources/searches/find-store.ts";
import { findNow } from "../../resources/searches/compare.ts";
import { savedSearchFields } from "../../resources/searches/fields.ts";
import {
  changeSavedSearch,
  createSavedSearch,
  markOwnSeen,
} from "../../resources/searches/manage-searches.ts";
import { presentSavedSearch } from "../../resources/searches/present.ts";
import { uuidIn } from "../../http/request/path-parameters.ts";
import {
  type SessionViewer,
  formSender,
  leadToSignIn,
  sessionViewer,
} from "../../http/request/session-viewer.ts";
import { type SavedSearchRow, ownSearches } from "../../resources/searches/store.ts";
import { declinedNotices, subjectOfToken } from "../../resources/mails/unsubscribe-token.ts";
import { unsubscribe } from "../../resources/searches/unsubscribe.ts";
import { pageTexts } from "../../texts/pages.ts";
import { sendUncached } from "../account/form-pages.ts";
import { type RefusedForm, errorsInWords, refusedBy } from "../forms/refused-form.ts";
import { documentAddress } from "../../resources/documents/present.ts";
import {
  type FindView,
  renderSavedSearchPage,
  renderSearchesPage,
  renderUnsubscribePage,
} from "./search-pages.ts";

export const searchPagePaths = [
  "/account/searches/",
  "/account/searches/:uuid/",
  "/account/searches/:uuid/seen/",
  "/account/searches/:uuid/delete/",
] as const;

type Show = (viewer: SessionViewer, request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/** The pages on which people see what their saved searches have found. They need a session. */
export function searchPageRoutes(app: FastifyInstance, context: Context): void {
  const { database } = context;
  const path = `${app.site.account}searches/`;
  const pathOf = (request: FastifyRequest): string => `${path}${uuidIn(request)}/`;
  const get = (url: string, show: Show): void => {
    app.get(url, { schema: {} }, async (request, reply) => {
      const viewer = sessionViewer(request);
      if (viewer !== null) return show(viewer, request, reply);
      const next = url.includes(":uuid") ? pathOf(request) : `${path}${queryOf(request).asSent()}`;
      return leadToSignIn(reply, next);
    });
    leadToSlash(app, url);
  };
  const post = (url: string, act: Show): void => {
    app.post(url, { schema: {}, bodyLimit: shortBodyLimit }, async (request, reply) => {
      const viewer = formSender(request);
      return act(viewer, request, reply);
    });
  };

  get("/account/searches/", (viewer, request, reply) => sendList(context, viewer, request, reply));
  get("/account/searches/:uuid/", (viewer, request, reply) => sendOne(context, viewer, request, reply));
  post("/account/searches/", async (viewer, request, reply) => {
    try {
      const { uuid } = await createSavedSearch(context, viewer, valuesIn(formMembers(request)));
      return lead(reply, `${path}${uuid}/`, "saved");
    } catch (error) {
      return sendList(context, viewer, request, reply, refusedSearch(error, request, reply));
    }
  });
  post("/account/searches/:uuid/", async (viewer, request, reply) => {
    const members = formMembers(request);
    try {
      await database.write(async (writer) => {
        const row = await ownSearches.lock(writer, viewer, { uuid: uuidIn(request) });
        await changeSavedSearch(context, writer, row, valuesIn(members), viewer);
      });
    } catch (error) {
      return sendOne(context, viewer, request, reply, refusedSearch(error, request, reply));
    }
    return lead(reply, pathOf(request), "saved");
  });
  post("/account/searches/:uuid/seen/", async (viewer, request, reply) => {
    await markOwnSeen(context, viewer, uuidIn(request));
    return lead(reply, pathOf(request), "seen");
  });
  post("/account/searches/:uuid/delete/", async (viewer, request, reply) => {
    await database.write(async (writer) => {
      const { id } = await ownSearches.lock(writer, viewer, { uuid: uuidIn(request) });
      await ownSearches.remove(writer, { id });
    });
    return lead(reply, path, "deleted");
  });
}

/** The address in mails at which they are declined. The token in it is the right to do so: there is no session. */
export function unsubscribeRoutes(app: FastifyInstance, context: Context): void {
  const subjectIn = ({ params }: FastifyRequest): string => {
    const subject = subjectOfToken(context.secrets, (params as { token: string }).token);
    if (subject === null) throw notFound();
    return subject;
  };
  const sendOf = (request: FastifyRequest, reply: FastifyReply, isDone: boolean): FastifyReply => {
    const notices = declinedNotices(subjectIn(request));
    const page = renderUnsubscribePage(localSite(request), { path: request.url, isDone, notices });
    return sendUncached(reply, app.site.home, page);
  };
  app.get("/unsubscribe/:token/", { schema: {} }, async (request, reply) => {
    return sendOf(request, reply, false);
  });
  leadToSlash(app, "/unsubscribe/:token/");
  // A mail program sends the form of RFC 8058, a person an empty one.
  app.post("/unsubscribe/:token/", { schema: {}, bodyLimit: shortBodyLimit }, async (request, reply) => {
    await unsubscribe(context, subjectIn(request));
    return sendOf(request, reply, true);
  });
}

async function sendList(
  { database }: Pick<Context, "database">,
  viewer: SessionViewer,
  request: FastifyRequest,
  reply: FastifyReply,
  refused: RefusedForm | null = null,
): Promise<FastifyReply> {
  const query = queryOf(request);
  const cursor = decodeCursor(query.last("cursor"), null);
  const page = await ownSearches.page(database, viewer, cursor, pageLimits.max);
  const { home, account } = reply.server.site;
  const { next } = pageLinks(`${account}searches/`, query, idNeighbours(page, cursor));
  const view = viewOf(viewer, request, refused);
  const searches = page.rows.map(presentSavedSearch);
  const q = query.last("q") ?? "";
  return sendUncached(reply, home, renderSearchesPage({ ...view, searches, query: q, next }));
}

async function sendOne(
  context: Context,
  viewer: SessionViewer,
  request: FastifyRequest,
  reply: FastifyReply,
  refused: RefusedForm | null = null,
): Promise<FastifyReply> {
  const row = await ownSearches.get(context.database, viewer, { uuid: uuidIn(request) });
  const finds = await findsOf(context, viewer, request, row);
  const search = presentSavedSearch(row);
  const page = renderSavedSearchPage({ ...viewOf(viewer, request, refused), search, finds });
  return sendUncached(reply, reply.server.site.home, page);
}

const maxFinds = 100;

/** The latest finds that the search finds now, with the rights of this moment. */
async function findsOf(
  { config, database }: Context,
  viewer: SessionViewer,
  request: FastifyRequest,
  search: SavedSearchRow,
): Promise<FindView[]> {
  const finds = await listFinds(database, search.id, maxFinds);
  const ids = finds.map(({ document_id }) => document_id);
  const found = await findNow(database, viewer, search, ids);
  const rows = await findVisibleDocuments(database, viewer, [...found]);
  const byId = new Map(rows.map((row) => [row.id, row]));
  const { web } = addressesOf(config, request);
  return finds.flatMap(({ document_id, found_at, is_new }) => {
    const row = byId.get(document_id);
    if (row === undefined || found_at === null) return [];
    const href = documentAddress(web, row);
    return [{ title: row.title, href, foundAt: found_at, isNew: Boolean(is_new) }];
  });
}

function viewOf(viewer: SessionViewer, request: FastifyRequest, refused: RefusedForm | null) {
  const site = visitedSite(request);
  const { saved, deleted, seen } = pageTexts(site).searches;
  const sentences: Readonly<Record<string, string>> = { saved, deleted, seen };
  const done = sentences[queryOf(request).last("done") ?? ""] ?? null;
  return { site, csrfToken: viewer.csrfToken, done, refused };
}

const formMembers = (request: FastifyRequest) => membersIn(savedSearchFields, bodyOf(request));

const valuesIn = (members: Members) => readFields(savedSearchFields, members, "whole");

/** What a saved search's form is shown with again. */
function refusedSearch(error: unknown, request: FastifyRequest, reply: FastifyReply): RefusedForm {
  const texts = pageTexts(visitedSite(request)).searches;
  return refusedBy(error, { request, reply }, [400, 503], (refusal): RefusedForm["errors"] => {
    if (refusal.status === 503) return { alert: [texts.tooSlow] };
    const errors = errorsInWords(refusal, texts.messages);
    if (errors["alert"] !== undefined) return { alert: [texts.tooMany(savedSearchLimits.alerts)] };
    // What the query language refuses names no field.
    return errors["detail"] === undefined ? errors : { query: errors["detail"] };
  });
}

const lead = (reply: FastifyReply, path: string, done: string): FastifyReply =>
  reply.redirect(`${path}?done=${done}`, 303);
