import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair } from "jose";
import { Provider } from "oidc-provider";
import { createMemoryAdapter } from "oidc-provider/lib/adapters/memory_adapter.js";

/** A person at the identity provider of a test. */
export interface ProviderPerson {
  sub: string;
  [claim: string]: unknown;
}

/** A real OpenID Connect provider on this machine, at which `person` has signed in already. */
export interface TestIdentityProvider extends AsyncDisposable {
  issuer: string;
  /** The person who sits in front of the browser; null for one who refuses to sign in. */
  person: ProviderPerson | null;
  /** Tells its client that a session of a person has ended there. */
  endSession(subject: string, session: string): Promise<void>;
}

export const testClient = { client_id: "quire", client_secret: "secret-of-the-test" } as const;

/** @param service the address of the Quire whose only identity provider, with the id 1, this is. */
export async function startIdentityProvider(service: string): Promise<TestIdentityProvider> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const people = new Map<string, ProviderPerson>();
  const provider = new Provider(issuer, await settingsFor(service, people));
  const test: TestIdentityProvider = {
    issuer,
    person: null,
    async endSession(subject, session) {
      await (await provider.Client.find(testClient.client_id))?.backchannelLogout(subject, session);
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
  const others = provider.callback();
  server.on("request", (request, response) => {
    if (request.url?.startsWith("/interaction/") !== true) return others(request, response);
    void (async () => {
      const { prompt, params, session } = await provider.interactionDetails(request, response);
      const finish = (result: object): Promise<void> =>
        provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
      if (test.person === null)
        return finish({ error: "access_denied", error_description: "You are not let in <today>" });
      people.set(test.person.sub, test.person);
      if (prompt.name === "login") return finish({ login: { accountId: test.person.sub } });
      const grant = new provider.Grant({ accountId: session?.accountId ?? "", clientId: params.client_id });
      grant.addOIDCScope(params.scope ?? "openid");
      return finish({ consent: { grantId: await grant.save() } });
    })();
  });
  return test;
}

/** What the provider knows: one client, and the people. */
async function settingsFor(service: string, people: ReadonlyMap<string, ProviderPerson>): Promise<object> {
  const { privateKey } = await generateKeyPair("RS256", { extractable: true });
  return {
    clients: [
      {
        ...testClient,
        redirect_uris: [`${service}/sign-in/with/1/return/`],
        post_logout_redirect_uris: [`${service}/sign-in/`],
        backchannel_logout_uri: `${service}/sign-in/with/1/notice/`,
        backchannel_logout_session_required: true,
        token_endpoint_auth_method: "client_secret_post",
      },
    ],
    scopes: ["openid", "profile", "email", "groups"],
    claims: {
      openid: ["sub", "sid"],
      profile: ["name", "preferred_username"],
      email: ["email", "email_verified"],
      groups: ["groups", "_claim_names"],
    },
    adapter: createMemoryAdapter(),
    cookies: { keys: ["of a test"] },
    features: {
      devInteractions: { enabled: false },
      backchannelLogout: { enabled: true },
      rpInitiatedLogout: {
        logoutSource(context: { body: string }, form: string) {
          context.body = `<!doctype html><html lang="en"><title>Sign out</title>${form}</html>`;
        },
      },
    },
    // Its own way refuses addresses of this machine.
    fetch: (address: string, { method, headers, body }: RequestInit) =>
      fetch(address, { method: method ?? "GET", headers: headers ?? {}, body: body ?? null }),
    jwks: { keys: [await exportJWK(privateKey)] },
    pkce: { required: () => true },
    ttl: {
      AccessToken: 600,
      AuthorizationCode: 60,
      IdToken: 600,
      Interaction: 600,
      Grant: 600,
      Session: 600,
    },
    interactions: { url: () => "/interaction/" },
    findAccount: (_context: unknown, id: string) => ({
      accountId: id,
      claims: () => people.get(id) ?? { sub: id },
    }),
  };
}

/** A browser without pages: it keeps cookies by origin and follows redirects. */
export class CookieJar {
  readonly #cookies = new Map<string, Map<string, string>>();

  /** The last response, and its address. A redirect to an address that `stop` holds for is not followed. */
  async visit(
    address: string,
    init: RequestInit = {},
    stop: (address: string) => boolean = () => false,
  ): Promise<{ response: Response; address: string }> {
    let next = { address, init };
    for (let steps = 0; steps < 20; steps++) {
      const response = await this.#ask(next.address, next.init);
      const location = response.headers.get("location");
      if (location === null) return { response, address: next.address };
      const target = new URL(location, next.address).href;
      if (stop(target)) return { response, address: target };
      next = { address: target, init: {} };
    }
    throw new Error(`${address} leads on and on`);
  }

  cookie(address: string, name: string): string | null {
    return this.#cookies.get(new URL(address).origin)?.get(name) ?? null;
  }

  async #ask(address: string, init: RequestInit): Promise<Response> {
    const { origin } = new URL(address);
    const own = this.#cookies.get(origin) ?? new Map<string, string>();
    this.#cookies.set(origin, own);
    const cookie = Array.from(own, ([name, value]) => `${name}=${value}`).join("; ");
    const headers = { ...(init.headers as Record<string, string>), ...(cookie !== "" && { cookie }) };
    const response = await fetch(address, { ...init, headers, redirect: "manual" });
    for (const line of response.headers.getSetCookie()) {
      const [name = "", value = ""] = (line.split(";")[0] ?? "").split(/=(.*)/s);
      if (/max-age=0\b|expires=Thu, 01 Jan 1970/i.test(line)) own.delete(name);
      else own.set(name, value);
    }
    return response;
  }
}
