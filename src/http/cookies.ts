import type { FastifyReply, FastifyRequest } from "fastify";
import { isOverHttps } from "./addresses.ts";

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

/**
 * Sends a cookie for all of this host; other sites' pages can have it sent along only by following a link here. `url`
 * is where this service is reached from outside, if a setting says so.
 */
export function setCookie(
  { url }: { url: string | null },
  request: FastifyRequest,
  reply: FastifyReply,
  cookie: Cookie,
): void {
  const { name, value, maxAgeSeconds, isReadable } = cookie;
  const parts = [`${name}=${value}`, "Path=/", `Max-Age=${maxAgeSeconds}`, "SameSite=Lax"];
  if (!isReadable) parts.push("HttpOnly");
  if (isOverHttps(url, request)) parts.push("Secure");
  reply.header("set-cookie", parts.join("; "));
}
