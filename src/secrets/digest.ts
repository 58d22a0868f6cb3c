import { hash, randomBytes } from "node:crypto";

/** A secret that cannot be guessed: a cookie, a token or a link. Only its digest is stored. */
export function newSecret(bytes: number): string {
  return randomBytes(bytes).toString("base64url");
}

/** A secret of high entropy needs no slow hash. */
export function digestOf(secret: string): string {
  return hash("sha256", secret, "hex");
}
