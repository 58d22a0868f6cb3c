import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Context } from "../../context.ts";
import { ApiError, notFound } from "../../errors.ts";
import { membersIn } from "../../http/fields/fields.ts";
import { bodyOf, shortBodyLimit } from "../../http/request/body.ts";
import { findCookie } from "../../http/request/cookies.ts";
import { idIn } from "../../http/request/path-parameters.ts";
import { sessionCookie, setSessionCookies } from "../../http/request/session-cookies.ts";
import { queryOf } from "../../http/browsable/view.ts";
import { localSite, visitedSite } from "../../http/browsable/visited-site.ts";
import { leadToSlash } from "../../http/resource-route.ts";
import { addressesOf } from "../../http/text/addresses.ts";
import {
  type SessionViewer,
  formSender,
  leadToSignIn,
  sessionViewer,
} from "../../http/request/session-viewer.ts";
import { holdRightsOf } from "../../resources/keeping/access.ts";
import { hasMail } from "../../resources/mails/mail-store.ts";
import {
  newTokenFields,
  noticeFields,
  passwordFields,
  preferenceFields,
  profileFields,
} from "../../resources/account/fields.ts";
import {
  changeOwnProfile,
  createOwnToken,
  endOwnConnection,
  endOwnSession,
  replacePassword,
  revokeOwnToken,
  revokeOwnTokens,
  signOutElsewhere,
} from "../../resources/account/manage-account.ts";
import { presentProfile, presentSession, presentToken } from "../../resources/account/present.ts";
import { disconnect, findWaysIn } from "../../resources/identities/connect.ts";
import { findQuotas } from "../../resources/documents/uploads/quotas.ts";
import { findProfile } from "../../resources/users/account-store.ts";
import { listConnections } from "../../resources/users/assistants/connection-store.ts";
import { findFactors } from "../../resources/users/credentials/factor-store.ts";
import { listApiTokens } from "../../resources/users/credentials/api-token-store.ts";
import { cookiesOf, listSessions } from "../../resources/users/credentials/session-store.ts";
import { type Catalogue, pageTexts } from "../../texts/pages.ts";
import { type RefusedForm, errorsInWords, refusedBy } from "../forms/refused-form.ts";
import { type AccountForm, type RefusedAccountForm, renderAccountPage } from "./account-page.ts";
import { factorRoutes } from "./factor-routes.ts";
import { sendUncached } from "./form-pages.ts";

/** The addresses of the account page and of its forms. */
export const accountPagePaths = [
  "/account/",
  "/account/password/",
  "/account/preferences/",
  "/account/notices/",
  "/account/tokens/",
  "/account/tokens/revoke/",
  "/account/tokens/:id/",
  "/account/factors/",
  "/account/factors/app/",
  "/account/factors/passkey/",
  "/account/identities/",
  "/account/identities/:id/",
  "/account/sessions/",
  "/account/sessions/:session/",
  "/account/assistants/:id/",
] as const;

/** The page on which users manage their own account. It needs a session. */
export function accountPageRoutes(app: FastifyInstance, context: Context): void {
  profilePageRoutes(app, context);
  tokenPageRoutes(app, context);
  sessionPageRoutes(app, context);
  factorRoutes(app, context);
}

function profilePageRoutes(app: FastifyInstance, context: Context): void {
  const path = app.site.account;
  const post = formsOf(app, context);

  app.get("/account/", { schema: {} }, async (request, reply) => {
    const viewer = sessionViewer(request);
    if (viewer === null) return leadToSignIn(reply, path);
    return sendAccount(context, request, reply, viewer, {
      done: textsFor(request).done[queryOf(request).last("done") ?? ""] ?? null,
    });
  });
  leadToSlash(app, "/account/");

  // A rejected form and a new token are shown at the address of their form, which may be visited again: after signing
  // in, or from a bookmark.
  for (const part of ["preferences", "password", "identities", "tokens", "sessions"])
    app.get(`/account/${part}/`, { schema: {} }, (_request, reply) => reply.redirect(path, 302));

  post("/account/", "profile", async (viewer, request, reply) => {
    await changeOwnProfile(context, viewer, membersIn(profileFields, bodyOf(request)), request.ip);
    return leadBack(reply, "profile");
  });

  post("/account/preferences/", "preferences", async (viewer, request, reply) => {
    await changeOwnProfile(context, viewer, membersIn(preferenceFields, bodyOf(request)), request.ip);
    return leadBack(reply, "preferences");
  });

  post("/account/notices/", null, async (viewer, request, reply) => {
    const members = new Map(membersIn(noticeFields, bodyOf(request)));
    // A form does not send a box without a tick.
    members.set("mail_notices", members.has("mail_notices"));
    await changeOwnProfile(context, viewer, members, request.ip);
    return leadBack(reply, "notices");
  });

  post("/account/password/", "password", async (viewer, request, reply) => {
    const client = {
      address: request.ip,
      browser: request.headers["user-agent"],
      secret: findCookie(request.headers.cookie, sessionCookie),
    };
    const secret = await replacePassword(context, viewer, membersIn(passwordFields, bodyOf(request)), client);
    if (secret !== null) setSessionCookies(context.config, request, reply, cookiesOf(secret));
    return leadBack(reply, "password");
  });
}

function tokenPageRoutes(app: FastifyInstance, context: Context): void {
  const post = formsOf(app, context);

  post("/account/tokens/", "token", async (viewer, request, reply) => {
    const members = new Map(membersIn(newTokenFields, bodyOf(request)));
    // A browser sends a day; the token expires when it ends.
    const day = members.get("expires_at");
    if (typeof day === "string" && /^\d{4}-\d\d-\d\d$/.test(day))
      members.set("expires_at", `${day}T23:59:59Z`);
    const { token } = await createOwnToken(context, viewer, members);
    return sendAccount(context, request, reply, viewer, { newToken: token });
  });

  post("/account/tokens/revoke/", null, async (viewer, _request, reply) => {
    await revokeOwnTokens(context, viewer);
    return leadBack(reply, "tokens");
  });

  post("/account/tokens/:id/", null, async (viewer, request, reply) => {
    await revokeOwnToken(context, viewer, idIn(request, "id"));
    return leadBack(reply, "token");
  });
}

function sessionPageRoutes(app: FastifyInstance, context: Context): void {
  const post = formsOf(app, context);

  post("/account/sessions/", null, async (viewer, request, reply) => {
    const ended = await signOutElsewhere(context, viewer, findCookie(request.headers.cookie, sessionCookie));
    return leadBack(reply, ended.assistants > 0 ? "elsewhere" : "sessions");
  });

  post("/account/assistants/:id/", null, async (viewer, request, reply) => {
    await endOwnConnection(context, viewer, idIn(request, "id"));
    return leadBack(reply, "assistant");
  });

  post("/account/identities/:id/", null, async ({ id }, request, reply) => {
    await disconnect(context, id, idIn(request, "id"));
    return leadBack(reply, "disconnected");
  });

  post("/account/sessions/:session/", null, async (viewer, request, reply) => {
    await endOwnSession(context, viewer, (request.params as { session: string }).session);
    return leadBack(reply, "session");
  });
}

/**
 * Registers the forms of the page. A rejected form is shown again with its errors. A form without fields redirects back
 * if its object no longer exists.
 */
function formsOf(app: FastifyInstance, context: Context) {
  return (
    url: string,
    form: AccountForm | null,
    act: (viewer: SessionViewer, request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>,
  ) =>
    app.post(url, { schema: {}, bodyLimit: shortBodyLimit }, async (request, reply) => {
      const viewer = formSender(request);
      try {
        return await act(viewer, request, reply);
      } catch (error) {
        if (form !== null) {
          const refused = { form, ...refusedBy(error, { request, reply }, [400, 429], explain(request)) };
          return sendAccount(context, request, reply, viewer, { refused });
        }
        if (error instanceof ApiError && error.status === 404) return leadBack(reply, "");
        throw error;
      }
    });
}

function leadBack(reply: FastifyReply, name: string): FastifyReply {
  const path = reply.server.site.account;
  return reply.redirect(name === "" ? path : `${path}?done=${name}`, 303);
}

async function sendAccount(
  context: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  viewer: SessionViewer,
  news: { done?: string | null; newToken?: string; refused?: RefusedAccountForm },
): Promise<FastifyReply> {
  const { config, database } = context;
  const { reader } = database;
  const { id, csrfToken, organization } = viewer;
  const profile = await findProfile(reader, id);
  if (profile === null) throw notFound();
  const [tokens, sessions, waysIn, ofPerson, ofOrganization] = await Promise.all([
    listApiTokens(reader, id),
    listSessions(reader, id),
    findWaysIn(config, reader, id),
    findQuotas(context, { kind: "user", id }),
    organization === null ? null : findQuotas(context, { kind: "organization", id: organization }),
  ]);
  const secret = findCookie(request.headers.cookie, sessionCookie);
  const page = renderAccountPage({
    site: visitedSite(request),
    csrfToken,
    profile: presentProfile(profile),
    hasMail: hasMail(config),
    tokens: tokens.map(presentToken),
    sessions: sessions.map((session) => presentSession(session, secret)),
    ...waysIn,
    quotas: { person: ofPerson, organization: ofOrganization },
    connections: config.assistantSignIn === "off" ? null : await listConnections(reader, id),
    mcpAddress: `${addressesOf(config, request).api}/mcp`,
    factors: config.secondFactor === "off" ? null : (await findFactors(reader, id)).length,
    holdsOrganization: (await holdRightsOf(database, viewer)).organizations.size > 0,
    newToken: news.newToken ?? null,
    done: news.done ?? null,
    refused: news.refused ?? null,
  });
  return sendUncached(reply, reply.server.site.home, page);
}

function textsFor(request: FastifyRequest): Catalogue["account"] {
  return pageTexts(localSite(request)).account;
}

/** Why a form was rejected, in the words of the page. */
function explain(request: FastifyRequest) {
  return (error: ApiError): RefusedForm["errors"] => {
    const texts = textsFor(request);
    return error.status === 429
      ? { current_password: [texts.tooManyAttemptsLater] }
      : errorsInWords(error, texts.messages);
  };
}
