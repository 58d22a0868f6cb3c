import { randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import { fastify } from "fastify";
import { beforeAll, describe, expect, it } from "vitest";
import { compressResponses } from "./compression.ts";
import { beginSession } from "../../testing/people.ts";
import { sendAs } from "../../testing/requests.ts";
import { addReadDocument } from "../../testing/read-documents.ts";
import { useApp } from "../../testing/test-app.ts";

describe("the compression of responses", () => {
  const app = useApp("sqlite");
  let id = 0;
  let stylesheet = "";
  const record = (): string => `/api/documents/${id}/`;
  const owner = app.person("owner", { organizations: [1] });
  beforeAll(async () => {
    const row = { user_id: owner.id, description: "All of this. ".repeat(300), slug: "a" };
    const pages = Array.from({ length: 40 }, (_, page) => `The text of page ${page}. `.repeat(20));
    id = await addReadDocument(app.context, { ...row, pages, pdf: "a".repeat(5000) });
    stylesheet = /href="([^"]*\.css)"/.exec(await (await app.fetch("/")).text())?.[1] ?? "";
  });

  const get = (target: string, headers: Record<string, string> = {}, method = "GET"): Promise<Response> =>
    app.fetch(target, { method, headers: { "accept-encoding": "identity", ...headers } });

  it.each([
    ["JSON", record],
    ["a page", () => `/documents/${id}-a/`, "Accept, Accept-Language, Accept-Encoding"],
    ["a stylesheet", () => stylesheet],
    ["the text of all pages", () => `/files/documents/${id}/a.txt`],
    ["the text of all pages as JSON", () => `/files/documents/${id}/a.txt.json`],
  ])("follows what the client accepts, for %s", async (_, target, vary = "Accept, Accept-Encoding") => {
    const plain = await get(target());
    const bytes = Buffer.from(await plain.arrayBuffer());
    const tag = plain.headers.get("etag") ?? "";
    expect([plain.status, plain.headers.get("content-encoding")]).toEqual([200, null]);
    expect([plain.headers.get("vary"), tag]).toEqual([vary, expect.stringMatching(/^"/)]);
    for (const [accepted, coding] of [
      ["gzip", "gzip"],
      ["gzip, deflate, br, zstd", "br"],
      ["br;q=0.1, gzip;q=0.2", "gzip"],
    ] as const) {
      // The third response may come from the response cache, and has the same headers.
      for (const _time of [1, 2, 3]) {
        const { headers, ...answer } = await response(target(), { "accept-encoding": accepted });
        expect(headers.get("content-encoding")).toBe(coding);
        expect(headers.get("vary")).toBe(vary);
        expect(headers.get("etag")).toBe(`W/${tag}`);
        expect(Number(headers.get("content-length") ?? 0)).toBeLessThan(bytes.length / 2);
        expect(answer.body.equals(bytes)).toBe(true);
      }
      for (const known of [tag, `W/${tag}`, `"x", W/${tag}`]) {
        const headers = { "accept-encoding": accepted, "if-none-match": known };
        const again = await get(target(), headers);
        expect([again.status, await again.text()]).toEqual([304, ""]);
        expect(again.headers.get("content-encoding")).toBeNull();
      }
    }
    for (const known of [tag, `W/${tag}`]) {
      expect((await get(target(), { "if-none-match": known })).status).toBe(304);
    }
  });

  async function response(
    target: string,
    headers: Record<string, string>,
  ): Promise<{ headers: Headers; body: Buffer }> {
    const answer = await get(target, headers);
    return { headers: answer.headers, body: Buffer.from(await answer.arrayBuffer()) };
  }

  const coding = async (target: string, headers: Record<string, string>): Promise<string | null> =>
    (await get(target, { "accept-encoding": "br", ...headers })).headers.get("content-encoding");

  it("does not compress the document list, short responses, files or event streams", async () => {
    for (const target of ["/api/documents/", "/api/documents/?format=api", "/api/documents/?per_page=100"]) {
      const { headers } = await response(target, { "accept-encoding": "br, gzip" });
      expect([target, headers.get("vary"), headers.get("content-encoding")]).toEqual([
        target,
        "Accept",
        null,
      ]);
    }
    for (const target of ["/api/", "/livez", `/files/documents/${id}/a.pdf`, "/api/nothing/"]) {
      const { headers } = await response(target, { "accept-encoding": "br, gzip" });
      expect([target, headers.get("vary"), headers.get("content-encoding")]).toEqual([
        target,
        "Accept",
        null,
      ]);
    }
    const events = await get(`/api/documents/${id}/process/events/`, { "accept-encoding": "br, gzip" });
    expect([events.headers.get("content-type"), events.headers.get("content-encoding")]).toEqual([
      "text/event-stream",
      null,
    ]);
    await events.body?.cancel();
  });

  it("has the same headers for HEAD as for GET", async () => {
    const headers = { "accept-encoding": "gzip" };
    const [whole, head] = [await get(record(), headers), await get(record(), headers, "HEAD")];
    for (const name of ["etag", "vary", "content-encoding", "content-type", "content-length"]) {
      expect([name, head.headers.get(name)]).toEqual([name, whole.headers.get(name)]);
    }
  });

  it("is off where a response could contain both a secret and text that an attacker chose", async () => {
    const { cookie } = await beginSession(app.context, owner);
    const html = { accept: "text/html" };
    for (const [target, more, withCookie] of [
      [record(), {}, "br"],
      [`/files/documents/${id}/a.txt.json`, {}, "br"],
      [stylesheet, {}, "br"],
      [`${record()}?expand=user`, {}, null],
      ["/api/documents/search/?q=this", {}, null],
      ["/?q=this", html, null],
      [`/documents/${id}-a/`, html, null],
      [record(), html, null],
    ] as const) {
      expect([target, await coding(target, { ...more, cookie })]).toEqual([target, withCookie]);
      expect([target, await coding(target, more)]).toEqual([target, "br"]);
      expect([target, await coding(target, { ...more, ...owner.headers })]).toEqual([target, "br"]);
    }
  });

  it("gives a record an entity tag that If-Match accepts", async () => {
    const { headers } = await sendAs(app, owner, "GET", record(), undefined, { "accept-encoding": "gzip" });
    const tag = headers.get("etag") ?? "";
    expect(tag).toMatch(/^W\//);
    const change = (): Promise<{ status: number }> =>
      sendAs(app, owner, "PATCH", record(), { title: "New" }, { "if-match": tag });
    expect((await change()).status).toBe(200);
    expect((await change()).status).toBe(412);
  });
});

describe("a compressed stream", () => {
  it("breaks off where its source breaks off", async () => {
    const app = fastify();
    compressResponses(app);
    app.get("/text", (_, reply) => reply.type("text/plain").send(Readable.from(broken())));
    const url = await app.listen({ host: "127.0.0.1", port: 0 });
    try {
      const answer = await fetch(`${url}/text`, { headers: { "accept-encoding": "br" } });
      expect(answer.headers.get("content-encoding")).toBe("br");
      await expect(answer.arrayBuffer()).rejects.toThrow("terminated");
    } finally {
      await app.close();
    }
  });
});

async function* broken(): AsyncGenerator<Buffer> {
  yield randomBytes(200_000);
  throw new Error("changed meanwhile");
}
