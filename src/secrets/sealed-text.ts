import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import type { Secrets } from "./secrets.ts";

/*
 * Encrypts texts that are stored in the database, with AES-256-GCM and a key derived from the server's secret. The
 * subject of a text is authenticated with it, so the text cannot be opened for another subject.
 */

const algorithm = "aes-256-gcm";
const nonceBytes = 12;
const tagBytes = 16;

/** @param about the subject of the text, which is needed to open it */
export function sealText(secrets: Secrets, purpose: string, text: string, about: string): string {
  const [{ key }] = secrets.keysFor(purpose);
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(algorithm, key, nonce).setAAD(Buffer.from(about));
  const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString("base64url");
}

/** Null if the text was sealed with a secret that no longer exists, or for another subject. */
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
      // The text was sealed with another secret.
    }
  }
  return null;
}
