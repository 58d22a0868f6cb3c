import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { isDatabaseFull } from "../../database/dialect.ts";
import { TooSlowError } from "../../database/read-worker.ts";
import { DatabaseUnavailableError } from "../../database/database-unavailable.ts";
import {
  ApiError,
  brokenOff,
  databaseUnreachable,
  filesUnreachable,
  headTooLarge,
  isOutOfRoom,
  noRoomForRecords,
  notFound,
  reasonOf,
  tooBusy,
  unsupportedMediaType,
} from "../../errors.ts";
import { FilesUnavailableError } from "../../files/files-unavailable.ts";
import { type Site, pageSecurityPolicy } from "../browsable/page-shell.ts";
import { everyAnswer } from "./common-headers.ts";
import { content, send, sendPage } from "./representation.ts";
import { visitedSite } from "../browsable/visited-site.ts";

/** Draws a failure for a person who is not at the API. */
export type RenderError = (site: Site, status: number, title: string, message: string) => string;

/** Every failure leaves in the API's shape, or as a page for people; one that is not the client's is logged, once. */
export function answerErrors(app: FastifyInstance, renderError: RenderError): void {
  app.setNotFoundHandler((request, reply) => sendError(request, reply, notFound()));
  // Before its body, which no route could say the type of.
  app.addHook("onRequest", (request, _reply, done) => done(request.is404 ? notFound() : undefined));
  app.setErrorHandler<FastifyError | ApiError>((error, request, reply) => {
    if (error instanceof ApiError) return sendError(request, reply, error);
    const passing = passingRefusalOf(error);
    if (passing !== null) {
      const reason = error.cause === undefined ? error.message : `${error.message}: ${reasonOf(error.cause)}`;
      request.log.error({ reason }, "A request could not be answered for now");
      return sendError(request, reply, passing);
    }
    if (isOutOfRoom(error) || isDatabaseFull(error)) {
      request.log.error({ err: error }, "There is no room left");
      return sendError(request, reply, noRoomForRecords());
    }
    if (hasLeft(request, error)) return sendError(request, reply, brokenOff());
    const status = error.statusCode ?? 500;
    // Fastify refuses what is not even written like a type before any parser of ours sees it.
    if (status === 415) {
      return sendError(request, reply, unsupportedMediaType(request.headers["content-type"] ?? ""));
    }
    if (status < 500) return sendError(request, reply, new ApiError(status, { detail: error.message }));
    request.log.error({ err: error }, "A request failed");
    return sendError(request, reply, new ApiError(500, { detail: "Internal server error." }));
  });

  function sendError(request: FastifyRequest, reply: FastifyReply, error: ApiError): FastifyReply {
    reply.code(error.status).headers(error.headers);
    // Nobody reads the rest of its body, so no other request could come after it.
    if (!request.raw.complete) reply.header("connection", "close");
    if (!isForPerson(request)) return send(request, reply, content(error.body));
    const title = error.status === 404 ? "Page not found" : (STATUS_CODES[error.status] ?? "Error");
    const page = renderError(visitedSite(request), error.status, title, messageOf(error));
    return sendPage(reply.header("content-security-policy", pageSecurityPolicy), page);
  }
}

/** What is answered where the database or the files are not to be had for now; null for any other failure. */
export function passingRefusalOf(error: unknown): ApiError | null {
  if (error instanceof FilesUnavailableError) return filesUnreachable(10);
  if (error instanceof DatabaseUnavailableError) return databaseUnreachable(5);
  return error instanceof TooSlowError ? tooBusy(10) : null;
}

/** Whether a request failed because its sender went away before all of it had come, which is nobody's fault here. */
export function hasLeft({ raw }: FastifyRequest, error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  const isOfStream = code === "ECONNRESET" || code === "ERR_STREAM_PREMATURE_CLOSE";
  return isOfStream && !raw.complete && raw.socket.destroyed;
}

const lingerMilliseconds = 2000;

/** What is no HTTP, or too much of it, is answered before there is a request: on the bare connection, which then ends. */
export function answerUnreadable(error: Error & { code?: string }, socket: Socket): void {
  // What comes after a refusal is no news.
  if (error.code === "ECONNRESET" || !socket.writable) return;
  const { status, body } = unreadable(error);
  const json = JSON.stringify(body);
  const headers = { ...everyAnswer, "content-type": "application/json", "content-length": json.length };
  const lines = Object.entries({ ...headers, connection: "close" }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("")}\r\n${json}`);
  // Closed at once, with something unread, the connection would be reset, and the answer with it.
  setTimeout(() => socket.destroy(), lingerMilliseconds).unref();
}

function unreadable({ code }: Error & { code?: string }): ApiError {
  if (code === "HPE_HEADER_OVERFLOW") return headTooLarge();
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return new ApiError(408, { detail: "The request took too long." });
  return new ApiError(400, { detail: "The request is not HTTP." });
}

/** An address that does not decode, or that is too long for any route, names nothing. */
export function answerMisaddressed(_error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  reply
    .code(404)
    .headers(everyAnswer)
    .header("x-request-id", request.id)
    .header("content-type", "application/json")
    .send(Buffer.from(JSON.stringify(notFound().body)));
}

function isForPerson({ url, headers }: FastifyRequest): boolean {
  return !/^\/(api|files)\//.test(url) && (headers.accept ?? "").includes("text/html");
}

function messageOf({ status, body }: ApiError): string {
  if (status === 404) return "There is no such page, or not for you.";
  if (status >= 500 && status !== 503) return "Something went wrong here. It has been noted.";
  const reason = reasonIn(body);
  return reason === null ? "The request could not be understood." : reason.replace(/(?<![.!?])$/, ".");
}

/** In the shapes that have one for the whole request. */
function reasonIn(body: unknown): string | null {
  const { detail, error } = (body ?? {}) as { detail?: unknown; error?: unknown };
  const reason = detail ?? error;
  return typeof reason === "string" && reason !== "" ? reason : null;
}
