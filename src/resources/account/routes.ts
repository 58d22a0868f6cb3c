import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Context } from "../../context.ts";
import { sessionCookie, setSessionCookies } from "../../http/request/session-cookies.ts";
import { notFound, permissionDenied } from "../../errors.ts";
import { Created } from "../../http/answer.ts";
import { listContent } from "../../http/collection.ts";
import { membersIn } from "../../http/fields/fields.ts";
import { resourceRoute } from "../../http/resource-route.ts";
import { bodyOf, shortBodyLimit } from "../../http/request/body.ts";
import { findCookie } from "../../http/request/cookies.ts";
import { idIn } from "../../http/request/path-parameters.ts";
import type { SignedInViewer } from "../../http/request/viewer.ts";
import { content, pageContent } from "../../http/response/representation.ts";
import { findProfile } from "../users/account-store.ts";
import { findOwnApiToken, listOwnApiTokens } from "../users/credentials/api-token-store.ts";
import { cookiesOf, listSessions } from "../users/credentials/session-store.ts";
import { newTokenFields, passwordFields, profileFields } from "./fields.ts";
import {
  changeOwnProfile,
  createOwnToken,
  endOwnSession,
  replacePassword,
  revokeOwnToken,
  revokeOwnTokens,
  signOutElsewhere,
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

const reading = "signed in";

/**
 * The viewer's own account: name, password, personal tokens and sessions. Personal tokens may not use these addresses,
 * so that a leaked token cannot be used to create other tokens or take over the account.
 */
export function accountRoutes(app: FastifyInstance, context: Context): void {
  profileRoutes(app, context);
  passwordRoute(app, context);
  ownTokenRoutes(app, context);
  sessionRoutes(app, context);
}

function profileRoutes(app: FastifyInstance, context: Context): void {
  const { database } = context;

  resourceRoute(app, {
    path: "/api/account/",
    view: accountView,
    reading,
    get: {
      schema: shapes.reading,
      answer: (_request, viewer) => profileOf(owner(viewer)),
    },
    patch: {
      schema: shapes.changing,
      async answer(request, viewer) {
        await changeOwnProfile(context, owner(viewer), membersIn(profileFields, bodyOf(request)), request.ip);
        return profileOf(viewer);
      },
    },
  });

  async function profileOf(viewer: SignedInViewer) {
    const profile = await findProfile(database.reader, viewer.id);
    if (profile === null) throw notFound();
    return content(presentProfile(profile), viewer.mayWrite ? ["PATCH"] : []);
  }
}

function passwordRoute(app: FastifyInstance, context: Context): void {
  const { config } = context;

  resourceRoute(app, {
    path: "/api/account/password/",
    view: passwordView,
    reading,
    post: {
      schema: shapes.changingPassword,
      bodyLimit: shortBodyLimit,
      async answer(request, viewer, reply) {
        owner(viewer);
        const members = membersIn(passwordFields, bodyOf(request));
        const client = {
          address: request.ip,
          browser: request.headers["user-agent"],
          secret: findCookie(request.headers.cookie, sessionCookie),
        };
        const secret = await replacePassword(context, viewer, members, client);
        if (secret !== null) setSessionCookies(config, request, reply, cookiesOf(secret));
      },
    },
  });
}

/** Personal tokens, which programs use. */
function ownTokenRoutes(app: FastifyInstance, context: Context): void {
  const { database } = context;

  resourceRoute(app, {
    path: "/api/account/tokens/",
    view: tokenListView,
    reading,
    get: {
      schema: shapes.listingTokens,
      async answer(request, viewer) {
        const { id, mayWrite } = owner(viewer);
        return listContent(request, {
          find: (cursor, limit) => listOwnApiTokens(database, id, cursor, limit),
          present: (rows) => rows.map(presentToken),
          offers: mayWrite ? ["POST", "DELETE"] : [],
        });
      },
    },
    post: {
      schema: shapes.creatingToken,
      isSecret: true,
      async answer(request, viewer) {
        owner(viewer);
        const members = membersIn(newTokenFields, bodyOf(request));
        const { id, token } = await createOwnToken(context, viewer, members);
        const row = await findOwnApiToken(database.reader, viewer.id, id);
        if (row === null) throw notFound();
        return new Created(id, content({ ...presentToken(row), token }));
      },
    },
    delete: {
      schema: shapes.revokingTokens,
      answer: (_request, viewer) => revokeOwnTokens(context, owner(viewer)),
    },
  });

  resourceRoute(app, {
    path: "/api/account/tokens/:id/",
    view: tokenView,
    reading,
    get: {
      schema: shapes.readingToken,
      async answer(request, viewer) {
        const row = await findOwnApiToken(database.reader, owner(viewer).id, idIn(request, "id"));
        if (row === null) throw notFound();
        return content(presentToken(row), viewer.mayWrite ? ["DELETE"] : []);
      },
    },
    delete: {
      schema: shapes.revokingToken,
      answer: async (request, viewer) => revokeOwnToken(context, owner(viewer), idIn(request, "id")),
    },
  });
}

/** The places where the viewer has signed in. */
function sessionRoutes(app: FastifyInstance, context: Context): void {
  const { database } = context;

  resourceRoute(app, {
    path: "/api/account/sessions/",
    view: sessionListView,
    reading,
    get: {
      schema: shapes.listingSessions,
      async answer(request, viewer) {
        const sessions = await ownSessions(request, viewer);
        return pageContent({ next: null, previous: null }, sessions, viewer.mayWrite ? ["DELETE"] : []);
      },
    },
    delete: {
      schema: shapes.endingOtherSessions,
      async answer({ headers }, viewer) {
        await signOutElsewhere(context, owner(viewer), findCookie(headers.cookie, sessionCookie));
      },
    },
  });

  resourceRoute(app, {
    path: "/api/account/sessions/:session/",
    parameters: shapes.sessionParameters,
    view: sessionView,
    reading,
    get: {
      schema: shapes.readingSession,
      async answer(request, viewer) {
        const session = (await ownSessions(request, viewer)).find(({ id }) => id === sessionIn(request));
        if (session === undefined) throw notFound();
        return content(session, ["DELETE"]);
      },
    },
    delete: {
      schema: shapes.endingSession,
      answer: async (request, viewer) => endOwnSession(context, owner(viewer), sessionIn(request)),
    },
  });

  async function ownSessions({ headers }: FastifyRequest, viewer: SignedInViewer) {
    const secret = findCookie(headers.cookie, sessionCookie);
    const sessions = await listSessions(database.reader, owner(viewer).id);
    return sessions.map((session) => presentSession(session, secret));
  }
}

/** The viewer, who did not authenticate with a personal token. Throws 403 otherwise. */
function owner(viewer: SignedInViewer): SignedInViewer {
  if (viewer.hasPersonalToken) throw permissionDenied("A personal token cannot manage the account.");
  return viewer;
}

const sessionIn = ({ params }: FastifyRequest): string => (params as { session: string }).session;
