import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import http from "node:http";
import net from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

/** The samples that come with Quire: PDFs can be viewed at once, the table after its conversion to PDF. */
const [pdfs, samples] = [5, 6];
const patience = { timeout: 250_000, interval: 50 };
const main = path.join(import.meta.dirname, "../src/main.ts");

const passwordLink = /(http:\S+\/set-password\/\?token=[\w-]{32})\n/;
const chosenPassword = "a lighthouse keeper's lamp";

/**
 * Sets the first administrator's password with the link that the server printed. Returns the cookies of the session.
 */
async function setPassword(server: Output): Promise<string> {
  const [, link = ""] = await server.match(passwordLink);
  const { origin, searchParams } = new URL(link);
  const texts = {
    token: searchParams.get("token") ?? "",
    password: chosenPassword,
    repeated: chosenPassword,
  };
  const body = new URLSearchParams(texts);
  const set = await fetch(`${origin}/set-password/`, { method: "POST", body, redirect: "manual" });
  expect([set.status, set.headers.get("location")]).toEqual([303, "/"]);
  return set.headers
    .getSetCookie()
    .map((cookie) => cookie.split(";")[0])
    .join("; ");
}

/** A module that makes a process say at its end which packages and which of Node's own modules it has loaded. */
const tellLoaded = encodeURIComponent(`
  import { registerHooks } from "node:module";
  const loaded = new Set();
  registerHooks({
    resolve(name, context, next) {
      const found = next(name, context);
      loaded.add(/.*node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(found.url)?.[1]);
      return found;
    },
  });
  process.on("exit", () => {
    for (const name of process.moduleLoadList) loaded.add("builtin:" + name.split("/").at(-1).split(" ").at(-1));
    console.log("Loaded: " + [...loaded].join(" "));
  });
`);

describe("quire serve", () => {
  let folder = "";
  let running: ChildProcessWithoutNullStreams | undefined;

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "quire-serve-"));
  });

  afterEach(async () => {
    running?.kill("SIGKILL");
    await rm(folder, { recursive: true, force: true });
  });

  function start(environment: Record<string, string> = {}): Output {
    const env = {
      PATH: process.env["PATH"],
      NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
      QUIRE_DATA: folder,
      QUIRE_PORT: "0",
      QUIRE_PROCESSES: "1",
      ...environment,
    };
    running = spawn(process.execPath, [main, "serve"], { env });
    return new Output(running);
  }

  it("imports the samples at the first start, says where to look, and serves them", async () => {
    const server = start();
    const url = await server.url();
    const answer = await fetch(`${url}/api/documents/`);
    const { results } = (await answer.json()) as {
      results: { title: string; status: string; user: number }[];
    };
    expect(results.map(({ title }) => title)).toContain("Annual report of the harbour office 2024");
    const me = await fetch(`${url}/api/users/me/`, { headers: { cookie: await setPassword(server) } });
    const { id } = (await me.json()) as { id: number };
    expect(new Set(results.map(({ user }) => user))).toEqual(new Set([id]));
    expect(results.length).toBeGreaterThanOrEqual(pdfs);
    expect(results.filter(({ status }) => !["readable", "success"].includes(status))).toEqual([]);
    await vi.waitUntil(async () => (await count(url)) === samples, patience);
    for (const address of [`${url}/`, `${url}/api/documents/?format=api`]) {
      expect(server.text).toContain(address);
      expect((await fetch(address, { headers: { accept: "text/html" } })).status).toBe(200);
    }
    expect(server.text).toContain("Samples");
    await server.stop();
    const second = start();
    expect(await count(await second.url())).toBe(samples);
    expect(second.text).not.toContain("Samples");
  });

  it("leaves out the samples if told to, and prints a link for the administrator's password until one is used, never in the logs", async () => {
    const unused = start({ QUIRE_SAMPLES: "off" });
    expect(await count(await unused.url())).toBe(0);
    const [, earlier = ""] = await unused.match(passwordLink);
    await unused.stop();
    const first = start({ QUIRE_SAMPLES: "off" });
    const url = await first.url();
    const [, link = ""] = await first.match(passwordLink);
    expect(link).not.toBe(earlier);
    await setPassword(first);
    const body = new URLSearchParams({ username: "admin", password: chosenPassword });
    expect((await fetch(`${url}/api/token/`, { method: "POST", body })).status).toBe(200);
    for (const used of [link, `${url}/set-password/${new URL(earlier).search}`]) {
      expect((await fetch(used)).status).toBe(404);
    }
    await first.stop();
    expect(first.text.split(new URL(link).searchParams.get("token") ?? "")).toHaveLength(2);
    const second = start({ QUIRE_SAMPLES: "off" });
    await second.url();
    expect(await second.stop()).toEqual([0, null]);
    expect(second.text).not.toContain("/set-password/");
  });

  it("loads what only rare work needs when that work begins", async () => {
    const server = start({
      QUIRE_SAMPLES: "off",
      NODE_OPTIONS: `--import=data:text/javascript,${tellLoaded}`,
    });
    expect((await fetch(`${await server.url()}/api/documents/`)).status).toBe(200);
    await server.stop();
    const [, loaded = ""] = await server.match(/Loaded: (.*)\n/);
    expect(loaded.split(" ")).toEqual(expect.arrayContaining(["fastify", "kysely", "builtin:http"]));
    const rare = new Set([
      "builtin:undici",
      "ajv",
      "transliteration",
      "@tus/server",
      "pg",
      "@aws-sdk/client-s3",
    ]);
    expect(loaded.split(" ").filter((name) => rare.has(name))).toEqual([]);
  });

  it.each(["1", "2"])(
    "answers every request on SIGTERM, announces that it closes connections, waits for no idle one, and has logged each request once, with %s processes",
    async (processes) => {
      const server = start({ QUIRE_PROCESSES: processes, QUIRE_SAMPLES: "off" });
      const url = await server.url();
      const { hostname, port } = new URL(url);
      const idle = net.connect(Number(port), hostname);
      idle.write("GET /livez HTTP/1.1\r\nHost: quire\r\n\r\n");
      await once(idle, "data");
      const addresses = ["/readyz", "/api/documents/", "/"];
      const busy = Array.from({ length: 6 }, (_, index) =>
        askUntilClosed(`${url}${addresses[index % addresses.length]}`),
      );
      await Promise.all(busy.map(({ isUnderWay }) => isUnderWay));
      const ended = server.stop();
      for (const { statuses } of busy) expect(new Set(await statuses)).toEqual(new Set([200]));
      expect(await ended).toEqual([0, null]);
      expect(server.text.match(/"path":"\/livez"/g)).toHaveLength(1);
    },
  );

  it("reports all problems of the settings before it opens anything", async () => {
    const server = start({ QUIRE_PORT: "many", QUIRE_URL: "quire", QUIRE_COLOUR: "blue" });
    expect(await server.ended).toEqual([2, null]);
    for (const name of ["QUIRE_PORT", "QUIRE_URL", "QUIRE_COLOUR"]) expect(server.text).toContain(name);
  });
});

/** Sends one request after another on one connection, until an answer announces that it will be closed. */
function askUntilClosed(url: string): { isUnderWay: Promise<void>; statuses: Promise<number[]> } {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  const underWay = Promise.withResolvers<void>();
  const sockets = new Set<net.Socket>();
  const ask = async (): Promise<number[]> => {
    const all: number[] = [];
    for (;;) {
      const request = http.get(url, { agent });
      request.once("socket", (socket: net.Socket) => sockets.add(socket));
      const [answer] = (await once(request, "response")) as [http.IncomingMessage];
      answer.resume();
      await once(answer, "end");
      all.push(answer.statusCode ?? 0);
      if (all.length === 10) underWay.resolve();
      if (answer.headers.connection === "close") break;
    }
    expect(sockets.size).toBe(1);
    return all;
  };
  return { isUnderWay: underWay.promise, statuses: ask() };
}

async function count(url: string): Promise<number> {
  const answer = await fetch(`${url}/api/documents/`);
  return ((await answer.json()) as { results: unknown[] }).results.length;
}

/** The output of a server so far. */
class Output {
  text = "";
  readonly ended: Promise<unknown[]>;
  readonly #process: ChildProcessWithoutNullStreams;

  constructor(process: ChildProcessWithoutNullStreams) {
    this.#process = process;
    this.ended = once(process, "close");
    for (const stream of [process.stdout, process.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        this.text += text;
      });
    }
  }

  /** The address that the server prints when it accepts requests. */
  async url(): Promise<string> {
    return (await this.match(/Documents for people\s+(\S+)\/\n/))[1] ?? "";
  }

  async match(pattern: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const match = pattern.exec(this.text);
      if (match !== null) return match;
      const ended = this.ended.then(() => Promise.reject(new Error(`It ended:\n${this.text}`)));
      await Promise.race([once(this.#process.stdout, "data"), once(this.#process.stderr, "data"), ended]);
    }
  }

  stop(): Promise<unknown[]> {
    this.#process.kill("SIGTERM");
    return this.ended;
  }
}
