import type { FastifyReply, FastifyRequest } from "fastify";
import { isOverHttps } from "../text/addresses.ts";

/** A cookie that was sent; of several with one name the first, which is the one with the closest path. */
export function findCookie(header: string | undefined, name: string): string | null {
  for (const part of (header ?? "").split(";")) {
    const equals = part.indexOf("=");
    if (equals >= 0 && part.slice(0, equals).trim() === name) return part.slice(equals + 1).trim();
  }
  return null;
}

export interface Cookie {
  name: string;
  /** Only characters that need no quoting. */
  value: string;
  /** 0: the browser is to forget it. */
  maxAgeSeconds: number;
  /** Whether scripts of our pages may read it. */
  isReadable: boolean;
}

export interface CookieSettings {
  url: string | null;
  /** The hosts below this domain share cookies; null: they are for one host alone. */
  cookieDomain: string | null;
}

/**
 * Sends a cookie for all paths of this host, and of the cookie domain where a setting names one. Pages of other sites
 * can have it sent along only by following a link here. `url` is where this service is reached from outside, if a
 * setting says so.
 */
export function setCookie(
  { url, cookieDomain }: CookieSettings,
  request: FastifyRequest,
  reply: FastifyReply,
  cookie: Cookie,
): void {
  // One of this host alone, from before there was a domain, would be sent ahead of the one for the domain.
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
