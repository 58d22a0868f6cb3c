import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Context } from "../../context.ts";
import { sessionCookie, setSessionCookies } from "../../http/request/session-cookies.ts";
import { invalidFields, notFound, permissionDenied, throttled } from "../../errors.ts";
import { listContent, sendCreated } from "../../http/collection.ts";
import { membersIn, readFields } from "../../http/fields/fields.ts";
import { resourceRoute } from "../../http/resource-route.ts";
import { bodyOf, shortBodyLimit } from "../../http/request/body.ts";
import { findCookie } from "../../http/request/cookies.ts";
import { idIn } from "../../http/request/path-parameters.ts";
import { type SignedInViewer, signedIn, writing } from "../../http/request/viewer.ts";
import { content, pageContent, send } from "../../http/response/representation.ts";
import { addressesOf } from "../../http/text/addresses.ts";
import { TooBusy } from "../../secrets/passwords.ts";
import { findAccountById, findProfile } from "../users/account-store.ts";
import { changeOwnPassword, changeProfile } from "../users/change-account.ts";
import {
  addApiToken,
  findOwnApiToken,
  listOwnApiTokens,
  removeOwnApiToken,
} from "../users/credentials/api-token-store.ts";
import { addSession, cookiesOf, listSessions, removeOwnSession } from "../users/credentials/session-store.ts";
import { signIn } from "../users/credentials/sign-in.ts";
import { newTokenFields, passwordFields, profileFields } from "./fields.ts";
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
 * The viewer's own account: name, password, personal tokens and sessions. Personal tokens may not use these addresses, so
 * that a leaked token cannot make others or take the account over.
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
        const profile = readFields(profileFields, membersIn(profileFields, bodyOf(request)), "part");
        if (!(await changeProfile(context, viewer.id, profile))) {
          throw invalidFields({ email: ["Another user has this email address."] });
        }
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
        const { current_password = "", password = "" } = readFields(
          passwordFields,
          membersIn(passwordFields, bodyOf(request)),
          "whole",
        );
        // A wrong password counts as a failed attempt to sign in, so that it cannot be guessed here.
        const { username } = viewer;
        const attempt = { username, password: current_password, address: request.ip };
        if ((await signIn(context, attempt))?.id !== viewer.id) {
          throw invalidFields({ current_password: ["This is not your password."] });
        }
        await changeOwnPassword(context, viewer.id, password).catch((error: unknown) => {
          throw error instanceof TooBusy ? throttled(1) : error;
        });
        if (viewer.csrfToken !== null) {
          // The new password has ended every session, so this browser gets a new one.
          const account = await findAccountById(database.reader, viewer.id);
          const secret = account && (await addSession(context, account, request.headers["user-agent"]));
          if (secret !== null) setSessionCookies(config, request, reply, cookiesOf(secret));
        }
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
          offers: viewer.mayWrite ? ["POST"] : [],
        });
        return send(request, reply, page);
      },
    },
    post: {
      schema: shapes.creatingToken,
      async handler(request, reply) {
        const viewer = changer(request);
        const {
          name = "",
          may_write = false,
          expires_at = null,
        } = readFields(newTokenFields, membersIn(newTokenFields, bodyOf(request)), "whole");
        const { id, token } = await database.write((writer) =>
          addApiToken(writer, viewer.id, { name, mayWrite: may_write, expiresAt: expires_at }),
        );
        const row = await findOwnApiToken(database.reader, viewer.id, id);
        if (row === null) throw notFound();
        reply.header("cache-control", "no-store");
        const location = `${addressesOf(config, request).api}/api/account/tokens/${id}/`;
        return sendCreated(request, reply, location, content({ ...presentToken(row), token }));
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
        const { id: userId } = changer(request);
        const id = idIn(request, "id");
        if (!(await database.write((writer) => removeOwnApiToken(writer, userId, id)))) throw notFound();
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
        return send(request, reply, pageContent({ next: null, previous: null }, sessions));
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
        const { id } = changer(request);
        const isEnded = await database.write((writer) => removeOwnSession(writer, id, sessionIn(request)));
        if (!isEnded) throw notFound();
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
function owner(request: FastifyRequest): SignedInViewer {
  const viewer = signedIn(request.viewer);
  if (viewer.hasPersonalToken) throw permissionDenied("A personal token cannot manage the account.");
  return viewer;
}

function changer(request: FastifyRequest): SignedInViewer {
  writing(request.viewer);
  return owner(request);
}

const sessionIn = ({ params }: FastifyRequest): string => (params as { session: string }).session;
