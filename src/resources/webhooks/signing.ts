import { createHmac, randomBytes } from "node:crypto";
import type { Secrets } from "../../secrets/secrets.ts";
import { openText, sealText } from "../../secrets/sealed-text.ts";
import type { WebhookRow } from "./store.ts";

/*
 * Signatures as Standard Webhooks defines them (https://www.standardwebhooks.com), so that receivers can use its
 * libraries.
 */

const prefix = "whsec_";
const purpose = "webhooks";
const subjectOf = (userId: number): string => `webhook of user ${userId}`;

/** How long a rotated secret still signs beside its successor, so that a receiver can change it in peace. */
const overlapMilliseconds = 24 * 60 * 60 * 1000;

/** A new secret, and the same as it is stored. */
export function newSecret(secrets: Secrets, userId: number): { secret: string; sealed: string } {
  const secret = `${prefix}${randomBytes(32).toString("base64")}`;
  return { secret, sealed: sealText(secrets, purpose, secret, subjectOf(userId)) };
}

/** The headers of a message. Null if the secret cannot be opened any more. */
export function signedHeaders(
  secrets: Secrets,
  { user_id, secret, former_secret, rotated_at }: WebhookRow,
  { id, body, milliseconds }: { id: string; body: string; milliseconds: number },
): Record<string, string> | null {
  const isFormerValid = rotated_at !== null && milliseconds - Date.parse(rotated_at) < overlapMilliseconds;
  const opened = [secret, ...(isFormerValid && former_secret !== null ? [former_secret] : [])].map((sealed) =>
    openText(secrets, purpose, sealed, subjectOf(user_id)),
  );
  if (opened[0] === null) return null;
  const timestamp = Math.floor(milliseconds / 1000);
  const signatures = opened.flatMap((each) =>
    each === null ? [] : [`v1,${signature(each, `${id}.${timestamp}.${body}`)}`],
  );
  return {
    "webhook-id": id,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": signatures.join(" "),
  };
}

function signature(secret: string, signed: string): string {
  const key = Buffer.from(secret.slice(prefix.length), "base64");
  return createHmac("sha256", key).update(signed).digest("base64");
}
