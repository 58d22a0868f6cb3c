import type { FastifyReply, FastifyRequest } from "fastify";
import { isOverHttps } from "../text/addresses.ts";

/** The cookie of this name in a `Cookie` header; the first of several, which has the most specific path. */
export function findCookie(header: string | undefined, name: string): string | null {
  for (const part of (header ?? "").split(";")) {
    const equals = part.indexOf("=");
    if (equals >= 0 && part.slice(0, equals).trim() === name) return part.slice(equals + 1).trim();
  }
  return null;
}

export interface Cookie {
  name: string;
  /** Contains only characters that need no quoting. */
  value: string;
  /** 0 deletes the cookie. */
  maxAgeSeconds: number;
  /** Whether scripts of this site may read it. */
  isReadable: boolean;
}

export interface CookieSettings {
  url: string | null;
  /** Hosts below this domain share cookies; null limits them to one host. */
  cookieDomain: string | null;
}

/**
 * Sets a cookie for all paths of this host, and of the cookie domain if one is configured. Requests from other sites
 * carry it only when a visitor follows a link here. `url` is the public address of this service, if it is configured.
 */
export function setCookie(
  { url, cookieDomain }: CookieSettings,
  request: FastifyRequest,
  reply: FastifyReply,
  cookie: Cookie,
): void {
  // A host-only cookie, set before the domain was configured, would be sent ahead of the domain's cookie.
  if (cookieDomain !== null) {
    const settings = { url, cookieDomain: null };
    setCookie(settings, request, reply, { ...cookie, value: "", maxAgeSeconds: 0 });
  }
  const { name, value, maxAgeSeconds, isReadable } = cookie;
  const parts = [`${name}=${value}`, "Path=/", `Max-Age=${maxAgeSeconds}`, "SameSite=Lax"];
  if (cookieDomain !== null) parts.push(`Domain=${cookieDomain}`);
  if (!isReadable) parts.push("HttpOnly");
  if (isOverHttps(url, request)) parts.push("Secure");
  reply.header("set-cookie", parts.join("; "));
}
