import type { FastifyReply, FastifyRequest } from "fastify";

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
  /** The hosts below this domain share it; null: it is for this host alone. */
  domain: string | null;
}

/**
 * Sends a cookie for all paths of this host, and of its domain where there is one. Pages of other sites can have it sent
 * along only by following a link here.
 */
export function setCookie(request: FastifyRequest, reply: FastifyReply, cookie: Cookie): void {
  const { name, value, maxAgeSeconds, isReadable, domain } = cookie;
  // One of this host alone, from before there was a domain, would be sent ahead of the one for the domain.
  if (domain !== null) setCookie(request, reply, { ...cookie, value: "", maxAgeSeconds: 0, domain: null });
  const parts = [`${name}=${value}`, "Path=/", `Max-Age=${maxAgeSeconds}`, "SameSite=Lax"];
  if (domain !== null) parts.push(`Domain=${domain}`);
  if (!isReadable) parts.push("HttpOnly");
  if (request.protocol === "https") parts.push("Secure");
  reply.header("set-cookie", parts.join("; "));
}
