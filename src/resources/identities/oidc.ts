import { type JWTVerifyGetKey, createRemoteJWKSet, errors as joseErrors, jwtVerify } from "jose";
import * as client from "openid-client";
import type { Secrets } from "../../secrets/secrets.ts";
import { openText, sealText } from "../../secrets/sealed-text.ts";
import type { ProviderRow } from "./store.ts";

/*
 * The OpenID Connect side: what is asked of a provider, and what it answers. The library checks signatures, issuer,
 * audience, times, state, nonce and PKCE.
 */

/** What went wrong at the provider or on the way there, in the provider's own words if it gave any. */
export class ProviderError extends Error {
  override readonly name = "ProviderError";
}

type Known = Pick<ProviderRow, "issuer" | "client_id" | "client_secret">;

const purpose = "identity provider";

/** A secret is sealed for one client of one issuer, so it can never be sent to another. */
const subjectOf = ({ issuer, client_id }: Omit<Known, "client_secret">): string =>
  `${client_id} at ${issuer}`;

/** The stored form of a client secret; empty for none. */
export function sealSecret(secrets: Secrets, provider: Omit<Known, "client_secret">, secret: string): string {
  return secret === "" ? "" : sealText(secrets, purpose, secret, subjectOf(provider));
}

function secretOf(secrets: Secrets, provider: Known): string {
  if (provider.client_secret === "") return "";
  const secret = openText(secrets, purpose, provider.client_secret, subjectOf(provider));
  if (secret !== null) return secret;
  throw new ProviderError(
    "Its client secret was sealed with a secret of this server that no longer exists: enter it again",
  );
}

const requestSeconds = 10;
const configurationMilliseconds = 3_600_000;

interface Discovered {
  configuration: Promise<client.Configuration>;
  until: number;
}

/** The configurations of providers. Each is read from its issuer, at most once in an hour unless it changes here. */
export class Oidc {
  readonly #secrets: Secrets;
  readonly #discovered = new Map<string, Discovered>();

  constructor(secrets: Secrets) {
    this.#secrets = secrets;
  }

  /** @throws {ProviderError} */
  configurationOf(provider: Known & Pick<ProviderRow, "id" | "updated_at">): Promise<client.Configuration> {
    const key = `${provider.id} ${provider.updated_at}`;
    const known = this.#discovered.get(key);
    if (known !== undefined && known.until > performance.now()) return known.configuration;
    for (const other of this.#discovered.keys())
      if (other.startsWith(`${provider.id} `)) this.#discovered.delete(other);
    const configuration = this.discover(provider);
    this.#discovered.set(key, { configuration, until: performance.now() + configurationMilliseconds });
    configuration.catch(() => this.#discovered.delete(key));
    return configuration;
  }

  /** Reads a provider's configuration now. @throws {ProviderError} */
  async discover(provider: Known): Promise<client.Configuration> {
    const { issuer, client_id: id } = provider;
    const secret = secretOf(this.#secrets, provider);
    return asked(() =>
      client.discovery(
        new URL(issuer),
        id,
        undefined,
        secret === "" ? client.None() : authenticationWith(secret),
        {
          timeout: requestSeconds,
          execute: issuer.startsWith("http:") ? [client.allowInsecureRequests] : [],
        },
      ),
    );
  }
}

/** In the body of a request if the provider takes it there, otherwise in its header. */
function authenticationWith(secret: string): client.ClientAuth {
  const [inBody, inHeader] = [client.ClientSecretPost(secret), client.ClientSecretBasic(secret)];
  return (server, ...request) => {
    const takesBody = server.token_endpoint_auth_methods_supported?.includes("client_secret_post") === true;
    return (takesBody ? inBody : inHeader)(server, ...request);
  };
}

/** What a sign-in must find again when the person comes back. */
export interface Expected {
  state: string;
  nonce: string;
  verifier: string;
}

/** The address at the provider to which a person is sent, and what to expect when they come back. */
export async function beginAt(
  configuration: client.Configuration,
  { scopes, returnAddress }: { scopes: string; returnAddress: string },
): Promise<{ address: string; expected: Expected }> {
  const expected: Expected = {
    state: client.randomState(),
    nonce: client.randomNonce(),
    verifier: client.randomPKCECodeVerifier(),
  };
  const address = client.buildAuthorizationUrl(configuration, {
    redirect_uri: returnAddress,
    scope: ["openid", ...scopes.split(/\s+/)].filter((one, at, all) => all.indexOf(one) === at).join(" "),
    state: expected.state,
    nonce: expected.nonce,
    code_challenge: await client.calculatePKCECodeChallenge(expected.verifier),
    code_challenge_method: "S256",
  });
  return { address: address.href, expected };
}

/** What a provider says about a person. */
export type Claims = Readonly<Record<string, unknown>> & { readonly sub: string };

/**
 * Exchanges the code with which a person came back for what the provider says about them: the claims of the identity
 * token, and those of its address for user information.
 *
 * @param address the whole address at which they came back.
 * @throws {ProviderError}
 */
export async function claimsOf(
  configuration: client.Configuration,
  address: URL,
  { state, nonce, verifier }: Expected,
): Promise<Claims> {
  return asked(async () => {
    const tokens = await client.authorizationCodeGrant(configuration, address, {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
      idTokenExpected: true,
    });
    const claims = tokens.claims();
    if (claims === undefined) throw new ProviderError("It sent no identity token");
    if (configuration.serverMetadata().userinfo_endpoint === undefined) return claims;
    const more = await client.fetchUserInfo(configuration, tokens.access_token, claims.sub);
    return { ...more, ...claims };
  });
}

/** The address at which a person signs out at the provider; null if it has none. */
export function signOutAddress(configuration: client.Configuration, after: string): string | null {
  if (configuration.serverMetadata().end_session_endpoint === undefined) return null;
  return client.buildEndSessionUrl(configuration, { post_logout_redirect_uri: after }).href;
}

const signedOutEvent = "http://schemas.openid.net/event/backchannel-logout";

/** What a provider says has ended there: a session, or without one all sessions of a person. */
export interface Notice {
  session: string | null;
  /** Empty if only the session is named. */
  subject: string;
}

/**
 * Whose session has ended at the provider, by its notice (OpenID Connect Back-Channel Logout). Null unless the provider
 * has signed the notice for this client.
 *
 * @throws {ProviderError} if its keys cannot be read.
 */
export async function readNotice(configuration: client.Configuration, token: string): Promise<Notice | null> {
  const { issuer, jwks_uri } = configuration.serverMetadata();
  if (jwks_uri === undefined) return null;
  try {
    const { payload } = await jwtVerify(token, keysOf(configuration, jwks_uri), {
      issuer,
      audience: configuration.clientMetadata().client_id,
      maxTokenAge: "10 minutes",
      clockTolerance: "1 minute",
    });
    const events: unknown = payload["events"];
    if (typeof events !== "object" || events === null || !(signedOutEvent in events)) return null;
    // A notice must not be an identity token.
    if (payload["nonce"] !== undefined) return null;
    const session = typeof payload["sid"] === "string" ? payload["sid"] : null;
    const { sub: subject = "" } = payload;
    return session === null && subject === "" ? null : { session, subject };
  } catch (error) {
    if (error instanceof joseErrors.JOSEError && !(error instanceof joseErrors.JWKSTimeout)) return null;
    throw new ProviderError(reasonOf(error), { cause: error });
  }
}

/** Kept with the configuration: forged notices do not make Quire read the keys each time. */
const keySets = new WeakMap<client.Configuration, JWTVerifyGetKey>();

function keysOf(configuration: client.Configuration, address: string): JWTVerifyGetKey {
  const known = keySets.get(configuration);
  if (known !== undefined) return known;
  const keys = createRemoteJWKSet(new URL(address), { timeoutDuration: requestSeconds * 1000 });
  keySets.set(configuration, keys);
  return keys;
}

async function asked<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    throw error instanceof ProviderError ? error : new ProviderError(reasonOf(error), { cause: error });
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof client.AuthorizationResponseError || error instanceof client.ResponseBodyError)
    return error.error_description ?? error.error;
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  return cause instanceof Error ? `${error.message}: ${cause.message}` : error.message;
}
