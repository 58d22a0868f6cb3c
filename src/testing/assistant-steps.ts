import { hash, randomBytes } from "node:crypto";
import { beginSession } from "./people.ts";
import type { TestApp } from "./test-app.ts";

export const redirect = "https://assistant.example/back";
const verifier = randomBytes(32).toString("base64url");
export const challenge = hash("sha256", verifier, "base64url");

export interface Tokens {
  access_token: string;
  refresh_token: string;
  scope: string;
}

interface Answer<Body> {
  status: number;
  body: Body;
}

/** The steps of an assistant by hand, to do each of them wrongly. */
export class AssistantSteps {
  readonly #app: TestApp;

  constructor(app: TestApp) {
    this.#app = app;
  }

  async register(value: object = {}): Promise<Answer<{ client_id: string; error?: string }>> {
    const answer = await this.#app.fetch("/oauth/register/", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ client_name: "Somebody", redirect_uris: [redirect], ...value }),
    });
    return { status: answer.status, body: (await answer.json()) as { client_id: string } };
  }

  async post(path: string, parameters: Record<string, string>): Promise<Answer<Tokens & { error?: string }>> {
    const body = new URLSearchParams(parameters);
    const answer = await this.#app.fetch(path, { method: "POST", body });
    if (answer.headers.get("cache-control") !== "no-store") throw new Error("A cache might keep it");
    return { status: answer.status, body: (await answer.json()) as Tokens };
  }

  address(clientId: string, changes: Record<string, string | null> = {}): string {
    const parameters = {
      response_type: "code",
      client_id: clientId,
      redirect_uri: redirect,
      code_challenge: challenge,
      code_challenge_method: "S256",
      resource: `${this.#app.url}/mcp`,
      scope: "read write",
      state: "s",
      ...changes,
    };
    const given = Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== null);
    return `${this.#app.url}/oauth/authorize/?${new URLSearchParams(given).toString()}`;
  }

  /** A code for a person with a session. */
  async code(person: { id: number }, clientId: string, choice = "write"): Promise<string> {
    const session = await beginSession(this.#app.context, person);
    const page = await fetch(this.address(clientId), { headers: { cookie: session.cookie } });
    if (page.status !== 200) throw new Error(`The page answers ${page.status}`);
    const answer = await this.consent(session, clientId, { decision: "allow", access: choice });
    return new URL(answer.headers.get("location") ?? "").searchParams.get("code") ?? "";
  }

  consent(
    session: { cookie: string; "x-csrftoken": string },
    clientId: string,
    changes: Record<string, string>,
    headers: Record<string, string> = {},
  ): Promise<Response> {
    const fields = Object.fromEntries(new URL(this.address(clientId)).searchParams);
    return this.#app.fetch("/oauth/authorize/", {
      method: "POST",
      redirect: "manual",
      headers: { cookie: session.cookie, ...headers },
      body: new URLSearchParams({ csrfmiddlewaretoken: session["x-csrftoken"], ...fields, ...changes }),
    });
  }

  exchange(clientId: string, code: string, changes: Record<string, string> = {}) {
    const parameters = { grant_type: "authorization_code", redirect_uri: redirect, code_verifier: verifier };
    return this.post("/oauth/token/", { ...parameters, client_id: clientId, code, ...changes });
  }

  refresh(clientId: string, token: string, changes: Record<string, string> = {}) {
    const parameters = { grant_type: "refresh_token", client_id: clientId, refresh_token: token };
    return this.post("/oauth/token/", { ...parameters, ...changes });
  }

  /** A client and its tokens. */
  async connect(person: { id: number }, choice = "write"): Promise<Tokens & { clientId: string }> {
    const { body } = await this.register();
    const { body: tokens } = await this.exchange(
      body.client_id,
      await this.code(person, body.client_id, choice),
    );
    return { ...tokens, clientId: body.client_id };
  }

  call(tool: string, token: string | null, given: object = {}): Promise<Response> {
    return this.#app.fetch("/mcp", {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        ...(token !== null && { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: { name: tool, arguments: given },
      }),
    });
  }

  async works(token: string): Promise<boolean> {
    const answer = await this.call("sign_in", token);
    if (![200, 401].includes(answer.status)) throw new Error(`/mcp answers ${answer.status}`);
    await answer.body?.cancel();
    return answer.status === 200;
  }
}
