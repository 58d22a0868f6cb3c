import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AssistantSteps, redirect } from "../../testing/assistant-steps.ts";
import { beginSession } from "../../testing/people.ts";
import { TestAssistant, TestBrowser } from "../../testing/test-assistant.ts";
import { defaultEngines, useApp } from "../../testing/test-app.ts";
import { type TlsServer, startTlsServer } from "../../testing/tls-server.ts";

const password = "correct horse battery";

describe.each(defaultEngines)("clients that a document describes, on %s", (engine) => {
  const app = useApp(engine, {
    QUIRE_ASSISTANT_SIGN_IN: "required",
    QUIRE_FETCH_ALLOWED_HOSTS: "localhost",
  });
  const ada = app.person("ada", { password });
  const steps = new AssistantSteps(app);
  let there: TlsServer;
  let asked: string[] = [];
  /** What the server answers with, by path. */
  const documents = new Map<string, { value: unknown; headers?: Record<string, string>; status?: number }>();
  beforeAll(async () => {
    there = await startTlsServer(({ url = "" }, response) => {
      asked.push(url);
      const { value, headers = {}, status = 200 } = documents.get(url) ?? { value: {}, status: 404 };
      response.writeHead(status, { "content-type": "application/json", ...headers });
      response.end(typeof value === "string" ? value : JSON.stringify(value));
    });
  });
  afterAll(() => there[Symbol.asyncDispose]());

  const document = (path: string, changes: object = {}) => ({
    client_id: `${there.url}${path}`,
    client_name: "Documented",
    redirect_uris: [redirect],
    token_endpoint_auth_method: "none",
    ...changes,
  });

  const statusFor = async (clientId: string): Promise<number> => {
    const { cookie } = await beginSession(app.context, ada);
    return (await fetch(steps.address(clientId), { headers: { cookie } })).status;
  };

  it("are connected without registering, and the page says whose document it is", async () => {
    documents.set("/client.json", { value: document("/client.json") });
    const assistant = new TestAssistant(app.url);
    assistant.clientMetadataUrl = `${there.url}/client.json`;
    await expect(assistant.connected()).rejects.toThrow("Unauthorized");
    expect(assistant.sentTo?.searchParams.get("client_id")).toBe(`${there.url}/client.json`);
    const browser = new TestBrowser(app.url);
    const { response } = await browser.open(assistant.sentTo?.href ?? "", { username: "ada", password });
    const html = await response.text();
    expect(html).toContain("Documented");
    expect(html).toContain(`localhost:${there.port}</strong>`);
    const { address } = await browser.decide(html, { decision: "allow" });
    await assistant.finish(address);
    const client = await assistant.connected();
    expect((await client.listTools()).tools.length).toBeGreaterThan(5);
    await client.close();
  });

  it("are read again only when they are no longer fresh, and never for people who have not signed in", async () => {
    documents.set("/fresh.json", {
      value: document("/fresh.json"),
      headers: { "cache-control": "public, max-age=600" },
    });
    const id = `${there.url}/fresh.json`;
    asked = [];
    await fetch(steps.address(id), { redirect: "manual" });
    expect(asked).toEqual([]);
    expect([await statusFor(id), await statusFor(id)]).toEqual([200, 200]);
    expect(asked).toEqual(["/fresh.json"]);
    documents.set("/fresh.json", {
      value: document("/fresh.json", { redirect_uris: ["https://moved.example/"] }),
    });
    const stale = { fresh_until: "2025-01-31T12:00:00.000000Z" };
    await app.context.database.write((writer) =>
      writer.updateTable("assistant_clients").set(stale).where("client_id", "=", id).execute(),
    );
    expect(await statusFor(id)).toBe(400);
    expect(asked).toHaveLength(2);
  });

  it("are unknown if the document is not theirs, is not there, or is of a client with a secret", async () => {
    documents.set("/other.json", { value: document("/client.json") });
    documents.set("/secret.json", {
      value: document("/secret.json", { token_endpoint_auth_method: "client_secret_post" }),
    });
    documents.set("/unnamed.json", { value: document("/unnamed.json", { client_name: undefined }) });
    documents.set("/list.json", { value: [] });
    documents.set("/text.json", { value: "no JSON" });
    documents.set("/moved.json", { value: {}, status: 302, headers: { location: "/there.json" } });
    // Otherwise, a site with an open redirect could be made to vouch for a document of somebody else.
    documents.set("/there.json", { value: document("/moved.json") });
    documents.set("/long.json", { value: document("/long.json", { filler: "x".repeat(70_000) }) });
    documents.set("/http.json", {
      value: document("/http.json", { redirect_uris: ["http://assistant.example/"] }),
    });
    for (const path of documents.keys()) {
      if (path === "/client.json" || path === "/fresh.json") continue;
      expect([path, await statusFor(`${there.url}${path}`)]).toEqual([path, 400]);
    }
    for (const id of [
      `${there.url}/`,
      `${there.url}/nothing.json`,
      `${there.url}/a/../client.json`,
      `${there.url}/client.json#x`,
      `https://x@localhost:${there.port}/client.json`,
      `http://localhost:${there.port}/client.json`,
      `https://127.0.0.1:${there.port}/client.json`,
      "https://10.0.0.1/client.json",
    ])
      expect([id, await statusFor(id)]).toEqual([id, 400]);
    expect(asked).not.toContain("/nothing");
  });
});
