import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Logger } from "pino";
import { isAmong } from "../request/entity-tag.ts";
import { isHeadTooLarge } from "../request/head-limits.ts";
import type { RequestIds } from "../request/request-ids.ts";
import { type Answer, CachedResponses, type Head, type Version } from "./cached-responses.ts";
import { KnownLists, type ListPage, type PageAt } from "./known-lists.ts";
import { logRequest } from "./request-log.ts";

/** A request whose response may be cached. */
interface CacheableRequest extends IncomingMessage {
  /** The key of the response, and the database's version from before it is made. */
  caching?: { key: string; version: Version };
  pageAt?: PageAt;
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
 * which the response was made, and answers 304 to a client that has the bytes. It also sends the pages of known lists.
 */
export class ResponseCache {
  readonly #responses = new CachedResponses();
  readonly #lists = new KnownLists();
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
      const { caching, pageAt } = request.raw as CacheableRequest;
      const isShared = isForEveryone(reply);
      if (caching !== undefined && isShared) {
        const answer = { ...headOf(reply, payload, etag), body: payload, etag };
        this.#responses.add(caching.key, caching.version, answer);
      }
      if (pageAt !== undefined && isShared && !reply.hasHeader("content-encoding")) {
        const key = this.#responses.keyOf(request.raw);
        if (key !== null) this.#lists.add(key, { pageAt, head: headOf(reply, payload, etag) });
      }
      const isKnown = isReading(request) && isAmong(etag, request.headers["if-none-match"]);
      if (isKnown) dropContent(reply.code(304));
      // Fastify itself leaves out the body of a response to HEAD, and fails if it is already missing.
      done(null, isKnown && request.method === "GET" ? null : payload);
    });
  }

  /** Answers a request from the cache, or has the application answer it. */
  handle(request: CacheableRequest, response: ServerResponse, application: RequestListener): void {
    const isForApplication = isHealthCheck(request) || isHeadTooLarge(request, false);
    const key = isForApplication ? null : this.#responses.keyOf(request);
    if (key === null) {
      application(request, response);
      return;
    }
    if (!this.#responses.isSeen(key)) {
      this.#sendPage(request, response, application, key);
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
      this.#send(request, response, answer, startedMilliseconds);
      return;
    }
    request.caching = { key, version };
    application(request, response);
  }

  /** Sends a page of a known list. Everything else is left to the application, also to say what is wrong. */
  #sendPage(
    request: CacheableRequest,
    response: ServerResponse,
    application: RequestListener,
    key: string,
  ): void {
    const found = this.#lists.find(key);
    if (found === null) {
      application(request, response);
      return;
    }
    const { list, cursor } = found;
    const startedMilliseconds = performance.now();
    list.pageAt(cursor).then(
      (page) => this.#send(request, response, answerWith(list.head, page), startedMilliseconds),
      () => application(request, response),
    );
  }

  #versionOrNull(): Version | Promise<Version> | null {
    try {
      return this.#version();
    } catch {
      return null;
    }
  }

  #send(request: IncomingMessage, response: ServerResponse, answer: Answer, started: number): void {
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

/**
 * The headers that the application set. Those that differ between the pages of a list are at the end: the entity tag,
 * the length of the body, and the request's id, which is left empty.
 */
function headOf(reply: FastifyReply, body: Buffer, etag: string): Head {
  const atEnd = new Set(["etag", "content-length", "x-request-id"]);
  const others = Object.entries(reply.getHeaders()).filter(([name]) => !atEnd.has(name));
  const headers = [
    ...others.flatMap(([name, value]) => [name, String(value)]),
    "etag",
    etag,
    "content-length",
    String(body.length),
    "x-request-id",
    "",
  ];
  return { headers, headersWithoutBody: withoutContent(headers) };
}

/** Like the request's id, the headers of another page are written into the same arrays. */
function answerWith({ headers, headersWithoutBody }: Head, { body, etag }: ListPage): Answer {
  headers[headers.length - 5] = etag;
  headers[headers.length - 3] = String(body.length);
  headersWithoutBody[headersWithoutBody.length - 3] = etag;
  return { headers, headersWithoutBody, body, etag };
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

/**
 * Lets the response cache send the other pages of a list, for requests that differ from this one in the cursor alone.
 */
export function offerPages({ raw }: FastifyRequest, pageAt: PageAt): void {
  (raw as CacheableRequest).pageAt = pageAt;
}

/** For a response that depends on the time: it is valid only now, whatever the database's version is. */
export function neverCache({ raw }: FastifyRequest): void {
  delete (raw as CacheableRequest).caching;
}

function isReading(request: FastifyRequest): boolean {
  return request.method === "GET" || request.method === "HEAD";
}
