import type { FastifyReply, FastifyRequest } from "fastify";
import { type CookieSettings, findCookie, setCookie } from "./cookies.ts";

export const sessionCookie = "sessionid";
export const csrfCookie = "csrftoken";

export interface SessionCookies {
  /** The secret of the session. */
  secret: string;
  /** For scripts of this site. */
  csrfToken: string;
  maxAgeSeconds: number;
}

/** Sets the cookies of a new session. */
export function setSessionCookies(
  settings: CookieSettings,
  request: FastifyRequest,
  reply: FastifyReply,
  { secret, csrfToken, maxAgeSeconds }: SessionCookies,
): void {
  setCookie(settings, request, reply, {
    name: sessionCookie,
    value: secret,
    maxAgeSeconds,
    isReadable: false,
  });
  setCookie(settings, request, reply, {
    name: csrfCookie,
    value: csrfToken,
    maxAgeSeconds,
    isReadable: true,
  });
}

/** Removes the cookies of a session that has ended. */
export function removeSessionCookies(
  settings: CookieSettings,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  for (const name of [sessionCookie, csrfCookie]) {
    if (findCookie(request.headers.cookie, name) === null) continue;
    setCookie(settings, request, reply, {
      name,
      value: "",
      maxAgeSeconds: 0,
      isReadable: name === csrfCookie,
    });
  }
}
