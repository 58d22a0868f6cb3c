import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Context } from "../../context.ts";
import { permissionDenied, readOnly, throttled } from "../../errors.ts";
import type { Site } from "../../http/browsable/page-shell.ts";
import { queryOf } from "../../http/browsable/view.ts";
import { localSite, visitedSite } from "../../http/browsable/visited-site.ts";
import { formOf, shortBodyLimit } from "../../http/request/body.ts";
import { findCookie } from "../../http/request/cookies.ts";
import { sessionCookie } from "../../http/request/session-cookies.ts";
import {
  type SessionViewer,
  formSender,
  leadToSignIn,
  sessionViewer,
} from "../../http/request/session-viewer.ts";
import { addressesOf } from "../../http/text/addresses.ts";
import { leadToSlash } from "../../http/resource-route.ts";
import type { AssistantClient } from "../../resources/users/assistants/client-store.ts";
import { findClientNow } from "../../resources/users/assistants/clients.ts";
import { giveCode } from "../../resources/users/credentials/give-code.ts";
import { countAttempt } from "../../resources/users/credentials/sign-in-attempt-store.ts";
import { pageTexts } from "../../texts/pages.ts";
import { isFromElsewhere, sendUncached } from "../account/form-pages.ts";
import { assistantResource } from "../mcp/audience.ts";
import {
  type AuthorizationRequest,
  type ReadParameter,
  answerAddress,
  findRedirect,
  maxIdLength,
  readAuthorization,
} from "./authorization-request.ts";
import { renderConsentPage, renderRefusalPage } from "./consent-page.ts";

export const consentPaths = ["/oauth/authorize/"] as const;

/** Within a quarter of an hour, for one person: each may fetch a document from somewhere. */
const maxRequests = 60;

/** A move or an upgrade takes minutes. */
const readOnlyRetrySeconds = 120;

/** What clients send, and the form again. */
const parameterNames = [
  "response_type",
  "client_id",
  "redirect_uri",
  "code_challenge",
  "code_challenge_method",
  "resource",
  "scope",
  "state",
] as const;

/**
 * Where assistants send people, to be asked whether they connect them. Nobody is led to an address before a person has
 * pressed a button: anybody can register a client, so its addresses are those of strangers, even when they are its own.
 */
export function consentRoutes(app: FastifyInstance, context: Context): void {
  const path = "/oauth/authorize/";
  const config = { takesLongQuery: true };
  const pages = new ConsentPages(context);

  app.get(path, { schema: {}, config }, async (request, reply) => {
    // Nobody could consent, and reading what a client says of itself is kept.
    if (context.config.readOnly) throw readOnly(readOnlyRetrySeconds);
    const viewer = sessionViewer(request);
    if (viewer === null) return leadToSignIn(reply, `${baseOf(app.site)}${request.url.slice(1)}`);
    const query = queryOf(request);
    const asked = await pages.read(request, reply, viewer, (name) => query.last(name));
    return asked === null ? reply : pages.ask(request, reply, viewer, asked);
  });
  leadToSlash(app, path);

  app.post(path, { schema: {}, bodyLimit: shortBodyLimit }, async (request, reply) => {
    const viewer = formSender(request);
    if (isFromElsewhere(context.config, request)) throw permissionDenied();
    const read: ReadParameter = (name) => formOf(request).get(name)?.at(-1);
    const asked = await pages.read(request, reply, viewer, read);
    return asked === null ? reply : pages.decide(request, reply, viewer, asked, read);
  });
}

/** The path of this service on the host of the API, to which sessions belong. */
const baseOf = ({ api }: Pick<Site, "api">): string => api.slice(0, -"api/".length);

interface Asked {
  client: AssistantClient;
  request: AuthorizationRequest;
  parameters: Readonly<Record<string, string>>;
}

class ConsentPages {
  readonly #context: Context;

  constructor(context: Context) {
    this.#context = context;
  }

  /** What a client asks for. Null if that was refused on a page. */
  async read(
    request: FastifyRequest,
    reply: FastifyReply,
    viewer: SessionViewer,
    read: ReadParameter,
  ): Promise<Asked | null> {
    const { database } = this.#context;
    const wait = await countAttempt(database, `consent of ${viewer.id}`, maxRequests);
    if (wait !== null) throw throttled(wait);
    const texts = pageTexts(localSite(request)).account.assistants;
    const refuse = (problem: string, back: string | null = null): null => {
      sendRefusal(request, reply.code(400), problem, back);
      return null;
    };
    const clientId = read("client_id") ?? "";
    const isReadable = clientId !== "" && clientId.length <= maxIdLength && !clientId.includes("\0");
    const client = isReadable ? await findClientNow(this.#context, clientId) : null;
    if (client === null) return refuse(texts.unknownClient);
    const redirectUri = findRedirect(read, client);
    if (redirectUri === null) return refuse(texts.otherRedirect);
    const issuer = this.#issuer(request);
    const asked = readAuthorization(read, { clientId, redirectUri, resource: assistantResource(issuer) });
    if ("error" in asked) {
      const { error, reason } = asked;
      const where = { redirectUri, state: read("state") ?? null };
      return refuse(
        texts.badRequest(reason),
        answerAddress(where, issuer, { error, error_description: reason }),
      );
    }
    return { client, request: asked, parameters: parametersIn(read) };
  }

  ask(
    request: FastifyRequest,
    reply: FastifyReply,
    { name, username, csrfToken }: SessionViewer,
    { client, request: asked, parameters }: Asked,
  ): FastifyReply {
    const person = name === "" || name === username ? username : `${name} (${username})`;
    const site = visitedSite(request);
    const action = `${baseOf(site)}oauth/authorize/`;
    const page = renderConsentPage(site, { action, person, csrfToken, client, asked, parameters });
    return sendUncached(reply, asked.redirectUri, page);
  }

  async decide(
    request: FastifyRequest,
    reply: FastifyReply,
    viewer: SessionViewer,
    { client, request: asked }: Asked,
    read: ReadParameter,
  ): Promise<FastifyReply> {
    const issuer = this.#issuer(request);
    reply.header("cache-control", "no-store");
    if (read("decision") !== "allow") {
      return reply.redirect(answerAddress(asked, issuer, { error: "access_denied" }), 303);
    }
    const given = await giveCode(this.#context, {
      secret: findCookie(request.headers.cookie, sessionCookie) ?? "",
      userId: viewer.id,
      clientId: client.id,
      redirectUri: asked.redirectUri,
      challenge: asked.challenge,
      resource: assistantResource(issuer),
      mayWrite: asked.wantsToWrite && read("access") === "write",
    });
    if (given === "no session") throw permissionDenied();
    if (given === "second factor needed") {
      const { factorNeeded } = pageTexts(localSite(request)).account.assistants;
      const back = answerAddress(asked, issuer, { error: "access_denied" });
      return sendRefusal(request, reply.code(403), factorNeeded, back);
    }
    return reply.redirect(answerAddress(asked, issuer, { code: given.code }), 303);
  }

  #issuer(request: FastifyRequest): string {
    return addressesOf(this.#context.config, request).api;
  }
}

function parametersIn(read: ReadParameter): Record<string, string> {
  return Object.fromEntries(
    parameterNames.flatMap((name) => {
      const value = read(name);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

function sendRefusal(
  request: FastifyRequest,
  reply: FastifyReply,
  problem: string,
  back: string | null,
): FastifyReply {
  const site = visitedSite(request);
  return sendUncached(reply, site.home, renderRefusalPage(site, { problem, back }));
}
