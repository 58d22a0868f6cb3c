import { type AddressInfo, connect } from "node:net";
import { text } from "node:stream/consumers";
import { type FastifyInstance, fastify } from "fastify";
import pino from "pino";
import { describe, expect, it } from "vitest";
import { RequestIds, RequestLog } from "../../../http/response/request-log.ts";
import { observeTaggedResponses } from "../../../http/response/tagged-responses.ts";
import { createHttpServer } from "../../../http/server.ts";
import { ResponseCache } from "./response-cache.ts";
import type { Version } from "./cached-responses.ts";

/** Starts a response cache before an application with a single resource, which counts its requests. */
class CachedApp implements AsyncDisposable {
  asked = 0;
  version: () => Version | Promise<Version> = () => 1;
  onRequest: () => void = () => undefined;
  shown = "first";
  readonly logged: Record<string, unknown>[] = [];
  readonly #app: FastifyInstance;

  private constructor(readsStandbys: boolean) {
    const write = (line: string): void => void this.logged.push(JSON.parse(line) as Record<string, unknown>);
    const ids = new RequestIds();
    const log = new RequestLog(pino({ base: null }, { write }), { metrics: null, addressOf: null });
    const cache = new ResponseCache(() => this.version(), ids, log, { readsStandbys });
    this.#app = fastify({
      genReqId: () => ids.next(),
      serverFactory: (application) => {
        const handle = cache.before(application);
        return createHttpServer((request, response) => {
          this.onRequest();
          handle(request, response);
        });
      },
    });
    observeTaggedResponses(this.#app, (request, response) => cache.remember(request, response));
    this.#app.addHook("onRequest", async (request, reply) => {
      this.asked++;
      reply.headers({ vary: "Accept", "x-request-id": request.id });
    });
    this.#app.get("/shown", (request, reply) => {
      const body = Buffer.from(`${this.shown} for ${request.headers.accept ?? "all"}`);
      return reply
        .type("text/plain")
        .header("etag", `"${body.toString("hex")}"`)
        .send(body);
    });
    this.#app.get("/untagged", (_, reply) => reply.send(Buffer.from("untagged")));
    const tagged = { etag: '"a"' };
    this.#app.get("/private", (_, reply) =>
      reply.headers({ ...tagged, "cache-control": "private, no-cache" }).send(Buffer.from("mine")),
    );
    this.#app.get("/unstored", (_, reply) =>
      reply.headers({ ...tagged, "cache-control": "no-store" }).send(Buffer.from("now")),
    );
    this.#app.get("/now", (request, reply) => {
      request.dependsOnTime = true;
      return reply.headers(tagged).send(Buffer.from("now"));
    });
    this.#app.get("/missing", (_, reply) =>
      reply.code(404).header("etag", '"a"').send(Buffer.from("missing")),
    );
  }

  static async start({ readsStandbys = false } = {}): Promise<CachedApp> {
    const cached = new CachedApp(readsStandbys);
    await cached.#app.listen({ host: "127.0.0.1", port: 0 });
    return cached;
  }

  ask(path: string, headers: Record<string, string> = {}, method = "GET"): Promise<Response> {
    const { port } = this.#app.server.address() as AddressInfo;
    return fetch(`http://127.0.0.1:${port}${path}`, { method, headers: { accept: "*/*", ...headers } });
  }

  /** Sends this many requests at once on one connection. Returns the number of successful responses. */
  async pipelined(path: string, times: number): Promise<number> {
    const { port } = this.#app.server.address() as AddressInfo;
    const socket = connect(port, "127.0.0.1");
    const head = `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\naccept: */*\r\n`;
    socket.write(`${head}\r\n`.repeat(times - 1) + `${head}connection: close\r\n\r\n`);
    const received = await text(socket);
    return received.split("HTTP/1.1 200").length - 1;
  }

  /** The bodies of this many responses in sequence. */
  async texts(path: string, times: number, headers: Record<string, string> = {}): Promise<string[]> {
    const texts = [];
    for (let time = 0; time < times; time++) texts.push(await (await this.ask(path, headers)).text());
    return texts;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#app.close();
  }
}

describe("the response cache", () => {
  it("caches the second response and serves it while it is valid", async () => {
    await using cached = await CachedApp.start();
    expect(new Set(await cached.texts("/shown", 5))).toEqual(new Set(["first for */*"]));
    expect(cached.asked).toBe(2);
    cached.shown = "second";
    cached.version = () => 2;
    expect(new Set(await cached.texts("/shown", 5))).toEqual(new Set(["second for */*"]));
    expect(cached.asked).toBe(3);
  });

  it("reads the version once for the requests of one event-loop turn, after the last of them has arrived", async () => {
    await using cached = await CachedApp.start();
    await cached.texts("/shown", 3);
    const events: string[] = [];
    cached.onRequest = () => events.push("request");
    cached.version = () => {
      events.push("version");
      return 1;
    };
    expect(await cached.pipelined("/shown", 3)).toBe(3);
    expect(events).toEqual(["request", "request", "request", "version"]);
    await cached.texts("/shown", 2);
    expect(events.slice(4)).toEqual(["request", "version", "request", "version"]);
  });

  it("never serves a response that a write made stale while it was computed", async () => {
    await using cached = await CachedApp.start();
    let version = 1;
    cached.version = () => {
      const before = version;
      version = 2;
      return before;
    };
    await cached.texts("/shown", 2);
    cached.shown = "second";
    expect(await cached.texts("/shown", 1)).toEqual(["second for */*"]);
  });

  it("caches nothing that a standby may have made from a newer version than the one that was read", async () => {
    await using cached = await CachedApp.start({ readsStandbys: true });
    const versions = [1, 2, 1, 1, 1];
    cached.version = () => versions.shift() ?? 1;
    await cached.texts("/shown", 2);
    cached.shown = "second";
    // The version before the second response was 1, and that after it 2.
    expect(await cached.texts("/shown", 1)).toEqual(["second for */*"]);
    cached.shown = "third";
    expect(await cached.texts("/shown", 2)).toEqual(["second for */*", "second for */*"]);
  });

  it("serves a cached response with its headers, except those of one request", async () => {
    await using cached = await CachedApp.start();
    const answers = [];
    for (let time = 0; time < 3; time++) {
      const { status, headers } = await cached.ask("/shown");
      const others = [...headers].filter(([name]) => name !== "x-request-id" && name !== "date");
      answers.push({ id: headers.get("x-request-id"), others: [status, ...others] });
    }
    expect(cached.asked).toBe(2);
    expect(answers[1]?.others).toEqual(answers[0]?.others);
    expect(answers[2]?.others).toEqual(answers[0]?.others);
    expect(new Set(answers.map(({ id }) => id)).size).toBe(3);
  });

  it("sends 304 without a body if the client has the bytes, cached or not", async () => {
    await using cached = await CachedApp.start();
    const etag = (await cached.ask("/shown")).headers.get("etag") ?? "";
    for (let time = 0; time < 4; time++) {
      const answer = await cached.ask("/shown", { "if-none-match": `"other", W/${etag}` });
      expect(answer.status).toBe(304);
      expect(await answer.text()).toBe("");
      expect(answer.headers.get("etag")).toBe(etag);
      expect(answer.headers.get("vary")).toBe("Accept");
      expect(answer.headers.get("content-type")).toBeNull();
    }
    expect(cached.asked).toBe(2);
    expect((await cached.ask("/shown", { "if-none-match": '"other"' })).status).toBe(200);
  });

  it("sends the same headers for HEAD as for GET", async () => {
    await using cached = await CachedApp.start();
    const etag = (await cached.ask("/shown")).headers.get("etag") ?? "";
    for (const method of ["HEAD", "GET", "HEAD", "GET", "HEAD"]) {
      expect((await cached.ask("/shown", { "if-none-match": etag }, method)).status).toBe(304);
      const { status, headers } = await cached.ask("/shown", {}, method);
      expect([status, headers.get("etag"), headers.get("content-length")]).toEqual([200, etag, "13"]);
    }
  });

  it("keeps responses to different Accept headers apart", async () => {
    await using cached = await CachedApp.start();
    await cached.texts("/shown", 3);
    expect(await cached.texts("/shown", 3, { accept: "text/html" })).toEqual(
      Array.from({ length: 3 }, () => "first for text/html"),
    );
  });

  it.each([
    ["to a request with credentials", "/shown", { cookie: "a=b" }],
    ["without an entity tag", "/untagged", {}],
    ["that is an error", "/missing", {}],
    ["that is private", "/private", {}],
    ["that must not be stored", "/unstored", {}],
    ["that depends on the time", "/now", {}],
  ])("does not cache a response %s", async (_, path, headers: Record<string, string>) => {
    await using cached = await CachedApp.start();
    await cached.texts(path, 4, headers);
    expect(cached.asked).toBe(4);
  });

  it.each([
    ["fails", () => Promise.reject(new Error("no database"))],
    [
      "throws",
      () => {
        throw new Error("no database");
      },
    ],
  ])("passes the request on when reading the version %s", async (_, version) => {
    await using cached = await CachedApp.start();
    cached.version = version;
    expect(await cached.texts("/shown", 3)).toHaveLength(3);
    expect(cached.asked).toBe(3);
  });

  it("serves all requests that wait for the same version", async () => {
    await using cached = await CachedApp.start();
    await cached.texts("/shown", 2);
    const turn = Promise.withResolvers<Version>();
    cached.version = () => turn.promise;
    const answers = Array.from({ length: 8 }, () => cached.ask("/shown"));
    turn.resolve(1);
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual(
      Array.from({ length: 8 }, () => 200),
    );
    expect(cached.asked).toBe(2);
  });

  it("logs a cached response without its query", async () => {
    await using cached = await CachedApp.start();
    await cached.texts("/shown?secret=1", 3);
    expect(cached.logged).toMatchObject([{ method: "GET", path: "/shown", status: 200, msg: "request" }]);
    expect(JSON.stringify(cached.logged)).not.toContain("secret");
  });
});
