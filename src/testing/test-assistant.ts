import {
  Client,
  type OAuthClientMetadata,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import { CookieJar } from "./identity-provider.ts";

type Kept<Name extends "clientInformation" | "tokens"> = Awaited<ReturnType<OAuthClientProvider[Name]>>;

/** An assistant as the protocol's own client is one. It keeps in memory what a hosted one keeps for a person. */
export class TestAssistant implements OAuthClientProvider {
  readonly redirectUrl: string;
  readonly clientMetadata: OAuthClientMetadata;
  readonly #mcp: URL;
  #client: Kept<"clientInformation">;
  #tokens: Kept<"tokens">;
  #verifier = "";
  #discovery: OAuthDiscoveryState | undefined;
  /** Where it wanted to send the person. */
  sentTo: URL | null = null;
  clientMetadataUrl?: string;

  constructor(
    server: string,
    { name = "A test assistant", redirect = "https://assistant.example/back" } = {},
  ) {
    this.#mcp = new URL(`${server}/mcp`);
    this.redirectUrl = redirect;
    this.clientMetadata = { client_name: name, redirect_uris: [redirect] };
  }

  state = (): string => "a state & more";
  clientInformation = () => this.#client;
  saveClientInformation = (client: NonNullable<Kept<"clientInformation">>): void =>
    void (this.#client = client);
  tokens = () => this.#tokens;
  saveTokens = (tokens: NonNullable<Kept<"tokens">>): void => void (this.#tokens = tokens);
  saveCodeVerifier = (verifier: string): void => void (this.#verifier = verifier);
  codeVerifier = (): string => this.#verifier;
  redirectToAuthorization = (url: URL): void => void (this.sentTo = url);

  saveDiscoveryState = (state: OAuthDiscoveryState): void => void (this.#discovery = state);
  discoveryState = () => this.#discovery;
  invalidateCredentials = (): void => void (this.#tokens = undefined);

  /** As after a restart in which it has lost its access token. */
  spoilAccess(): void {
    if (this.#tokens !== undefined) this.#tokens = { ...this.#tokens, access_token: "quireassistant_old" };
  }

  transport(): StreamableHTTPClientTransport {
    return new StreamableHTTPClientTransport(this.#mcp, { authProvider: this });
  }

  /** A client that has said hello. */
  async connected(): Promise<Client> {
    const client = new Client({ name: "a test", version: "1.0.0" });
    await client.connect(this.transport());
    return client;
  }

  /** Takes what the person's browser brings back. */
  async finish(address: string): Promise<void> {
    await this.transport().finishAuth(new URL(address).searchParams);
  }
}

/** A browser with nothing but forms. */
export class TestBrowser {
  readonly jar = new CookieJar();
  readonly #server: string;

  constructor(server: string) {
    this.#server = server;
  }

  /** Opens a page, and signs in if it asks for that. */
  async open(address: string, person: { username: string; password: string } | null) {
    const opened = await this.jar.visit(address);
    if (person === null || !opened.address.includes("/sign-in/")) return opened;
    const next = new URL(opened.address).searchParams.get("next") ?? "";
    return this.jar.visit(`${this.#server}/sign-in/`, {
      method: "POST",
      body: new URLSearchParams({ ...person, next }),
    });
  }

  /** Sends the form of the consent page on which the browser is. Returns where it leads, or the page that follows. */
  async decide(html: string, choice: Record<string, string>, headers: Record<string, string> = {}) {
    const fields = [...html.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(
      ([, name = "", value = ""]): [string, string] => [name, unescaped(value)],
    );
    return this.jar.visit(
      `${this.#server}/oauth/authorize/`,
      { method: "POST", headers, body: new URLSearchParams([...fields, ...Object.entries(choice)]) },
      (target) => !target.startsWith(this.#server),
    );
  }
}

const unescaped = (text: string): string =>
  text.replaceAll(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)));
