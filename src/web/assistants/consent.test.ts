import { describe, expect, it } from "vitest";
import { AssistantSteps, challenge, redirect } from "../../testing/assistant-steps.ts";
import { beginSession } from "../../testing/people.ts";
import { TestAssistant, TestBrowser } from "../../testing/test-assistant.ts";
import { defaultEngines, useApp } from "../../testing/test-app.ts";

const password = "correct horse battery";

describe.each(defaultEngines)("the consent to an assistant, on %s", (engine) => {
  const app = useApp(engine, { QUIRE_ASSISTANT_SIGN_IN: "offered" });
  const ada = app.person("ada", { organizations: [1], password });
  const steps = new AssistantSteps(app);

  const opened = async (clientId: string, changes: Record<string, string | null> = {}) => {
    const { cookie } = await beginSession(app.context, ada);
    return fetch(steps.address(clientId, changes), { headers: { cookie }, redirect: "manual" });
  };

  it("is asked on a page that no other site can frame, cache or make somebody send", async () => {
    const { body } = await steps.register();
    const page = await opened(body.client_id);
    const policy = page.headers.get("content-security-policy") ?? "";
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("form-action 'self' https://assistant.example");
    expect(page.headers.get("cache-control")).toBe("no-store");
    expect(page.headers.get("access-control-allow-origin")).toBeNull();
    const session = await beginSession(app.context, ada);
    const allow = { decision: "allow" };
    for (const [changes, headers] of [
      [{ ...allow, csrfmiddlewaretoken: "" }, {}],
      [{ ...allow, csrfmiddlewaretoken: "x".repeat(43) }, {}],
      [allow, { origin: "https://assistant.example" }],
      [allow, { "sec-fetch-site": "cross-site" }],
    ] as const) {
      const answer = await steps.consent(session, body.client_id, changes, headers);
      expect([answer.status, answer.headers.get("location")]).toEqual([403, null]);
    }
    const forged = { cookie: "", "x-csrftoken": session["x-csrftoken"] };
    expect((await steps.consent(forged, body.client_id, allow)).status).toBe(403);
  });

  it("leads nobody anywhere before it is known that the address is the client's, and they press a button", async () => {
    const { body } = await steps.register();
    const evil = "https://evil.example/";
    const stranger = [
      { client_id: "unknown" },
      { client_id: null },
      { client_id: "a\0b" },
      { redirect_uri: evil },
      { redirect_uri: null },
      { redirect_uri: `${redirect}?more=1` },
      { redirect_uri: `${redirect}/../back` },
      { redirect_uri: redirect.toUpperCase() },
      { redirect_uri: `${redirect}#x` },
      { redirect_uri: "javascript:alert(1)//" },
    ];
    for (const changes of stranger) {
      const answer = await opened(body.client_id, changes);
      const html = await answer.text();
      expect([changes, answer.status, answer.headers.get("location")]).toEqual([changes, 400, null]);
      expect(html.slice(html.indexOf("<main"))).not.toMatch(/evil\.example|javascript:|Back to/);
    }
    const wrong: [Record<string, string | null>, string][] = [
      [{ response_type: "token" }, "unsupported_response_type"],
      [{ code_challenge_method: "plain" }, "invalid_request"],
      [{ code_challenge_method: null }, "invalid_request"],
      [{ code_challenge: null }, "invalid_request"],
      [{ code_challenge: `${challenge}a` }, "invalid_request"],
      [{ resource: `${app.url}/api/` }, "invalid_target"],
      [{ resource: "https://elsewhere.example/mcp" }, "invalid_target"],
      [{ scope: "admin" }, "invalid_scope"],
    ];
    for (const [changes, error] of wrong) {
      const answer = await opened(body.client_id, changes);
      expect([changes, answer.status, answer.headers.get("location")]).toEqual([changes, 400, null]);
      const [, back = ""] = /href="(https:\/\/assistant\.example[^"]+)"/.exec(await answer.text()) ?? [];
      const { searchParams } = new URL(back.replaceAll("&#38;", "&"));
      expect([searchParams.get("error"), searchParams.get("state"), searchParams.get("iss")]).toEqual([
        error,
        "s",
        app.url,
      ]);
    }
    // The form is read again from the start: its hidden fields prove nothing.
    const session = await beginSession(app.context, ada);
    const moved = await steps.consent(session, body.client_id, { decision: "allow", redirect_uri: evil });
    expect([moved.status, moved.headers.get("location")]).toEqual([400, null]);
    const weak = { decision: "allow", code_challenge_method: "plain" };
    expect((await steps.consent(session, body.client_id, weak)).status).toBe(400);
  });

  it("takes any port of the person's own device, and nothing else of such an address", async () => {
    const { body } = await steps.register({
      redirect_uris: ["http://localhost/callback", "http://127.0.0.1:1/c"],
    });
    const named = ["http://localhost:43210/callback", "http://localhost/callback", "http://127.0.0.1:5/c"];
    for (const address of named)
      expect(await (await opened(body.client_id, { redirect_uri: address })).text()).toContain(
        "Any program on this device can say so.",
      );
    for (const address of [
      "http://localhost:43210/other",
      "http://127.0.0.1:43210/callback",
      "http://localhost.evil.example/callback",
      "http://localhost:1@evil.example/callback",
      "https://localhost:1/callback",
    ]) {
      const { status } = await opened(body.client_id, { redirect_uri: address });
      expect([address, status]).toEqual([address, 400]);
    }
  });

  it("is for people who sign in with a browser, and goes on afterwards: not for guests, tokens or nobody", async () => {
    const { body } = await steps.register();
    const address = steps.address(body.client_id);
    for (const headers of [{}, ada.headers, { cookie: "guest_session=x" }]) {
      const answer = await fetch(address, { headers, redirect: "manual" });
      expect(answer.status).toBe(302);
      expect(answer.headers.get("location")).toContain("/sign-in/?next=%2Foauth%2Fauthorize%2F%3F");
    }
    const sent = await app.fetch("/oauth/authorize/", {
      method: "POST",
      headers: { ...ada.headers },
      body: new URLSearchParams({ ...Object.fromEntries(new URL(address).searchParams), decision: "allow" }),
    });
    expect(sent.status).toBe(403);
    const { response } = await new TestBrowser(app.url).open(address, { username: "ada", password });
    expect(await response.text()).toContain("Connect an assistant");
  });

  it("is refused in the words of the protocol, and a client does not take the answer of another server", async () => {
    const assistant = new TestAssistant(app.url);
    const client = await assistant.connected();
    await client.callTool({ name: "sign_in", arguments: {} }).catch(() => undefined);
    const browser = new TestBrowser(app.url);
    const { response } = await browser.open(assistant.sentTo?.href ?? "", { username: "ada", password });
    const html = await response.text();
    const { address: refused } = await browser.decide(html, { decision: "refuse" });
    expect(new URL(refused).searchParams.get("error")).toBe("access_denied");
    const { address } = await browser.decide(html, { decision: "allow" });
    for (const iss of ["https://evil.example", ""]) {
      const mixedUp = new URL(address);
      if (iss === "") mixedUp.searchParams.delete("iss");
      else mixedUp.searchParams.set("iss", iss);
      await expect(assistant.finish(mixedUp.href)).rejects.toThrow(/iss/i);
    }
    await assistant.finish(address);
    expect(assistant.tokens()?.scope).toBe("read");
  });

  it("to reading alone leaves no tool that writes, and says what it lacks", async () => {
    const tokens = await steps.connect(ada, "read");
    expect(tokens.scope).toBe("read");
    const writing = await steps.call("create_project", tokens.access_token, { title: "No" });
    expect(writing.status).toBe(403);
    expect(writing.headers.get("www-authenticate")).toBe(
      'Bearer error="insufficient_scope", ' +
        `resource_metadata="${app.url}/.well-known/oauth-protected-resource/mcp", scope="read write"`,
    );
    expect((await steps.call("list_projects", tokens.access_token)).status).toBe(200);
    expect((await app.send(ada, "GET", "/api/projects/")).body.results).toEqual([]);
  });
});

describe.each(defaultEngines)("clients on %s", (engine) => {
  const app = useApp(engine, { QUIRE_ASSISTANT_SIGN_IN: "offered", QUIRE_TRUST_PROXY: "on" });
  const steps = new AssistantSteps(app);

  const registerFrom = (address: string) =>
    app.fetch("/oauth/register/", {
      method: "POST",
      headers: { "content-type": "application/json", "x-forwarded-for": address },
      body: JSON.stringify({ redirect_uris: [redirect] }),
    });

  it("register with addresses to which people can be sent safely", async () => {
    const { status, body } = await steps.register({ token_endpoint_auth_method: "client_secret_basic" });
    expect([status, body]).toEqual([
      201,
      {
        client_id: expect.any(String),
        client_id_issued_at: expect.any(Number),
        client_name: "Somebody",
        redirect_uris: [redirect],
        grant_types: ["authorization_code", "refresh_token"],
        response_types: ["code"],
        token_endpoint_auth_method: "none",
      },
    ]);
    const bad: [object, string][] = [
      [{ redirect_uris: ["http://assistant.example/back"] }, "invalid_redirect_uri"],
      [{ redirect_uris: ["cursor://back"] }, "invalid_redirect_uri"],
      [{ redirect_uris: [`${redirect}#a`] }, "invalid_redirect_uri"],
      [{ redirect_uris: ["https://a:b@assistant.example/"] }, "invalid_redirect_uri"],
      [{ redirect_uris: [] }, "invalid_redirect_uri"],
      [{ redirect_uris: "x" }, "invalid_redirect_uri"],
      [{ redirect_uris: [redirect, 1] }, "invalid_redirect_uri"],
      [{ client_name: 1 }, "invalid_client_metadata"],
      [{ grant_types: ["client_credentials"] }, "invalid_client_metadata"],
      [{ response_types: ["token"] }, "invalid_client_metadata"],
    ];
    for (const [value, error] of bad)
      expect([value, (await steps.register(value)).body.error]).toEqual([value, error]);
  });

  it("register a limited number of times from one network", async () => {
    const statuses = new Set<number>();
    for (let count = 0; count < 30; count++) statuses.add((await registerFrom("198.51.100.7")).status);
    expect([...statuses]).toEqual([201]);
    const refused = await registerFrom("198.51.100.7");
    expect([refused.status, Number(refused.headers.get("retry-after")) > 0]).toEqual([429, true]);
    expect((await registerFrom("198.51.100.8")).status).toBe(201);
  });
});

describe.each(defaultEngines)("signing in by assistants, on %s", (engine) => {
  const off = useApp(engine);
  const required = useApp(engine, { QUIRE_ASSISTANT_SIGN_IN: "required" });
  const ada = required.person("ada", { password });

  it("is not there without the setting, which changes nothing then", async () => {
    const { paths } = { paths: off.routes.filter(({ path }) => /oauth|well-known\/o/.test(path)) };
    expect(paths).toEqual([]);
    const steps = new AssistantSteps(off);
    expect((await steps.call("list_projects", null)).status).toBe(200);
    const wrong = await steps.call("list_projects", "quireassistant_x");
    expect([wrong.status, wrong.headers.get("www-authenticate")]).toEqual([403, 'Bearer realm="api"']);
    expect(await (await steps.call("sign_in", null)).text()).toContain("not found");
  });

  it("can be required: then a client without a token learns at once where a person signs in", async () => {
    const steps = new AssistantSteps(required);
    const metadataAt = `${required.url}/.well-known/oauth-protected-resource/mcp`;
    const challenged = `resource_metadata="${metadataAt}", scope="read write"`;
    const nobody = await steps.call("list_projects", null);
    expect([nobody.status, nobody.headers.get("www-authenticate")]).toEqual([401, `Bearer ${challenged}`]);
    const wrong = await steps.call("list_projects", "quireassistant_x");
    expect([wrong.status, wrong.headers.get("www-authenticate")]).toEqual([
      401,
      `Bearer error="invalid_token", ${challenged}`,
    ]);
    expect((await steps.call("list_projects", ada.headers.authorization.slice(7))).status).toBe(200);
    const metadata = await required.fetch("/.well-known/oauth-protected-resource");
    expect(await metadata.json()).toMatchObject({
      resource: `${required.url}/mcp`,
      authorization_servers: [required.url],
    });
    const assistant = new TestAssistant(required.url);
    await expect(assistant.connected()).rejects.toThrow("Unauthorized");
    const browser = new TestBrowser(required.url);
    const { response } = await browser.open(assistant.sentTo?.href ?? "", { username: "ada", password });
    const { address } = await browser.decide(await response.text(), { decision: "allow", access: "write" });
    await assistant.finish(address);
    const client = await assistant.connected();
    const names = (await client.listTools()).tools.map(({ name }) => name);
    expect(names).toContain("add_note");
    expect(names).not.toContain("sign_in");
    await client.close();
  });
});
