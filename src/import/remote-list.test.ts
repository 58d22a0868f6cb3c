import { mkdtemp, rm } from "node:fs/promises";
import { type IncomingMessage, type ServerResponse, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Patience } from "./polite-fetch.ts";
import type { RecordImport } from "./import-records.ts";
import { importRemoteList } from "./remote-list.ts";
import type { SourceRecord } from "./read-source.ts";
import { ImportReport } from "./report.ts";
import { WalkStates } from "./walk-state.ts";

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** A server that sends the given answers in order, whatever the request, and then pages of two from a list of 6. */
class OtherServer {
  readonly asked: { url: string; headers: IncomingMessage["headers"] }[] = [];
  readonly planned: Answer[] = [];
  atOnce = 0;
  maxAtOnce = 0;
  readonly #server = createServer((request, response) => {
    this.asked.push({ url: request.url ?? "", headers: request.headers });
    this.atOnce += 1;
    this.maxAtOnce = Math.max(this.atOnce, this.maxAtOnce);
    response.on("close", () => (this.atOnce -= 1));
    (this.planned.shift() ?? this.page)(request, response);
  });

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get list(): string {
    return `${this.origin}/api/documents/?format=json`;
  }

  page: Answer = (request, response) => {
    const at = Number(new URL(request.url ?? "", this.origin).searchParams.get("cursor") ?? "0");
    const next = at < 4 ? `${this.list}&cursor=${at + 2}` : null;
    const results = [at + 1, at + 2].map((id) => ({ id, title: "A report" }));
    response
      .setHeader("content-type", "application/json")
      .end(JSON.stringify({ next, previous: null, results }));
  };
}

const json =
  (value: unknown): Answer =>
  (_request, response) =>
    response.end(JSON.stringify(value));
const status =
  (code: number, headers: Record<string, string> = {}): Answer =>
  (_request, response) =>
    response.writeHead(code, headers).end();

describe("the list of another server", () => {
  let server: OtherServer;
  let folder: string;
  let taken: number[];
  let notes: string[];
  let waits: number[];
  let stop: AbortController;
  let onPage: () => void;

  beforeEach(async () => {
    server = new OtherServer();
    await server.start();
    folder = await mkdtemp(path.join(tmpdir(), "quire-walk-"));
    taken = [];
    notes = [];
    waits = [];
    stop = new AbortController();
    onPage = () => undefined;
  });

  afterEach(async () => {
    await server.stop();
    await rm(folder, { recursive: true });
  });

  const patience: Patience = {
    nowMilliseconds: () => Date.parse("2026-01-31T12:00:00Z"),
    sleep: async (milliseconds, signal) => {
      waits.push(milliseconds / 1000);
      signal.throwIfAborted();
    },
  };

  async function walk(
    url = server.list,
    more: { limitBytes?: number; timeoutSeconds?: number } = {},
  ): Promise<void> {
    const records: Pick<RecordImport, "run"> = {
      run: async (_name, source) => {
        for await (const page of source as AsyncIterable<readonly SourceRecord[]>)
          taken.push(...page.map(({ read }) => read?.values.id ?? 0));
        onPage();
      },
    };
    const progress = {
      update: () => undefined,
      note: (line: string) => void notes.push(line),
      finish: () => undefined,
    };
    await importRemoteList(url, {
      records: records as RecordImport,
      report: new ImportReport(progress),
      states: new WalkStates(folder),
      userAgent: "Quire/1.2.3",
      signal: stop.signal,
      patience,
      onWait: () => undefined,
      ...more,
    });
  }

  it("is followed by its next links, one request at a time, with Quire's User-Agent", async () => {
    await walk();
    expect(taken).toEqual([1, 2, 3, 4, 5, 6]);
    expect(server.maxAtOnce).toBe(1);
    expect(server.asked.map(({ url }) => url)).toEqual([
      "/api/documents/?format=json",
      "/api/documents/?format=json&cursor=2",
      "/api/documents/?format=json&cursor=4",
    ]);
    for (const { headers } of server.asked) {
      expect(headers).toMatchObject({ "user-agent": "Quire/1.2.3", accept: "application/json" });
    }
  });

  it("is requested again after errors of the server or the network, with growing waits", async () => {
    server.planned.push(
      status(500),
      status(502),
      (request) => request.socket.destroy(),
      (_request, response) => {
        response.writeHead(200, { "content-length": "1000" }).write('{"results":[');
        response.destroy();
      },
    );
    await walk();
    expect(taken).toEqual([1, 2, 3, 4, 5, 6]);
    expect(waits).toEqual([1, 2, 4, 8]);
  });

  it("is requested again after Retry-After, in seconds or as a date", async () => {
    server.planned.push(
      status(429, { "retry-after": "17" }),
      status(503, { "retry-after": "Sat, 31 Jan 2026 12:01:30 GMT" }),
      status(429, { "retry-after": "Sat, 31 Jan 2026 11:00:00 GMT" }),
      status(429),
      status(503, { "retry-after": "soon" }),
    );
    await walk();
    expect(taken).toEqual([1, 2, 3, 4, 5, 6]);
    expect(waits).toEqual([17, 90, 1, 8, 16]);
  });

  it("is given up if a retry cannot help", async () => {
    server.planned.push(...Array.from({ length: 7 }, () => status(500)));
    await expect(walk()).rejects.toThrow("answers with status 500 Internal Server Error (7 times)");
    expect(waits).toEqual([1, 2, 4, 8, 16, 32]);
    server.planned.push(status(403));
    await expect(walk()).rejects.toThrow("answers with status 403 Forbidden");
    server.planned.push(status(429, { "retry-after": "86400" }));
    await expect(walk()).rejects.toThrow(
      "answers with status 429 Too Many Requests, and wants to be asked again in 86400 s",
    );
    expect(server.asked).toHaveLength(9);
    // Port 1 belongs to another protocol, so `fetch` sends no request to it.
    await expect(walk("http://127.0.0.1:1/api/documents/")).rejects.toThrow(
      "leads to a port that is closed to web requests",
    );
    expect(waits).toHaveLength(6);
  });

  it.each([
    [
      "answers with what is not JSON",
      (_: IncomingMessage, response: ServerResponse) => response.end("<html>"),
    ],
    [
      "answers with what is not JSON",
      (_: IncomingMessage, response: ServerResponse) => response.end(Buffer.from('{"a":"\xff"}', "latin1")),
    ],
    ["answers with what is not a page of a list: it has no results", json([])],
    ["answers with what is not a page of a list: it has no results", json({ detail: "x" })],
    ["has a next link that is no text", json({ next: 7, results: [] })],
    ["has a next link that is no address", json({ next: "http://", results: [] })],
    [
      "goes on at another server, https://elsewhere.example",
      json({ next: "https://elsewhere.example/x", results: [] }),
    ],
    [
      "points to https://elsewhere.example/: import that",
      status(301, { location: "https://elsewhere.example/" }),
    ],
    [
      "points from one address to the next without end",
      (_: IncomingMessage, response: ServerResponse) => response.writeHead(302, { location: "/x" }).end(),
    ],
    ["answers with more than 0.001 MB", json({ results: ["x".repeat(2000)] })],
  ])("is given up with a reason when it %s", async (reason, answer) => {
    server.planned.push(...Array.from({ length: 6 }, () => answer));
    await expect(walk(server.list, { limitBytes: 0.001 * 1024 * 1024 })).rejects.toThrow(reason);
    expect(waits).toEqual([]);
  });

  it("is followed through redirects to the same server", async () => {
    server.planned.push(status(301, { location: "/api/documents/?format=json" }));
    await walk(`${server.origin}/api/documents?format=json`);
    expect(taken).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it("is given up if its next links form a cycle", async () => {
    const pages = [1, 2, 3].map((cursor) => json({ next: `${server.list}&cursor=${cursor}`, results: [] }));
    for (let round = 0; round < 10; round++) server.planned.push(...pages);
    await expect(walk()).rejects.toThrow("its next links go round in a circle");
  });

  it("is continued where the last import stopped", async () => {
    onPage = () => {
      if (taken.length === 4) stop.abort(new Error("Ctrl-C"));
    };
    await expect(walk()).rejects.toThrow("Ctrl-C");
    expect(taken).toEqual([1, 2, 3, 4]);
    stop = new AbortController();
    onPage = () => undefined;
    await walk();
    expect(taken).toEqual([1, 2, 3, 4, 5, 6]);
    expect(notes).toEqual([`${server.list}: going on after page 2, where it stopped`]);
    await walk();
    expect(taken).toEqual([1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6]);
  });

  it("begins again if the saved position no longer exists", async () => {
    server.planned.push(server.page, status(403));
    await expect(walk()).rejects.toThrow("403");
    server.planned.push(status(404));
    await walk();
    expect(taken).toEqual([1, 2, 1, 2, 3, 4, 5, 6]);
    expect(notes.at(-1)).toBe(`${server.list}: page 2 is no longer there, starting over`);
  });

  it("is not waited for forever", async () => {
    server.planned.push(() => undefined);
    await walk(server.list, { timeoutSeconds: 0.2 });
    expect(taken).toEqual([1, 2, 3, 4, 5, 6]);
    // On a busy machine the other answers may come too late as well.
    expect(waits[0]).toBe(1);
  });

  it("stops at once on its signal, even in the middle of a response", async () => {
    server.planned.push(() => stop.abort(new Error("Ctrl-C")));
    await expect(walk()).rejects.toThrow("Ctrl-C");
    expect(waits).toEqual([]);
  });
});
