import type { FastifyReply, FastifyRequest } from "fastify";
import type { Context } from "../../context.ts";
import { findCookie, setCookie } from "../../http/request/cookies.ts";
import { openText, sealText } from "../../secrets/sealed-text.ts";

/*
 * What the next form needs is sealed in a cookie of the browser: the account whose password was right, the challenge
 * that a passkey signs, the secret of an app that is being set up. So any process can continue what another began. The
 * cookie expires after ten minutes.
 */

/** A sign-in whose password was right. */
export interface BegunSignIn {
  kind: "sign-in";
  user: number;
  generation: number;
  /** Where to go afterwards. */
  next: string;
  /** The challenge that the page of this sign-in has; empty without passkeys. */
  challenge: string;
  /** The secret of an app that is being set up; empty if a factor is there. */
  secret: string;
}

/** A factor that somebody who is signed in adds. */
export interface BegunFactor {
  kind: "factor";
  user: number;
  challenge: string;
  secret: string;
}

const cookie = "second_factor";
const purpose = "begun second factor";
const maxSeconds = 600;

type Begun = BegunSignIn | BegunFactor;

/** Null removes it. */
export function setBegunFactor(
  { config, secrets }: Pick<Context, "config" | "secrets">,
  request: FastifyRequest,
  reply: FastifyReply,
  begun: Begun | null,
): void {
  const text = begun === null ? "" : JSON.stringify({ ...begun, until: Date.now() + maxSeconds * 1000 });
  setCookie(config, request, reply, {
    name: cookie,
    value: begun === null ? "" : sealText(secrets, purpose, text, begun.kind),
    maxAgeSeconds: begun === null ? 0 : maxSeconds,
    isReadable: false,
  });
}

/** What this browser has begun; null if it has begun nothing of this kind, or too long ago. */
export function readBegunFactor<Kind extends Begun["kind"]>(
  { secrets }: Pick<Context, "secrets">,
  { headers }: FastifyRequest,
  kind: Kind,
): Extract<Begun, { kind: Kind }> | null {
  const value = findCookie(headers.cookie, cookie);
  const text = value === null ? null : openText(secrets, purpose, value, kind);
  if (text === null) return null;
  const { until, ...begun } = JSON.parse(text) as Begun & { until: number };
  return until < Date.now() ? null : (begun as unknown as Extract<Begun, { kind: Kind }>);
}
