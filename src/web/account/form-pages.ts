import type { FastifyReply, FastifyRequest } from "fastify";
import type { ApiError } from "../../errors.ts";
import { formSecurityPolicy, pageSecurityPolicy } from "../../http/browsable/page-shell.ts";
import { sendPage } from "../../http/response/representation.ts";
import type { AddressSettings } from "../../http/text/addresses.ts";

/**
 * Sends a page that must not be cached. Browsers check the final redirect target of a form against the policy, so the
 * policy names that origin.
 */
export function sendUncached(
  reply: FastifyReply,
  next: string,
  html: string,
  { hasScript = false }: { hasScript?: boolean } = {},
): FastifyReply {
  const own = hasScript ? formSecurityPolicy : pageSecurityPolicy;
  const policy = next.startsWith("/")
    ? own
    : own.replace("form-action 'self'", `form-action 'self' ${new URL(next).origin}`);
  reply.headers({ "cache-control": "no-store", "content-security-policy": policy });
  return sendPage(reply, html);
}

/**
 * Another site could sign a person in to the attacker's account, to see what they do there. Without a session there is
 * no token to check, so the browser's headers decide: every browser that sends cookies says where a form comes from.
 */
export function isFromElsewhere(
  { url, webUrl }: AddressSettings,
  { headers, host }: FastifyRequest,
): boolean {
  const site = headers["sec-fetch-site"];
  if (site !== undefined && site !== "same-origin" && site !== "none") return true;
  const { origin } = headers;
  if (origin === undefined) return false;
  if (!URL.canParse(origin)) return true;
  const ownHosts = [
    host,
    ...[url, webUrl].flatMap((address) => (address === null ? [] : [new URL(address).host])),
  ];
  return !ownHosts.includes(new URL(origin).host);
}

/** How long a refusal says to wait; 0 for less than a minute. */
export function minutesIn({ headers }: ApiError): number {
  const seconds = Number(headers["retry-after"]);
  return seconds < 60 ? 0 : Math.ceil(seconds / 60);
}
