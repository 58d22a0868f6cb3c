import { randomBytes } from "node:crypto";
import {
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
  createServer,
} from "node:http";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Logger } from "pino";
import { maxQueryLength } from "../../search/query-limits.ts";
import { isAmong } from "../request/entity-tag.ts";
import { type Answer, RecentAnswers, type Version } from "./recent-answers.ts";

/** Long enough for a large file over a slow connection. Headers still have to arrive within a minute. */
const maxRequestMilliseconds = 2 * 3600 * 1000;

/** In bytes: the address (without a long query) and the headers. The same limit as Node's default. */
const usualHead = 16 * 1024;
/** A character has at most four bytes, each written as `%F0`. */
const maxPlainQueryLength = maxQueryLength * 4 * 3;

/** Whether a request's head is longer than its parsers are built for: some of them become slow on long input. */
export function isHeadTooLarge({ url = "", rawHeaders }: IncomingMessage, takesLongQuery: boolean): boolean {
  const query = takesLongQuery ? url.indexOf("?") : -1;
  let bytes = query === -1 ? url.length : query;
  for (const text of rawHeaders) bytes += text.length;
  return bytes > usualHead || url.length > maxPlainQueryLength + usualHead;
}

/** Set on a request before the application receives it. */
interface Fronted extends IncomingMessage {
  requestId?: string;
  /** The cache key for its response, and the database's version before the response was made. */
  remembering?: { key: string; version: Version };
}

/**
 * Stands before the application: gives each request an id, serves cached responses while they are valid, and sends
 * 304 to clients that already have the bytes. A cached response never reaches the router.
 */
export class Front {
  readonly #answers = new RecentAnswers();
  readonly #version: () => Version | Promise<Version>;
  readonly #log: Logger;
  readonly #run = randomBytes(4).toString("hex");
  #requests = 0;

  constructor(version: () => Version | Promise<Version>, log: Logger) {
    this.#version = version;
    this.#log = log;
  }

  /** The server for Fastify to use. */
  readonly serverFactory = (application: RequestListener): Server =>
    createServer(
      {
        keepAliveTimeout: 72_000,
        requestTimeout: maxRequestMilliseconds,
        maxHeaderSize: maxPlainQueryLength + usualHead,
      },
      (request, response) => this.#receive(request, response, application),
    );

  readonly requestId = (request: IncomingMessage): string => (request as Fronted).requestId ?? this.#newId();

  /** Caches the application's responses, and omits a body that the client already has. */
  observe(app: FastifyInstance): void {
    app.addHook("onSend", (request, reply, payload, done) => {
      const etag = reply.getHeader("etag");
      if (reply.statusCode !== 200 || typeof etag !== "string" || !Buffer.isBuffer(payload)) {
        done(null, payload);
        return;
      }
      const { remembering } = request.raw as Fronted;
      if (remembering !== undefined && isForEveryone(reply)) {
        const answer = { headers: headersOf(reply, payload), body: payload, etag };
        this.#answers.remember(remembering.key, remembering.version, answer);
      }
      const isKnown = isReading(request) && isAmong(etag, request.headers["if-none-match"]);
      if (isKnown) reply.code(304).removeHeader("content-type").removeHeader("content-length");
      // Fastify itself drops the body of a response to HEAD, and fails if there is none.
      done(null, isKnown && request.method === "GET" ? null : payload);
    });
  }

  #receive(request: Fronted, response: ServerResponse, application: RequestListener): void {
    const started = performance.now();
    const handOver = (): void => {
      request.requestId = this.#newId();
      application(request, response);
    };
    const key = isHealthCheck(request) ? null : this.#answers.keyOf(request);
    if (key === null || !this.#answers.isSeen(key)) return handOver();
    const sendCachedOrHandOver = (version: Version): void => {
      const answer = this.#answers.find(key, version);
      if (answer !== null) return this.#sendAgain(request, response, answer, started);
      request.remembering = { key, version };
      handOver();
    };
    // The application reports a database that does not respond.
    const version = this.#versionOrNull();
    if (version === null) handOver();
    else if (version instanceof Promise) version.then(sendCachedOrHandOver, handOver);
    else sendCachedOrHandOver(version);
  }

  #versionOrNull(): Version | Promise<Version> | null {
    try {
      return this.#version();
    } catch {
      return null;
    }
  }

  #sendAgain(request: IncomingMessage, response: ServerResponse, answer: Answer, started: number): void {
    const reqId = this.#newId();
    const status = isAmong(answer.etag, request.headers["if-none-match"]) ? 304 : 200;
    const headers = status === 200 ? answer.headers : withoutContent(answer.headers);
    response.writeHead(status, [...headers, "x-request-id", reqId]);
    response.end(status === 200 ? answer.body : undefined);
    logRequest(this.#log, {
      reqId,
      method: "GET",
      url: request.url ?? "",
      status,
      milliseconds: performance.now() - started,
    });
  }

  #newId(): string {
    return `${this.#run}-${(++this.#requests).toString(36)}`;
  }
}

/** Health checks never query the database, not even for its version. */
function isHealthCheck({ url = "" }: IncomingMessage): boolean {
  return url.startsWith("/livez") || url.startsWith("/readyz");
}

interface RequestLine {
  reqId: string;
  method: string;
  url: string;
  status: number;
  milliseconds: number;
}

const maxLoggedPathLength = 2000;

/** Logs one line a request, without the query, which may hold private text. */
export function logRequest(log: Logger, { url, milliseconds, ...line }: RequestLine): void {
  const query = url.indexOf("?");
  const path = (query === -1 ? url : url.slice(0, query)).slice(0, maxLoggedPathLength);
  log.info({ ...line, path, milliseconds: Math.round(milliseconds * 10) / 10 }, "request");
}

/** The headers that the application set, without those of this one request. */
function headersOf(reply: FastifyReply, body: Buffer): string[] {
  const headers = Object.entries(reply.getHeaders()).filter(
    ([name]) => name !== "x-request-id" && name !== "content-length",
  );
  return [
    ...headers.flatMap(([name, value]) => [name, String(value)]),
    "content-length",
    String(body.length),
  ];
}

function withoutContent(headers: readonly string[]): string[] {
  return headers.filter((_, index) => !(headers[index - (index % 2)] as string).startsWith("content-"));
}

/** Private responses are never cached: permission is checked on each request and may be withdrawn. */
function isForEveryone(reply: FastifyReply): boolean {
  return !/private|no-store/.test(String(reply.getHeader("cache-control") ?? ""));
}

/** Keeps a response that depends on the time out of the cache: the database's version does not say when it expires. */
export function neverRemember({ raw }: FastifyRequest): void {
  delete (raw as Fronted).remembering;
}

function isReading(request: FastifyRequest): boolean {
  return request.method === "GET" || request.method === "HEAD";
}
