import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Context } from "../../context.ts";
import { sessionCookie, setSessionCookies } from "../../http/request/session-cookies.ts";
import { notFound, permissionDenied } from "../../errors.ts";
import { listContent, sendCreated } from "../../http/collection.ts";
import { membersIn } from "../../http/fields/fields.ts";
import { resourceRoute } from "../../http/resource-route.ts";
import { bodyOf, shortBodyLimit } from "../../http/request/body.ts";
import { findCookie } from "../../http/request/cookies.ts";
import { idIn } from "../../http/request/path-parameters.ts";
import { type SignedInViewer, mayWrite, signedIn, writing } from "../../http/request/viewer.ts";
import { content, pageContent, send } from "../../http/response/representation.ts";
import { addressesOf } from "../../http/text/addresses.ts";
import { findProfile } from "../users/account-store.ts";
import { findOwnApiToken, listOwnApiTokens } from "../users/credentials/api-token-store.ts";
import { cookiesOf, listSessions } from "../users/credentials/session-store.ts";
import { newTokenFields, passwordFields, profileFields } from "./fields.ts";
import {
  changeOwnProfile,
  createOwnToken,
  endOtherSessions,
  endOwnSession,
  replacePassword,
  revokeOwnToken,
  revokeOwnTokens,
} from "./manage-account.ts";
import { presentProfile, presentSession, presentToken } from "./present.ts";
import * as shapes from "./schema.ts";
import {
  accountView,
  passwordView,
  sessionListView,
  sessionView,
  tokenListView,
  tokenView,
} from "./views.ts";

/**
 * The viewer's own account: name, password, personal tokens and sessions. Personal tokens may not use these addresses,
 * so that a leaked token cannot be used to create other tokens or take over the account.
 */
export function accountRoutes(app: FastifyInstance, context: Context): void {
  const { config, database } = context;
  const reading = "signed in";

  resourceRoute(app, {
    path: "/api/account/",
    view: accountView,
    reading,
    get: {
      schema: shapes.reading,
      handler: async (request, reply) => send(request, reply, await profileOf(owner(request))),
    },
    patch: {
      schema: shapes.changing,
      async handler(request, reply) {
        const viewer = changer(request);
        await changeOwnProfile(context, viewer, membersIn(profileFields, bodyOf(request)));
        return send(request, reply, await profileOf(viewer));
      },
    },
  });

  async function profileOf(viewer: SignedInViewer) {
    const profile = await findProfile(database.reader, viewer.id);
    if (profile === null) throw notFound();
    return { ...content(presentProfile(profile)), offers: viewer.mayWrite ? (["PATCH"] as const) : [] };
  }

  resourceRoute(app, {
    path: "/api/account/password/",
    view: passwordView,
    reading,
    post: {
      schema: shapes.changingPassword,
      bodyLimit: shortBodyLimit,
      async handler(request, reply) {
        const viewer = changer(request);
        const members = membersIn(passwordFields, bodyOf(request));
        const client = { address: request.ip, browser: request.headers["user-agent"] };
        const secret = await replacePassword(context, viewer, members, client);
        if (secret !== null) setSessionCookies(config, request, reply, cookiesOf(secret));
        return reply.code(204).send();
      },
    },
  });

  resourceRoute(app, {
    path: "/api/account/tokens/",
    view: tokenListView,
    reading,
    get: {
      schema: shapes.listingTokens,
      async handler(request, reply) {
        const viewer = owner(request);
        const page = await listContent(request, {
          address: `${addressesOf(config, request).api}/api/account/tokens/`,
          find: (cursor, limit) => listOwnApiTokens(database, viewer.id, cursor, limit),
          present: (rows) => rows.map(presentToken),
          offers: viewer.mayWrite ? ["POST", "DELETE"] : [],
        });
        return send(request, reply, page);
      },
    },
    post: {
      schema: shapes.creatingToken,
      async handler(request, reply) {
        const viewer = changer(request);
        const members = membersIn(newTokenFields, bodyOf(request));
        const { id, token } = await createOwnToken(context, viewer, members);
        const row = await findOwnApiToken(database.reader, viewer.id, id);
        if (row === null) throw notFound();
        reply.header("cache-control", "no-store");
        const location = `${addressesOf(config, request).api}/api/account/tokens/${id}/`;
        return sendCreated(request, reply, location, content({ ...presentToken(row), token }));
      },
    },
    delete: {
      schema: shapes.revokingTokens,
      async handler(request, reply) {
        await revokeOwnTokens(context, changer(request));
        return reply.code(204).send();
      },
    },
  });

  resourceRoute(app, {
    path: "/api/account/tokens/:id/",
    view: tokenView,
    reading,
    get: {
      schema: shapes.readingToken,
      async handler(request, reply) {
        const viewer = owner(request);
        const row = await findOwnApiToken(database.reader, viewer.id, idIn(request, "id"));
        if (row === null) throw notFound();
        return send(request, reply, {
          ...content(presentToken(row)),
          offers: viewer.mayWrite ? ["DELETE"] : [],
        });
      },
    },
    delete: {
      schema: shapes.revokingToken,
      async handler(request, reply) {
        await revokeOwnToken(context, changer(request), idIn(request, "id"));
        return reply.code(204).send();
      },
    },
  });

  resourceRoute(app, {
    path: "/api/account/sessions/",
    view: sessionListView,
    reading,
    get: {
      schema: shapes.listingSessions,
      async handler(request, reply) {
        const sessions = await ownSessions(request);
        const offers = mayWrite(request.viewer) ? (["DELETE"] as const) : [];
        return send(request, reply, await pageContent({ next: null, previous: null }, sessions, offers));
      },
    },
    delete: {
      schema: shapes.endingOtherSessions,
      async handler(request, reply) {
        const secret = findCookie(request.headers.cookie, sessionCookie);
        await endOtherSessions(context, changer(request), secret);
        return reply.code(204).send();
      },
    },
  });

  resourceRoute(app, {
    path: "/api/account/sessions/:session/",
    view: sessionView,
    reading,
    get: {
      schema: shapes.readingSession,
      async handler(request, reply) {
        const session = (await ownSessions(request)).find(({ id }) => id === sessionIn(request));
        if (session === undefined) throw notFound();
        return send(request, reply, { ...content(session), offers: ["DELETE"] });
      },
    },
    delete: {
      schema: shapes.endingSession,
      async handler(request, reply) {
        await endOwnSession(context, changer(request), sessionIn(request));
        return reply.code(204).send();
      },
    },
  });

  async function ownSessions(request: FastifyRequest) {
    const secret = findCookie(request.headers.cookie, sessionCookie);
    const sessions = await listSessions(database.reader, owner(request).id);
    return sessions.map((session) => presentSession(session, secret));
  }
}

/** The viewer, who did not authenticate with a personal token. Throws 403 otherwise. */
export function owner(request: FastifyRequest): SignedInViewer {
  const viewer = signedIn(request.viewer);
  if (viewer.hasPersonalToken) throw permissionDenied("A personal token cannot manage the account.");
  return viewer;
}

function changer(request: FastifyRequest): SignedInViewer {
  writing(request.viewer);
  return owner(request);
}

const sessionIn = ({ params }: FastifyRequest): string => (params as { session: string }).session;
