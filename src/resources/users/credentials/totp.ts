/*
 * Codes of an app: TOTP (RFC 6238), with what every app understands: SHA-1, six digits, thirty seconds. The library is
 * loaded when the first code is needed.
 */

const issuer = "Quire";
const library = () => import("otpauth");

/** A new secret, as apps let people type it: base32. */
export async function newTotpSecret(): Promise<string> {
  const { Secret } = await library();
  return new Secret({ size: 20 }).base32;
}

/** The address that an app reads from a picture. */
export async function totpAddress(secret: string, username: string): Promise<string> {
  return (await totpOf(secret, username)).toString();
}

/**
 * The number of the thirty seconds to which a code belongs; null if it is not a code of these, the last or the next
 * ones: clocks differ, and people type slowly.
 */
export async function totpStep(secret: string, code: string): Promise<number | null> {
  if (!/^\d{6}$/.test(code)) return null;
  const totp = await totpOf(secret, "");
  const delta = totp.validate({ token: code, window: 1 });
  return delta === null ? null : totp.counter() + delta;
}

async function totpOf(secret: string, username: string) {
  const { Secret, TOTP } = await library();
  return new TOTP({ issuer, label: username, secret: Secret.fromBase32(secret) });
}
