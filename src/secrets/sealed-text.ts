import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import type { Secrets } from "./secrets.ts";

/*
 * Texts that wait in the database for whoever may use them, and that nobody reads there: AES-256-GCM with a key of the
 * server's secret. What it is about is sealed with it, so that it opens nowhere else.
 */

const algorithm = "aes-256-gcm";
const nonceBytes = 12;
const tagBytes = 16;

/** @param about says what the text belongs to; needed to open it */
export function sealText(secrets: Secrets, purpose: string, text: string, about: string): string {
  const [{ key }] = secrets.keysFor(purpose);
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(algorithm, key, nonce).setAAD(Buffer.from(about));
  const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString("base64url");
}

/** Null where it was sealed with a secret that there is no more, or about something else. */
export function openText(secrets: Secrets, purpose: string, sealed: string, about: string): string | null {
  const bytes = Buffer.from(sealed, "base64url");
  const nonce = bytes.subarray(0, nonceBytes);
  const tag = bytes.subarray(nonceBytes, nonceBytes + tagBytes);
  for (const { key } of secrets.keysFor(purpose)) {
    try {
      const decipher = createDecipheriv(algorithm, key, nonce, { authTagLength: tagBytes });
      decipher.setAAD(Buffer.from(about)).setAuthTag(tag);
      const text = decipher.update(bytes.subarray(nonceBytes + tagBytes));
      return Buffer.concat([text, decipher.final()]).toString("utf8");
    } catch {
      // Another secret sealed it.
    }
  }
  return null;
}
