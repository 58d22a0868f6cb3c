import { isFields } from "../import/record-fields.ts";
import { type Credentials, OtherServerError } from "../import/polite-fetch.ts";

/** A fixed token. */
export function tokenCredentials(token: string): Credentials {
  return { authorization: async () => `Bearer ${token}`, renew: async () => false };
}

export interface Account {
  username: string;
  password: string;
  /** The address of the API that issues tokens for it, with a slash at the end. */
  signIn: string;
  userAgent: string;
  signal: AbortSignal;
}

/** Signs in with a password when a token is first needed, and again when the token has expired. */
export class AccountCredentials implements Credentials {
  readonly #account: Account;
  #token: Promise<string> | null = null;

  constructor(account: Account) {
    this.#account = account;
  }

  async authorization(): Promise<string> {
    this.#token ??= signIn(this.#account);
    return `Bearer ${await this.#token}`;
  }

  async renew(): Promise<boolean> {
    this.#token = signIn(this.#account);
    await this.#token;
    return true;
  }
}

async function signIn({ username, password, signIn: address, userAgent, signal }: Account): Promise<string> {
  const response = await fetch(`${address}token/`, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json", "user-agent": userAgent },
    body: JSON.stringify({ username, password }),
    redirect: "error",
    signal,
  });
  if (!response.ok) {
    await response.body?.cancel();
    throw new OtherServerError(
      response.status === 401 || response.status === 400 || response.status === 403
        ? `does not know this username and password (status ${response.status})`
        : `answers to the sign-in with status ${response.status}`,
      response.status,
    );
  }
  const answer: unknown = await response.json();
  if (!isFields(answer) || typeof answer["access"] !== "string") {
    throw new OtherServerError("answers to the sign-in with no token");
  }
  return answer["access"];
}
