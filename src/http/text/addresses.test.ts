import { request } from "node:http";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { addDocuments } from "../../testing/factories.ts";
import type { ListJson } from "../../testing/lists.ts";
import { type TestApp, startTestApp } from "../../testing/test-app.ts";

/** Requests a list of one record with these headers, of which fetch would not send `Host`. */
async function pageWith(app: TestApp, headers: Record<string, string>): Promise<ListJson> {
  const { promise, resolve, reject } = Promise.withResolvers<ListJson>();
  const asking = request(`${app.url}/api/documents/?per_page=1`, { headers }, (answer) => {
    text(answer).then((body) => resolve(JSON.parse(body) as ListJson), reject);
  });
  asking.on("error", reject).end();
  return promise;
}

async function withTwo(environment: Record<string, string>): Promise<TestApp> {
  const app = await startTestApp("sqlite", environment);
  await addDocuments(app.context, [{}, {}]);
  return app;
}

describe("the addresses in responses", () => {
  it("begin with the scheme and host of the request", async () => {
    await using app = await withTwo({});
    for (const host of ["a.org", "a.org:8000", "[::1]:8000", "a.org"]) {
      const { next, results } = await pageWith(app, { host });
      expect(next).toBe(`http://${host}/api/documents/?cursor=cD0x&per_page=1`);
      expect(results[0]).toMatchObject({
        asset_url: `http://${host}/files/`,
        canonical_url: `http://${host}/documents/1-a-document/`,
      });
    }
  });

  it.each(["a.org/", "a.org?", "a b", "a.org:port", "<script>", '"', "user@a.org", "a.org#"])(
    "do not begin with an invalid host: %s",
    async (host) => {
      await using app = await withTwo({});
      expect(await pageWith(app, { host })).toEqual({ detail: "Invalid Host header." });
    },
  );

  it("begin with QUIRE_URL if it is set, whatever the request says", async () => {
    await using app = await withTwo({ QUIRE_URL: "https://docs.a.org/quire/" });
    const { next, results } = await pageWith(app, { host: "<script>", "x-forwarded-host": "b.org" });
    expect(next).toBe("https://docs.a.org/quire/api/documents/?cursor=cD0x&per_page=1");
    expect(results[0]).toMatchObject({
      asset_url: "https://docs.a.org/quire/files/",
      canonical_url: "https://docs.a.org/quire/documents/1-a-document/",
    });
  });

  it("begin with separate settings for pages and files", async () => {
    await using app = await withTwo({
      QUIRE_URL: "https://api.a.org",
      QUIRE_WEB_URL: "https://www.a.org",
      QUIRE_ASSET_URL: "https://files.a.org/public",
    });
    const { next, results } = await pageWith(app, {});
    expect(next).toBe("https://api.a.org/api/documents/?cursor=cD0x&per_page=1");
    expect(results[0]).toMatchObject({
      asset_url: "https://files.a.org/public/",
      canonical_url: "https://www.a.org/documents/1-a-document/",
    });
  });

  it("ignore the headers of a proxy that is not trusted", async () => {
    await using app = await withTwo({});
    const headers = { host: "a.org", "x-forwarded-host": "evil.org", "x-forwarded-proto": "https" };
    for (let time = 0; time < 3; time++)
      expect((await pageWith(app, headers)).next).toBe("http://a.org/api/documents/?cursor=cD0x&per_page=1");
  });

  it("follow the headers of a trusted proxy on every request", async () => {
    await using app = await withTwo({ QUIRE_TRUST_PROXY: "127.0.0.1" });
    for (const forwarded of ["b.org", "b.org", "b.org", "c.org", "c.org", "c.org", "b.org"]) {
      const headers = { host: "a.org", "x-forwarded-host": forwarded, "x-forwarded-proto": "https" };
      expect((await pageWith(app, headers)).next).toBe(
        `https://${forwarded}/api/documents/?cursor=cD0x&per_page=1`,
      );
    }
    expect((await pageWith(app, { host: "a.org" })).next).toBe(
      "http://a.org/api/documents/?cursor=cD0x&per_page=1",
    );
  });
});
