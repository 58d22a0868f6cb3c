import type { FastifyRequest } from "fastify";
import type { Site } from "./page-shell.ts";
import { isLanguage } from "../../texts/languages.ts";
import { languageFor } from "../request/negotiation.ts";
import { type Viewer, anonymous } from "../request/viewer.ts";

/** The site as this viewer sees it: with their name, and a link to sign in or out and return. */
export function visitedSite(request: FastifyRequest): Site {
  const { site } = request.server;
  const viewer = personBehind(request);
  const basePath = site.api.slice(0, -"/api/".length);
  const isReading = request.method === "GET" || request.method === "HEAD";
  // Returning is a GET; after any other method it leads to the same path without its query.
  const here = `${basePath}${isReading ? request.url : (request.url.split("?", 1)[0] ?? "")}`;
  const visitor =
    viewer.kind === "anonymous"
      ? {
          name: null,
          mayUpload: false,
          unread: 0,
          hasWork: false,
          isAdministrator: false,
          csrfToken: null,
          here,
        }
      : {
          name: viewer.name === "" ? viewer.username : viewer.name,
          mayUpload: viewer.csrfToken !== null && viewer.mayWrite && viewer.organization !== null,
          unread: viewer.unread,
          hasWork: hasTray(request.viewer),
          isAdministrator: viewer.csrfToken !== null && viewer.isAdministrator,
          csrfToken: viewer.csrfToken,
          here,
        };
  return { ...localSite(request), visitor };
}

/**
 * The site in the language and the time zone of this viewer, for pages that offer neither signing in nor out, as the
 * sign-in page does.
 */
export function localSite(request: FastifyRequest): Site {
  const viewer = personBehind(request);
  const { language = "", timeZone = "" } = viewer.kind === "user" ? viewer : {};
  return {
    ...request.server.site,
    language: isLanguage(language) ? language : languageFor(request.headers["accept-language"]),
    timeZone,
  };
}

/** The viewer. If it is a guest who has signed in, the person. */
function personBehind(request: FastifyRequest): Viewer {
  // Missing if the request was refused before authentication.
  const viewer = (request.viewer as typeof request.viewer | undefined) ?? anonymous;
  return viewer.kind === "anonymous" ? (viewer.account ?? viewer) : viewer;
}

/** Whether the pages of this viewer have the tray of running work, which needs this site's script. */
export const hasTray = (viewer: Viewer | undefined): boolean =>
  viewer?.kind === "user" && viewer.csrfToken !== null && viewer.hasWork;
