import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Logger } from "pino";
import { isAmong } from "../request/entity-tag.ts";
import type { RequestIds } from "../request/request-ids.ts";
import { type Answer, CachedResponses, type Version } from "./cached-responses.ts";
import { logRequest } from "./request-log.ts";

/** A request whose response may be cached. */
interface CacheableRequest extends IncomingMessage {
  /** The key of the response, and the database's version from before it is made. */
  caching?: { key: string; version: Version };
}

interface WaitingRequest {
  request: CacheableRequest;
  response: ServerResponse;
  application: RequestListener;
  key: string;
  startedMilliseconds: number;
}

/**
 * The response cache in front of the router. It sends a cached response while the database still has the version from
 * which the response was made, and answers 304 to a client that has the bytes.
 */
export class ResponseCache {
  readonly #responses = new CachedResponses();
  readonly #version: () => Version | Promise<Version>;
  readonly #requestIds: RequestIds;
  readonly #log: Logger;
  #waiting: WaitingRequest[] = [];

  constructor(version: () => Version | Promise<Version>, requestIds: RequestIds, log: Logger) {
    this.#version = version;
    this.#requestIds = requestIds;
    this.#log = log;
  }

  /** Caches the responses that the application sends, and leaves out a body that the client already has. */
  observe(app: FastifyInstance): void {
    app.addHook("onSend", (request, reply, payload, done) => {
      const etag = reply.getHeader("etag");
      if (reply.statusCode !== 200 || typeof etag !== "string" || !Buffer.isBuffer(payload)) {
        done(null, payload);
        return;
      }
      const { caching } = request.raw as CacheableRequest;
      if (caching !== undefined && isForEveryone(reply)) {
        const headers = headersOf(reply, payload);
        const answer = { headers, headersWithoutBody: withoutContent(headers), body: payload, etag };
        this.#responses.add(caching.key, caching.version, answer);
      }
      const isKnown = isReading(request) && isAmong(etag, request.headers["if-none-match"]);
      if (isKnown) dropContent(reply.code(304));
      // Fastify itself leaves out the body of a response to HEAD, and fails if it is already missing.
      done(null, isKnown && request.method === "GET" ? null : payload);
    });
  }

  /** Answers a request from the cache, or has the application answer it. */
  handle(request: CacheableRequest, response: ServerResponse, application: RequestListener): void {
    const key = isHealthCheck(request) ? null : this.#responses.keyOf(request);
    if (key === null || !this.#responses.isSeen(key)) {
      application(request, response);
      return;
    }
    this.#waiting.push({ request, response, application, key, startedMilliseconds: performance.now() });
    if (this.#waiting.length === 1) setImmediate(() => this.#answerWaiting());
  }

  /**
   * Reads the version once for all requests that arrived in this turn of the event loop. It is read after the last of
   * these requests has been parsed. So it is at least as new as any write that was acknowledged before one of them was
   * sent. Reading it with the first request would be too early: the kernel may receive the next one after that.
   */
  #answerWaiting(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    const handOver = (): void => {
      for (const { request, response, application } of waiting) application(request, response);
    };
    const answerAll = (version: Version): void => {
      for (const each of waiting) this.#answer(each, version);
    };
    // The application reports a database that does not answer.
    const version = this.#versionOrNull();
    if (version === null) handOver();
    else if (version instanceof Promise) version.then(answerAll, handOver);
    else answerAll(version);
  }

  #answer(waiting: WaitingRequest, version: Version): void {
    const { request, response, application, key, startedMilliseconds } = waiting;
    const answer = this.#responses.find(key, version);
    if (answer !== null) {
      this.#sendAgain(request, response, answer, startedMilliseconds);
      return;
    }
    request.caching = { key, version };
    application(request, response);
  }

  #versionOrNull(): Version | Promise<Version> | null {
    try {
      return this.#version();
    } catch {
      return null;
    }
  }

  #sendAgain(request: IncomingMessage, response: ServerResponse, answer: Answer, started: number): void {
    const reqId = this.#requestIds.next();
    const status = isAmong(answer.etag, request.headers["if-none-match"]) ? 304 : 200;
    const headers = status === 200 ? answer.headers : answer.headersWithoutBody;
    // Node writes the headers into a text at once, so all responses can use the same array.
    headers[headers.length - 1] = reqId;
    response.writeHead(status, headers);
    response.end(status === 200 ? answer.body : undefined);
    logRequest(this.#log, {
      reqId,
      method: "GET",
      url: request.url ?? "",
      status,
      milliseconds: performance.now() - started,
    });
  }
}

/** A health check must not depend on the database, not even on its version. */
function isHealthCheck({ url = "" }: IncomingMessage): boolean {
  return url.startsWith("/livez") || url.startsWith("/readyz");
}

/** The headers that the application set. The last one, the request's id, is left empty. */
function headersOf(reply: FastifyReply, body: Buffer): string[] {
  const headers = Object.entries(reply.getHeaders()).filter(
    ([name]) => name !== "x-request-id" && name !== "content-length",
  );
  return [
    ...headers.flatMap(([name, value]) => [name, String(value)]),
    "content-length",
    String(body.length),
    "x-request-id",
    "",
  ];
}

function dropContent(reply: FastifyReply): void {
  for (const name of ["content-type", "content-length", "content-encoding"]) reply.removeHeader(name);
}

function withoutContent(headers: readonly string[]): string[] {
  return headers.filter((_, index) => !(headers[index - (index % 2)] as string).startsWith("content-"));
}

/** Private responses are never cached: the right to see them may end, so it is checked on each request. */
function isForEveryone(reply: FastifyReply): boolean {
  return !/private|no-store/.test(String(reply.getHeader("cache-control") ?? ""));
}

/** For a response that depends on the time: it is valid only now, whatever the database's version is. */
export function neverCache({ raw }: FastifyRequest): void {
  delete (raw as CacheableRequest).caching;
}

function isReading(request: FastifyRequest): boolean {
  return request.method === "GET" || request.method === "HEAD";
}
