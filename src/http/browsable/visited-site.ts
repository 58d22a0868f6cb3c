import type { FastifyRequest } from "fastify";
import type { Site } from "./page-shell.ts";
import { anonymous } from "../request/viewer.ts";

/** The site as whoever asks sees it: with their name, and a way to sign in or out and come back. */
export function visitedSite(request: FastifyRequest): Site {
  const { site } = request.server;
  // Not there yet when a request is refused before anyone asked who sent it.
  const viewer = (request.viewer as typeof request.viewer | undefined) ?? anonymous;
  const below = site.api.slice(0, -"/api/".length);
  const isReading = request.method === "GET" || request.method === "HEAD";
  // Coming back is a GET: after anything else, to the same address.
  const here = `${below}${isReading ? request.url : (request.url.split("?", 1)[0] ?? "")}`;
  const visitor =
    viewer.kind === "anonymous"
      ? { name: null, csrfToken: null, here }
      : { name: viewer.name === "" ? viewer.username : viewer.name, csrfToken: viewer.csrfToken, here };
  return { ...site, visitor };
}
