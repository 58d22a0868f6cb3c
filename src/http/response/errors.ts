import { STATUS_CODES } from "../text/node-http.ts";
import type { Socket } from "node:net";
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { isDatabaseFull } from "../../database/dialects.ts";
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
import type { Catalogue } from "../../texts/pages.ts";
import { pageTexts } from "../../texts/pages.ts";
import { everyAnswer } from "./common-headers.ts";
import { content, send, sendPage } from "./representation.ts";
import { visitedSite } from "../browsable/visited-site.ts";

/** Renders an error page for a person outside the API. */
export type RenderError = (site: Site, status: number, title: string, message: string) => string;

/**
 * Sends every error in the API's shape, or as a page for people. An error that is not the client's fault is logged
 * once.
 */
export function answerErrors(app: FastifyInstance, renderError: RenderError): void {
  app.setNotFoundHandler((request, reply) => sendError(request, reply, notFound()));
  app.setErrorHandler<FastifyError | ApiError>((error, request, reply) => {
    if (error instanceof ApiError) return sendError(request, reply, error);
    const passing = passingRefusalOf(error);
    if (passing !== null) {
      if (error instanceof FilesUnavailableError) {
        request.outage = `The files cannot be reached: ${error.message}`;
      } else if (error instanceof DatabaseUnavailableError) {
        request.outage = error.message;
      } else {
        const cause = error.cause === undefined ? "" : `: ${reasonOf(error.cause)}`;
        request.log.error(
          { reqId: request.id, reason: error.message + cause },
          "A request failed for a temporary reason",
        );
      }
      return sendError(request, reply, passing);
    }
    if (isOutOfRoom(error) || isDatabaseFull(error)) {
      request.log.error({ reqId: request.id, err: error }, "No storage space is left");
      return sendError(request, reply, noRoomForRecords());
    }
    if (hasLeft(request, error)) return sendError(request, reply, brokenOff());
    const status = error.statusCode ?? 500;
    // Fastify itself refuses a malformed content type, before any of our parsers runs.
    if (status === 415) {
      return sendError(request, reply, unsupportedMediaType(request.headers["content-type"] ?? ""));
    }
    if (status < 500) return sendError(request, reply, new ApiError(status, { detail: error.message }));
    request.log.error({ reqId: request.id, err: error }, "A request failed");
    return sendError(request, reply, new ApiError(500, { detail: "Internal server error." }));
  });

  function sendError(request: FastifyRequest, reply: FastifyReply, error: ApiError): FastifyReply {
    reply.code(error.status).headers(error.headers);
    const { allow } = request.routeOptions.config;
    if (error.status === 405 && allow !== undefined) reply.header("allow", allow);
    // The rest of the body stays unread, so the connection cannot carry another request.
    if (!request.raw.complete) reply.header("connection", "close");
    if (!isForPerson(request)) return send(request, reply, content(error.body));
    const site = visitedSite(request);
    const texts = pageTexts(site).errors;
    const title = texts.titles[error.status] ?? STATUS_CODES[error.status] ?? "Error";
    const page = renderError(site, error.status, title, messageOf(error, texts));
    return sendPage(reply.header("content-security-policy", pageSecurityPolicy), page);
  }
}

/** The response to a temporary failure of the database or of file storage; null for any other error. */
export function passingRefusalOf(error: unknown): ApiError | null {
  if (error instanceof FilesUnavailableError) return filesUnreachable(10);
  if (error instanceof DatabaseUnavailableError) return databaseUnreachable(5);
  return error instanceof TooSlowError ? tooBusy(10) : null;
}

/**
 * Whether a request failed because the client disconnected before it had sent everything: not an error of this
 * service.
 */
export function hasLeft({ raw }: FastifyRequest, error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  const isStreamError = code === "ECONNRESET" || code === "ERR_STREAM_PREMATURE_CLOSE";
  return isStreamError && !raw.complete && raw.socket.destroyed;
}

const lingerMilliseconds = 2000;

/**
 * Responds to input that is not valid HTTP, or whose head is too large, before a request exists: on the bare
 * connection, which then closes.
 */
export function answerUnreadable(error: Error & { code?: string }, socket: Socket): void {
  // The connection has already been refused or has gone away.
  if (error.code === "ECONNRESET" || !socket.writable) return;
  const { status, body } = unreadable(error);
  const json = JSON.stringify(body);
  const headers = { ...everyAnswer, "content-type": "application/json", "content-length": json.length };
  const lines = Object.entries({ ...headers, connection: "close" }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("")}\r\n${json}`);
  // Closing at once, with input still unread, would reset the connection and lose the response.
  setTimeout(() => socket.destroy(), lingerMilliseconds).unref();
}

function unreadable({ code }: Error & { code?: string }): ApiError {
  if (code === "HPE_HEADER_OVERFLOW") return headTooLarge();
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return new ApiError(408, { detail: "The request took too long." });
  return new ApiError(400, { detail: "The request is not HTTP." });
}

/** An address that cannot be decoded, or that is longer than any route allows, returns 404. */
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

function messageOf({ status, body }: ApiError, texts: Catalogue["errors"]): string {
  if (status === 404) return texts.notFound;
  if (status >= 500 && status !== 503) return texts.internal;
  const reason = reasonIn(body);
  if (reason === null) return texts.notUnderstood;
  return texts.messages[reason] ?? reason.replace(/(?<![.!?])$/, ".");
}

/** The message for the request as a whole, if the body has one. */
function reasonIn(body: unknown): string | null {
  const { detail, error } = (body ?? {}) as { detail?: unknown; error?: unknown };
  const reason = detail ?? error;
  return typeof reason === "string" && reason !== "" ? reason : null;
}
