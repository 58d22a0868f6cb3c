import { randomUUID } from "node:crypto";
import { JOSEError, JWTExpired } from "jose/errors";
import { SignJWT } from "jose/jwt/sign";
import { jwtVerify } from "jose/jwt/verify";
import type { Secrets, SigningKey } from "../../../secrets/secrets.ts";

export type TokenType = "access" | "refresh";

export const lifeSeconds = { access: 300, refresh: 24 * 3600 } as const;

const issuer = "quire";
const audience = "documentcloud";

export interface SignedToken {
  text: string;
  /** The `jti` claim. */
  id: string;
}

/** The claims of a token that this service signed and that has not expired. */
export interface TokenClaims {
  type: unknown;
  id: string;
  /** The user's uuid. */
  user: string | null;
  generation: unknown;
}

/** JSON Web Tokens, as DocumentCloud's clients get them for a password. */
export class SignedTokens {
  readonly #keys: readonly [SigningKey, ...SigningKey[]];

  constructor(secrets: Secrets) {
    this.#keys = secrets.keysFor("access tokens");
  }

  async sign(type: TokenType, user: { uuid: string; tokenGeneration: number }): Promise<SignedToken> {
    const [{ id: kid, key }] = this.#keys;
    const id = randomUUID();
    const seconds = Math.floor(Date.now() / 1000);
    const text = await new SignJWT({
      token_type: type,
      user_id: user.uuid,
      generation: user.tokenGeneration,
    })
      .setProtectedHeader({ alg: "HS256", typ: "JWT", kid })
      .setIssuer(issuer)
      .setAudience([audience])
      .setJti(id)
      .setIssuedAt(seconds)
      .setExpirationTime(seconds + lifeSeconds[type])
      .sign(key);
    return { text, id };
  }

  /** The token's claims, or the reason why it is not valid. */
  async read(text: string): Promise<TokenClaims | "expired" | "invalid"> {
    try {
      const { payload } = await jwtVerify(
        text,
        ({ kid }) => this.#keys.find(({ id }) => id === kid)?.key ?? this.#keys[0].key,
        { algorithms: ["HS256"], issuer, audience, requiredClaims: ["exp", "jti"] },
      );
      const { user_id: user, token_type: type, generation, jti = "" } = payload;
      return { type, id: jti, user: typeof user === "string" ? user : null, generation };
    } catch (error) {
      if (error instanceof JWTExpired) return "expired";
      if (error instanceof JOSEError) return "invalid";
      throw error;
    }
  }
}
