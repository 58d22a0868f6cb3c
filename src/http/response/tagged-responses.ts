import type { IncomingMessage } from "node:http";
import type { FastifyInstance, FastifyReply } from "fastify";
import { isAmong } from "../request/entity-tag.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Whether the response is valid only now, whatever the database's version is. */
    dependsOnTime: boolean;
    /** Set for a page of a list that everyone may read. */
    otherPages: OtherPages | null;
  }
}

/** The body of a list's page, and its entity tag. */
export interface ListPage {
  body: Buffer;
  etag: string;
}

/**
 * The page at another value of the parameter `cursor`. Rejects if the list has no such page, or if the list itself
 * is no longer valid.
 */
export type PageAt = (cursor: string) => Promise<ListPage>;

/** How to make the other pages of a list. They are sent with the head of this page, whose entity tag is `etag`. */
export interface OtherPages {
  etag: string;
  at: PageAt;
}

/** A response with an entity tag that everyone may receive. */
export interface SharedResponse extends ListPage {
  headers: Readonly<Record<string, unknown>>;
  /** The path of the route that made it. */
  route: string | undefined;
  /** Valid whenever the database has the version that it had before the request. */
  isLasting: boolean;
  /** Null if the response is no page of a list, or another representation of one. */
  pageAt: PageAt | null;
}

/**
 * Leaves out a body that the client already has (304). Passes each response that everyone may receive to `share`,
 * before that. Private responses are never passed on: the right to see them may end, so it is checked on each request.
 */
export function observeTaggedResponses(
  app: FastifyInstance,
  share: (request: IncomingMessage, response: SharedResponse) => void,
): void {
  app.decorateRequest("dependsOnTime", false);
  app.decorateRequest("otherPages", null);
  app.addHook("onSend", (request, reply, body, done) => {
    const etag = reply.getHeader("etag");
    if (reply.statusCode !== 200 || typeof etag !== "string" || !Buffer.isBuffer(body)) {
      done(null, body);
      return;
    }
    const { method, otherPages, dependsOnTime } = request;
    if (isForEveryone(reply)) {
      const pageAt = otherPages?.etag === etag ? otherPages.at : null;
      const headers = reply.getHeaders();
      const route = request.routeOptions.url;
      share(request.raw, { headers, route, body, etag, isLasting: !dependsOnTime, pageAt });
    }
    const isReading = method === "GET" || method === "HEAD";
    const condition = request.headers["if-none-match"];
    const hasIt = isReading && condition !== undefined && isAmong(etag, condition);
    if (hasIt) dropContent(reply.code(304));
    // Fastify itself leaves out the body of a response to HEAD, and fails if it is already missing.
    done(null, hasIt && method === "GET" ? null : body);
  });
}

function dropContent(reply: FastifyReply): void {
  for (const name of ["content-type", "content-length", "content-encoding"]) reply.removeHeader(name);
}

function isForEveryone(reply: FastifyReply): boolean {
  return !/private|no-store/.test(String(reply.getHeader("cache-control") ?? ""));
}
