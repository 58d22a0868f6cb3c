import type { FastifyReply, FastifyRequest } from "fastify";
import type { Context } from "../../context.ts";
import { findCookie, setCookie } from "../../http/request/cookies.ts";
import type { Expected } from "../../resources/identities/oidc.ts";
import type { ProviderRow } from "../../resources/identities/store.ts";
import { openText, sealText } from "../../secrets/sealed-text.ts";

/** What a browser brings back from a provider. */
export interface BegunSignIn extends Expected {
  /** Where to go after signing in. */
  next: string;
  /** The user whose identity it shall be from now on; null to sign in. */
  connectTo: number | null;
}

type Known = Pick<ProviderRow, "id" | "issuer" | "client_id">;

const cookie = "sign_in_at";
const purpose = "sign-in at a provider";
const maxSecondsThere = 1800;

/** A sealed cookie belongs to one provider with its present settings. */
const subjectOf = ({ id, issuer, client_id }: Known): string => `${id} ${client_id} at ${issuer}`;

/** Keeps in the browser, sealed, what a sign-in has to find again; null removes it. */
export function setBegun(
  { config, secrets }: Pick<Context, "config" | "secrets">,
  request: FastifyRequest,
  reply: FastifyReply,
  provider: Known,
  begun: BegunSignIn | null,
): void {
  setCookie(config, request, reply, {
    name: cookie,
    value: begun === null ? "" : sealText(secrets, purpose, JSON.stringify(begun), subjectOf(provider)),
    maxAgeSeconds: begun === null ? 0 : maxSecondsThere,
    isReadable: false,
  });
}

/** What this browser has begun at a provider; null if it has begun nothing there, or too long ago. */
export function readBegun(
  { secrets }: Pick<Context, "secrets">,
  { headers }: FastifyRequest,
  provider: Known,
): BegunSignIn | null {
  const value = findCookie(headers.cookie, cookie);
  const text = value === null ? null : openText(secrets, purpose, value, subjectOf(provider));
  return text === null ? null : (JSON.parse(text) as BegunSignIn);
}
