import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Logger } from "pino";
import { headTooLarge } from "../errors.ts";
import { everyAnswer } from "./response/common-headers.ts";
import { isOverHttps } from "./text/addresses.ts";
import { isHeadTooLarge } from "./request/head-limits.ts";
import { logRequest } from "./response/request-log.ts";
import { chooseRepresentation, checkVersion } from "./request/negotiation.ts";
import { UntrustedProxies } from "./request/untrusted-proxies.ts";
import { queryOf } from "./browsable/view.ts";
import { type Viewer, anonymous } from "./request/viewer.ts";

export interface RequestRules {
  log: Logger;
  /** Who sent these credentials: an `Authorization` header or a cookie. Throws what they are told who sent bad ones. */
  authenticate(request: FastifyRequest): Promise<Viewer>;
  /** Whose pages may read what is answered to someone who has signed in. */
  allowedOrigins: readonly string[];
  /** Where this service is reached from outside, if a setting says so. */
  url: string | null;
  /** For how long browsers that came by HTTPS are to come by HTTPS alone; 0: they are not told. */
  hstsSeconds: number;
}

/** What every request meets before its route: who asks, what to answer with, and the headers of every answer. */
export function readRequests(app: FastifyInstance, rules: RequestRules): void {
  const proxies = new UntrustedProxies(rules.log);
  app.decorateRequest("viewer");
  app.decorateRequest("representation", "json");
  app.decorateRequest("isInvited", true);
  app.addHook("onRequest", (request, reply, done) => {
    request.viewer = anonymous;
    reply.headers(everyAnswer).header("x-request-id", request.id);
    if (rules.hstsSeconds > 0 && isOverHttps(rules.url, request)) {
      reply.header("strict-transport-security", `max-age=${rules.hstsSeconds}`);
    }
    proxies.notice(request);
    if (isHeadTooLarge(request.raw, request.routeOptions.config.takesLongQuery === true)) {
      throw headTooLarge();
    }
    shareWithOrigin(rules, request, reply);
    if (isPreflight(request)) {
      allowAll(reply);
      return;
    }
    if (request.routeOptions.config.view !== undefined) {
      const { accept } = request.headers;
      // For a refusal: a browser that asks for what there is not should be told so in a page.
      if (accept?.includes("text/html")) request.representation = "page";
      const query = queryOf(request);
      request.representation = chooseRepresentation(query.last("format"), accept);
      checkVersion(query.last("version"));
    }
    const { authorization, cookie } = request.headers;
    const isAnonymous = authorization === undefined && cookie === undefined;
    if (isAnonymous || request.routeOptions.config.ignoresCredentials === true) {
      done();
      return;
    }
    void authenticateThen(rules, request, reply, done);
  });
  // A body may take its time; what counts is what its sender may do when it has come.
  app.addHook("preHandler", async (request) => {
    if (request.viewer.kind === "user" && request.body !== undefined) {
      request.viewer = await rules.authenticate(request);
    }
  });
  app.addHook("onResponse", ({ id, method, url }, reply, done) => {
    logRequest(rules.log, {
      reqId: id,
      method,
      url,
      status: reply.statusCode,
      milliseconds: reply.elapsedTime,
    });
    done();
  });
}

/** Not an async hook: that would cost every request a turn, also those without credentials. */
async function authenticateThen(
  rules: RequestRules,
  request: FastifyRequest,
  reply: FastifyReply,
  done: (error?: Error) => void,
): Promise<void> {
  let failure: Error | undefined;
  try {
    request.viewer = await rules.authenticate(request);
    if (request.viewer.kind === "user") keepFromOthers(rules, request, reply);
  } catch (error) {
    failure = error as Error;
  }
  done(failure);
}

function isPreflight(request: FastifyRequest): boolean {
  return request.method === "OPTIONS" && request.headers["access-control-request-method"] !== undefined;
}

/**
 * Anonymous answers are for pages of any origin: there is nothing to protect them from. Only to an allowed origin a
 * browser also shows what it asked for with credentials. So where origins are allowed, each answer depends on the
 * origin and says so; the document list does not, since its headers are fixed.
 */
function shareWithOrigin(
  { allowedOrigins }: RequestRules,
  { headers, routeOptions }: FastifyRequest,
  reply: FastifyReply,
): void {
  const { origin } = headers;
  if (allowedOrigins.length > 0 && routeOptions.config.hasFixedVary !== true) {
    reply.header("vary", `${everyAnswer.vary}, Origin`);
  }
  if (origin === undefined || !allowedOrigins.includes(origin)) return;
  reply.header("access-control-allow-origin", origin).header("access-control-allow-credentials", "true");
}

/** What is answered to someone who has signed in is theirs: no other origin's pages read it, no shared cache keeps it. */
function keepFromOthers(
  { allowedOrigins }: RequestRules,
  { headers }: FastifyRequest,
  reply: FastifyReply,
): void {
  reply.header("cache-control", "private, no-cache");
  if (!allowedOrigins.includes(headers.origin ?? "")) reply.removeHeader("access-control-allow-origin");
}

function allowAll(reply: FastifyReply): FastifyReply {
  return reply
    .headers({
      "access-control-allow-methods": "DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT",
      "access-control-allow-headers":
        "accept, authorization, content-type, if-match, if-none-match, tus-resumable, upload-length, " +
        "upload-metadata, upload-offset, x-csrftoken, x-requested-with",
      "access-control-max-age": "86400",
    })
    .send();
}
