import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Logger } from "pino";
import { headTooLarge, readOnly } from "../errors.ts";
import { inTrace } from "../trace.ts";
import { everyAnswer } from "./response/common-headers.ts";
import { type AddressSettings, isOverHttps } from "./text/addresses.ts";
import { isHeadTooLarge } from "./request/head-limits.ts";
import type { RequestLimits } from "./request/request-limits.ts";
import { OutageRefusals } from "./response/outage-refusals.ts";
import { warnOfParameters } from "./response/parameter-warning.ts";
import type { AnsweredRequest, RequestLog } from "./response/request-log.ts";
import { UntrustedProxies } from "./request/untrusted-proxies.ts";
import { negotiate } from "./browsable/view.ts";
import { type Viewer, anonymous } from "./request/viewer.ts";

export interface RequestRules {
  log: Logger;
  requestLog: RequestLog;
  limits: RequestLimits;
  /**
   * The user to whom these credentials belong: an `Authorization` header or a cookie. Throws the refusal for invalid
   * credentials.
   */
  authenticate(request: FastifyRequest): Promise<Viewer>;
  /** The origins whose pages may read responses to signed-in users. */
  allowedOrigins: readonly string[];
  /** The public addresses of this service, if they are configured. */
  addresses: AddressSettings;
  /** How long browsers that connected by HTTPS must use HTTPS alone; 0 sends no such header. */
  hstsSeconds: number;
  /** Whether every request that may change something is refused. */
  isReadOnly: boolean;
}

const readingMethods: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

/** A move or an upgrade takes minutes. */
const readOnlyRetrySeconds = 120;

/** Handles every request before its route does: authentication, content negotiation and the common response headers. */
export function readRequests(app: FastifyInstance, rules: RequestRules): void {
  const proxies = new UntrustedProxies(rules.log);
  const refusals = new OutageRefusals(rules.log);
  refusals.observe(app);
  warnOfParameters(app);
  app.decorate("addressSettings", rules.addresses);
  app.decorate("viewNames", new Map());
  app.decorateRequest("viewer");
  app.decorateRequest("representation", "json");
  app.decorateRequest("isInvited", true);
  app.addHook("onRequest", (request, reply, done) => {
    request.viewer = anonymous;
    reply.headers(everyAnswer).header("x-request-id", request.id);
    if (rules.hstsSeconds > 0 && isOverHttps(rules.addresses.url, request)) {
      reply.header("strict-transport-security", `max-age=${rules.hstsSeconds}`);
    }
    if (request.headers["x-forwarded-for"] !== undefined) proxies.notice(request);
    rules.limits.refuse(request.raw);
    if (isHeadTooLarge(request.raw, request.routeOptions.config.takesLongQuery === true)) {
      throw headTooLarge();
    }
    shareWithOrigin(rules, request, reply);
    if (isPreflight(request)) {
      allowAll(reply);
      return;
    }
    if (rules.isReadOnly && mayChange(request)) throw readOnly(readOnlyRetrySeconds);
    const { isHidden, view } = request.routeOptions.config;
    if (view !== undefined && isHidden !== true) negotiate(request);
    const { authorization, cookie } = request.headers;
    const isAnonymous = authorization === undefined && cookie === undefined;
    if (isAnonymous || request.routeOptions.config.ignoresCredentials === true) {
      if (!isAnonymous) rules.limits.count(request.raw, reply.raw, anonymous);
      done();
      return;
    }
    void authenticateThen(rules, request, reply, done);
  });
  // A slow body may take longer than a session or a permission lasts, so the user's rights are checked again once it
  // has arrived.
  app.addHook("preHandler", (request, reply, done) => {
    const goOn = (): void => {
      if (request.viewer.kind === "user" && request.body !== undefined) {
        void authenticateThen(rules, request, reply, done);
      } else done();
    };
    const { traceparent } = request.headers;
    if (traceparent === undefined) goOn();
    else inTrace(traceparent, goOn);
  });
  app.addHook("onResponse", (request, reply, done) => {
    const answered = answeredRequest(request, reply);
    if (request.outage === null) rules.requestLog.answered(answered);
    else {
      rules.requestLog.measure(answered);
      refusals.count(request.outage);
    }
    done();
  });
}

function mayChange({ method, routeOptions: { config } }: FastifyRequest): boolean {
  return !readingMethods.has(method) && config.changesNothingItself !== true;
}

function answeredRequest(request: FastifyRequest, reply: FastifyReply): AnsweredRequest {
  const { id, method, url, routeOptions, viewer, raw } = request;
  return {
    raw,
    userId: (viewer.kind === "user" ? viewer : viewer.account)?.id ?? null,
    reqId: id,
    method,
    url,
    route: routeOptions.url,
    status: reply.statusCode,
    milliseconds: reply.elapsedTime,
    origin: "application",
  };
}

/** Not an async hook: that would cost every request, even an anonymous one, an extra tick of the event loop. */
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
    else if (request.viewer.guest !== undefined) {
      keepFromOthers(rules, request, reply);
      reply.headers(guestAnswer);
    }
  } catch (error) {
    failure = error as Error;
  }
  // A body has been received meanwhile: the request was counted when it began.
  if (request.body === undefined) failure = refusalByLimit(rules, request, reply) ?? failure;
  done(failure);
}

function refusalByLimit(
  { limits }: RequestRules,
  request: FastifyRequest,
  reply: FastifyReply,
): Error | null {
  try {
    limits.count(request.raw, reply.raw, request.viewer);
    return null;
  } catch (error) {
    return error as Error;
  }
}

function isPreflight(request: FastifyRequest): boolean {
  return request.method === "OPTIONS" && request.headers["access-control-request-method"] !== undefined;
}

/**
 * Pages of any origin may read anonymous responses: they hold nothing to protect. Browsers show responses to requests
 * with credentials only to an allowed origin. So once origins are configured, every response varies by origin and
 * says so; the document list does not, since its headers are fixed.
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

/**
 * A response to a signed-in user is private: pages of other origins cannot read it, and shared caches do not store
 * it.
 */
function keepFromOthers(
  { allowedOrigins }: RequestRules,
  { headers }: FastifyRequest,
  reply: FastifyReply,
): void {
  reply.header("cache-control", "private, no-cache");
  if (!allowedOrigins.includes(headers.origin ?? "")) reply.removeHeader("access-control-allow-origin");
}

/** What a guest may see may end at any moment, and its addresses are nobody else's business. */
const guestAnswer = { "cache-control": "private, no-store", "referrer-policy": "no-referrer" };

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
