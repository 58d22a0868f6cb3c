import type { IncomingMessage } from "node:http";
import { describe, expect, it } from "vitest";
import { type Answer, CachedResponses } from "./cached-responses.ts";
import { Head } from "./head.ts";

const answerOf = (bytes: number): Answer => ({
  head: new Head({}),
  route: "/",
  body: Buffer.alloc(bytes),
  etag: '"a"',
});

function keyOf(request: {
  method?: string;
  url?: string;
  headers?: IncomingMessage["headers"];
  address?: string;
}): string | null {
  const { method = "GET", url = "/a", headers = { host: "a.org" }, address = "10.0.0.1" } = request;
  const incoming = { method, url, headers, socket: { remoteAddress: address } } as IncomingMessage;
  return new CachedResponses().keyOf(incoming);
}

describe("the response cache", () => {
  it("serves a response for its own version and for no other", () => {
    const answers = new CachedResponses();
    const answer = answerOf(1);
    answers.add("a", 7, answer);
    expect(answers.find("a", 7)).toBe(answer);
    expect(answers.find("a", 8)).toBeNull();
    expect(answers.find("b", 7)).toBeNull();
    expect(answers.find("a", "7")).toBeNull();
  });

  it("reports a key as seen from its second request on", () => {
    const answers = new CachedResponses();
    expect([answers.isSeen("a"), answers.isSeen("a"), answers.isSeen("b"), answers.isSeen("a")]).toEqual([
      false,
      true,
      false,
      true,
    ]);
  });

  it("separates responses by the origin of the requesting page", () => {
    const origins = [undefined, "https://a.org", "https://b.org"].map((origin) =>
      keyOf({ headers: { host: "a.org", ...(origin !== undefined && { origin }) } }),
    );
    expect(new Set(origins).size).toBe(3);
  });

  it("stores nothing for requests with long headers, which would fill the memory with keys", () => {
    expect(keyOf({ headers: { host: "a.org", accept: "x".repeat(4000) } })).not.toBeNull();
    expect(keyOf({ headers: { host: "a.org", accept: "x".repeat(4100) } })).toBeNull();
    const proxied = { host: "a.org", "x-forwarded-proto": "https", "x-forwarded-host": "x".repeat(4100) };
    expect(keyOf({ headers: proxied })).toBeNull();
  });

  it("keeps no more of a buffer than twice the body", () => {
    const answers = new CachedResponses();
    const whole = Buffer.allocUnsafeSlow(1000).fill("abc");
    for (const length of [100, 600]) {
      answers.add("a", 1, { ...answerOf(0), body: whole.subarray(10, 10 + length) });
      const body = answers.find("a", 1)?.body ?? Buffer.alloc(0);
      expect(body).toEqual(whole.subarray(10, 10 + length));
      expect(body.buffer.byteLength).toBeLessThanOrEqual(2 * length);
    }
  });

  it("replaces the earlier response of a key", () => {
    const answers = new CachedResponses();
    const newer = answerOf(2);
    answers.add("a", 1, answerOf(1));
    answers.add("a", 2, newer);
    expect(answers.find("a", 1)).toBeNull();
    expect(answers.find("a", 2)).toBe(newer);
  });

  it("does not store a very long body", () => {
    const answers = new CachedResponses();
    answers.add("a", 1, answerOf(512 * 1024 + 1));
    expect(answers.find("a", 1)).toBeNull();
  });

  it("holds at most 8 MB plus one body, and evicts unused responses first", () => {
    const answers = new CachedResponses();
    const half = 512 * 1024;
    const isThere = (key: string): boolean => answers.find(key, 1) !== null;
    for (let number = 0; number < 40; number++) {
      answers.add(`a${number}`, 1, answerOf(half));
      answers.isSeen("a0");
    }
    expect(isThere("a0")).toBe(true);
    expect(isThere("a39")).toBe(true);
    expect(isThere("a1")).toBe(false);
    const there = Array.from({ length: 40 }, (_, number) => isThere(`a${number}`));
    expect(there.filter(Boolean).length).toBeLessThanOrEqual(18);
    for (let again = 0; again < 8; again++) answers.add("a0", 1, answerOf(half));
    expect(isThere("a39")).toBe(true);
  });

  it("holds at most 4097 keys", () => {
    const answers = new CachedResponses();
    for (let number = 0; number < 8000; number++) answers.isSeen(`a${number}`);
    expect(answers.isSeen("a7999")).toBe(true);
    expect(answers.isSeen("a8000")).toBe(false);
    for (let number = 0; number < 7999 - 4097; number += 100) {
      expect(new Set([answers.isSeen(`a${number}`)])).toEqual(new Set([false]));
    }
  });
});

describe("the key of a request", () => {
  it("differs in everything on which a response depends", () => {
    const host = "a.org";
    const requests = [
      {},
      { url: "/a?b" },
      { headers: { host: "b.org" } },
      { headers: { host, accept: "text/html" } },
      { headers: { host, "x-forwarded-host": "c.org" } },
      { headers: { host, "x-forwarded-proto": "https" } },
      { headers: { host, "x-forwarded-host": "c.org" }, address: "10.0.0.2" },
    ];
    expect(new Set(requests.map(keyOf)).size).toBe(requests.length);
  });

  it("is the same for other clients with the same request", () => {
    expect(keyOf({ address: "10.0.0.2" })).toBe(keyOf({}));
    expect(keyOf({ headers: { host: "a.org", "user-agent": "a", "if-none-match": '"a"' } })).toBe(keyOf({}));
  });

  it("is null for other methods, for requests with credentials and for long addresses", () => {
    expect(keyOf({ method: "POST" })).toBeNull();
    expect(keyOf({ method: "HEAD" })).toBeNull();
    expect(keyOf({ headers: { host: "a.org", authorization: "Bearer a" } })).toBeNull();
    expect(keyOf({ headers: { host: "a.org", cookie: "a=b" } })).toBeNull();
    expect(keyOf({ url: `/${"a".repeat(2048)}` })).toBeNull();
  });
});
