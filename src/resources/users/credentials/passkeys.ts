import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/server";

/*
 * Passkeys (WebAuthn) as a second factor: the browser signs a challenge of this server, for this site alone. Who made
 * the key is not asked (no attestation). The library is loaded when the first passkey is needed.
 */

const library = () => import("@simplewebauthn/server");

export type PasskeyAnswer = AuthenticationResponseJSON;
type NewPasskeyAnswer = RegistrationResponseJSON;

/** The site that browsers know: its origin, and its host, to which passkeys belong. */
export interface PasskeySite {
  origin: string;
  host: string;
}

/** @param api the base URL of this server */
export function passkeySite(api: string): PasskeySite {
  const { origin, hostname } = new URL(api);
  return { origin, host: hostname };
}

const seconds = 120;

/** What a browser needs to make a passkey, as JSON, with the challenge that it signs. */
export async function newPasskeyOptions(
  { host }: PasskeySite,
  user: { id: number; username: string },
  known: readonly string[],
): Promise<{ options: object; challenge: string }> {
  const { generateRegistrationOptions } = await library();
  const options = await generateRegistrationOptions({
    rpName: "Quire",
    rpID: host,
    userName: user.username,
    userID: new TextEncoder().encode(String(user.id)),
    timeout: seconds * 1000,
    attestationType: "none",
    excludeCredentials: known.map((id) => ({ id })),
    authenticatorSelection: { residentKey: "discouraged", userVerification: "preferred" },
  });
  return { options, challenge: options.challenge };
}

/** A new passkey: its name, and what a later answer is checked with. Null if the answer does not show one. */
export async function readNewPasskey(
  { origin, host }: PasskeySite,
  answer: string,
  challenge: string,
): Promise<{ credential: string; secret: string; counter: number } | null> {
  const response = parsed(answer) as NewPasskeyAnswer | null;
  if (response === null) return null;
  const { verifyRegistrationResponse } = await library();
  const verified = await unlessInvalid(
    verifyRegistrationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: host,
      requireUserVerification: false,
    }),
  );
  if (verified === null || !verified.verified) return null;
  const { id, publicKey, counter } = verified.registrationInfo.credential;
  return { credential: id, secret: Buffer.from(publicKey).toString("base64url"), counter };
}

/** What a browser needs to use one of these passkeys, as JSON, with the challenge that it signs. */
export async function passkeyOptions(
  { host }: PasskeySite,
  known: readonly string[],
): Promise<{ options: object; challenge: string }> {
  const { generateAuthenticationOptions } = await library();
  const options = await generateAuthenticationOptions({
    rpID: host,
    timeout: seconds * 1000,
    userVerification: "preferred",
    allowCredentials: known.map((id) => ({ id })),
  });
  return { options, challenge: options.challenge };
}

/** Reads a browser's answer after a passkey was used; null if the text is not such an answer. */
export function readPasskeyAnswer(text: string): PasskeyAnswer | null {
  const value = parsed(text) as PasskeyAnswer | null;
  return typeof value?.id === "string" ? value : null;
}

/** The counter of a passkey after this answer; null if the passkey has not given it. */
export async function checkPasskey(
  { id, secret, counter }: { id: string; secret: string; counter: number },
  { answer, challenge, site }: { answer: PasskeyAnswer; challenge: string; site: PasskeySite },
): Promise<number | null> {
  const { verifyAuthenticationResponse } = await library();
  const verified = await unlessInvalid(
    verifyAuthenticationResponse({
      response: answer,
      expectedChallenge: challenge,
      expectedOrigin: site.origin,
      expectedRPID: site.host,
      requireUserVerification: false,
      credential: { id, publicKey: new Uint8Array(Buffer.from(secret, "base64url")), counter },
    }),
  );
  return verified?.verified === true ? verified.authenticationInfo.newCounter : null;
}

function parsed(text: string): object | null {
  try {
    const value = JSON.parse(text) as unknown;
    return typeof value === "object" ? value : null;
  } catch {
    return null;
  }
}

/** The library throws for every answer that does not fit. */
async function unlessInvalid<T>(verified: Promise<T>): Promise<T | null> {
  try {
    return await verified;
  } catch {
    return null;
  }
}
