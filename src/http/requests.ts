import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Logger } from "pino";
import { logRequest } from "./front.ts";
import { chooseRepresentation } from "./negotiation.ts";
import { queryOf } from "./view.ts";
import { anonymous } from "./viewer.ts";

/** The headers of every answer; a route may put others in their place. */
export const everyAnswer = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers": "Accept-Ranges, Content-Range, ETag",
  "cache-control": "no-cache",
  "referrer-policy": "same-origin",
  vary: "Accept",
  "x-content-type-options": "nosniff",
};

/** What every request meets before its route: who asks, what to answer with, and the headers of every answer. */
export function readRequests(app: FastifyInstance, log: Logger): void {
  app.decorateRequest("viewer");
  app.decorateRequest("representation", "json");
  app.addHook("onRequest", (request, reply, done) => {
    request.viewer = anonymous;
    reply.headers(everyAnswer).header("x-request-id", request.id);
    if (isPreflight(request)) {
      allowAll(reply);
      return;
    }
    if (request.routeOptions.config.view !== undefined) {
      const { accept } = request.headers;
      // For a refusal: a browser that asks for what there is not should be told so in a page.
      if (accept?.includes("text/html")) request.representation = "page";
      request.representation = chooseRepresentation(queryOf(request).last("format"), accept);
    }
    done();
  });
  app.addHook("onResponse", ({ id, method, url }, reply, done) => {
    logRequest(log, { reqId: id, method, url, status: reply.statusCode, milliseconds: reply.elapsedTime });
    done();
  });
}

function isPreflight(request: FastifyRequest): boolean {
  return request.method === "OPTIONS" && request.headers["access-control-request-method"] !== undefined;
}

/** Anonymous reads are for pages of any origin; without credentials there is nothing to protect them from. */
function allowAll(reply: FastifyReply): FastifyReply {
  return reply
    .headers({
      "access-control-allow-methods": "GET, HEAD, OPTIONS",
      "access-control-allow-headers": "accept, content-type, if-none-match, x-requested-with",
      "access-control-max-age": "86400",
    })
    .send();
}
