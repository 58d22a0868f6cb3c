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

/** A large file over a slow line. Headers have to come within a minute all the same. */
const maxRequestMilliseconds = 2 * 3600 * 1000;

/** In bytes: the address, but for a long query, and the headers. As much as Node takes by itself. */
const usualHead = 16 * 1024;
/** Characters of four bytes, of which each is written `%F0`. */
const maxPlainQueryLength = maxQueryLength * 4 * 3;

/** Whether a request has more before its body than what reads that is made for: some parsers get slow with it. */
export function isHeadTooLarge({ url = "", rawHeaders }: IncomingMessage, takesLongQuery: boolean): boolean {
  const query = takesLongQuery ? url.indexOf("?") : -1;
  let bytes = query === -1 ? url.length : query;
  for (const text of rawHeaders) bytes += text.length;
  return bytes > usualHead || url.length > maxPlainQueryLength + usualHead;
}

/** Set on a request before the application gets it. */
interface Fronted extends IncomingMessage {
  requestId?: string;
  /** Where its answer may be remembered, and the database's version from before it is made. */
  remembering?: { key: string; version: Version };
}

/**
 * What stands before the application: it numbers requests, sends recent answers again while they hold, and answers
 * those who have the bytes already. An answer that is sent again never reaches the router.
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

  /** The server that Fastify is to use. */
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

  /** Sees every answer that the application sends: remembers it, and leaves out a body that the client has. */
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
      // Fastify leaves out the body of an answer to HEAD itself, and fails when it is not there.
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
    const sendOrHandOver = (version: Version): void => {
      const answer = this.#answers.find(key, version);
      if (answer !== null) return this.#sendAgain(request, response, answer, started);
      request.remembering = { key, version };
      handOver();
    };
    // A database that does not answer is the application's to report.
    const version = this.#versionOrNull();
    if (version === null) handOver();
    else if (version instanceof Promise) version.then(sendOrHandOver, handOver);
    else sendOrHandOver(version);
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

/** Whether the process lives is not asked of the database, not even for its version. */
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

/** One line a request, with the path alone: a query may hold what is nobody's business. */
export function logRequest(log: Logger, { url, milliseconds, ...line }: RequestLine): void {
  const query = url.indexOf("?");
  const path = (query === -1 ? url : url.slice(0, query)).slice(0, maxLoggedPathLength);
  log.info({ ...line, path, milliseconds: Math.round(milliseconds * 10) / 10 }, "request");
}

/** As the application set them, but for those that belong to one request. */
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

/** A private answer is sent to whoever has the right to it, which is asked again each time and may end. */
function isForEveryone(reply: FastifyReply): boolean {
  return !/private|no-store/.test(String(reply.getHeader("cache-control") ?? ""));
}

/** For an answer that depends on the time: it holds only now, whatever the database's version says. */
export function neverRemember({ raw }: FastifyRequest): void {
  delete (raw as Fronted).remembering;
}

function isReading(request: FastifyRequest): boolean {
  return request.method === "GET" || request.method === "HEAD";
}
