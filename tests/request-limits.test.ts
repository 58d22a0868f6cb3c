import { once } from "node:events";
import http from "node:http";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { addPerson } from "../src/testing/people.ts";
import { type TestApp, startTestApp } from "../src/testing/test-app.ts";

interface Seen {
  status: number;
  headers: http.IncomingHttpHeaders;
  body: string;
}

async function ask(
  app: TestApp,
  path: string,
  { address, headers = {} }: { address: string; headers?: Record<string, string> },
): Promise<Seen> {
  const request = http.get(`${app.url}${path}`, { headers: { "x-forwarded-for": address, ...headers } });
  const [response] = (await once(request, "response")) as [http.IncomingMessage];
  return { status: response.statusCode ?? 0, headers: response.headers, body: await text(response) };
}

const seen = async (from: TestApp): Promise<unknown> => {
  const { status, headers, body } = await ask(from, "/api/documents/?per_page=2", { address: "8.8.8.8" });
  return { status, names: Object.keys(headers), body: body.replaceAll(from.url, "") };
};

const behindProxy = { QUIRE_TRUST_PROXY: "127.0.0.1", QUIRE_REQUESTS_PER_NETWORK: "6" };

describe("limits on requests", () => {
  // Quire counts in minutes of the clock, and a test could begin in one and end in the next.
  beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"] }));
  afterEach(() => void vi.useRealTimers());

  it("refuse strangers in the API's shape, also where the response is cached, and nobody else", async () => {
    await using app = await startTestApp("sqlite", behindProxy);
    const stranger = { address: "8.8.8.8" };
    const answers: Seen[] = [];
    for (let count = 0; count < 9; count++) answers.push(await ask(app, "/api/documents/", stranger));
    expect(answers.map(({ status }) => status)).toEqual([...Array(6).fill(200), ...Array(3).fill(429)]);
    const refused = answers.at(-1);
    expect(JSON.parse(refused?.body ?? "")).toEqual({
      detail: expect.stringMatching(
        /^Request was throttled\. Expected available in \d+ seconds?\.$/,
      ) as string,
    });
    expect(Number(refused?.headers["retry-after"])).toBeGreaterThan(0);
    expect(refused?.headers["ratelimit-policy"]).toBe('"network";q=6;w=60');
    expect(refused?.headers["ratelimit"]).toMatch(/^"network";r=0;t=\d+$/);
    const page = await ask(app, "/", { ...stranger, headers: { accept: "text/html" } });
    expect([page.status, page.headers["content-type"]]).toEqual([429, "text/html; charset=utf-8"]);
    const other = await ask(app, "/api/documents/", { address: "8.8.4.4" });
    expect(other.status).toBe(200);
    // What one client has left is never sent to another one with the cached response.
    expect(Object.keys(other.headers).filter((name) => name.startsWith("ratelimit"))).toEqual([]);
  });

  it("leave the answers to all others as they are", async () => {
    await using app = await startTestApp("sqlite", behindProxy);
    await using unlimited = await startTestApp("sqlite", { ...behindProxy, QUIRE_REQUESTS_PER_NETWORK: "0" });
    for (let count = 0; count < 3; count++) expect(await seen(app)).toEqual(await seen(unlimited));
  });

  it("let members go on where strangers are refused, and count the tokens of nobody for their network", async () => {
    await using app = await startTestApp("sqlite", { ...behindProxy, QUIRE_REQUESTS_PER_TOKEN: "8" });
    const { headers } = await addPerson(app.context, { username: "member" });
    const member = { address: "8.8.8.8", headers };
    const statuses = async (client: Parameters<typeof ask>[2], count: number): Promise<number[]> => {
      const all: number[] = [];
      for (let index = 0; index < count; index++)
        all.push((await ask(app, "/api/documents/", client)).status);
      return all;
    };
    expect(await statuses({ address: "8.8.8.8" }, 7)).toEqual([...Array(6).fill(200), 429]);
    expect(await statuses(member, 9)).toEqual([...Array(8).fill(200), 429]);
    const guesser = { address: "9.9.9.9", headers: { authorization: "Bearer guessed" } };
    expect(await statuses(guesser, 8)).toEqual([...Array(6).fill(403), 429, 429]);
  });

  it("do not hold for this machine", async () => {
    await using app = await startTestApp("sqlite", { QUIRE_REQUESTS_PER_NETWORK: "2" });
    for (let count = 0; count < 10; count++) expect((await app.fetch("/api/")).status).toBe(200);
  });
});
