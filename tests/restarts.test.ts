import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, readdir, rename, rm } from "node:fs/promises";
import http from "node:http";
import net, { type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type ServedApp, serveOn } from "../src/testing/served.ts";
import { type TestStorage, testStorage } from "../src/testing/test-app.ts";

const main = path.join(import.meta.dirname, "../src/main.ts");

/**
 * A client that sends one request after another, and opens a connection whenever the server has closed the last one.
 */
class Client {
  readonly #agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  readonly #url: string;
  readonly #pauseMilliseconds: number;
  readonly failures: string[] = [];
  answers = 0;
  #isStopped = false;
  readonly #ended: Promise<void>;

  /** After a pause, its next request meets a connection that the server had no request on. */
  constructor(url: string, pauseMilliseconds: number) {
    this.#url = url;
    this.#pauseMilliseconds = pauseMilliseconds;
    this.#ended = this.#run();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#ended;
    this.#agent.destroy();
  }

  async #run(): Promise<void> {
    while (!this.#isStopped) {
      try {
        const [answer] = (await once(http.get(this.#url, { agent: this.#agent }), "response")) as [
          http.IncomingMessage,
        ];
        answer.resume();
        await once(answer, "end");
        if (answer.statusCode === 200) this.answers += 1;
        else this.failures.push(String(answer.statusCode));
      } catch (error) {
        this.failures.push(String(error));
      }
      if (this.#pauseMilliseconds > 0) await wait(this.#pauseMilliseconds);
    }
  }
}

describe("a server on a socket that it was started with", () => {
  let folder = "";
  let running: ChildProcessWithoutNullStreams | undefined;
  let output = "";

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "quire-socket-"));
    output = "";
  });

  afterEach(async () => {
    if (running !== undefined && running.exitCode === null) {
      running.kill("SIGKILL");
      await once(running, "close");
    }
    await rm(folder, { recursive: true, force: true });
  });

  /** Starts it as systemd does, with a socket of the test as the first descriptor after the standard ones. */
  async function start(socket: net.Server, processes: string): Promise<ChildProcessWithoutNullStreams> {
    const shell = `LISTEN_PID=$$ LISTEN_FDS=1 exec "$0" "$@"`;
    const env = {
      PATH: process.env["PATH"],
      NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
      QUIRE_DATA: folder,
      QUIRE_PROCESSES: processes,
      QUIRE_SAMPLES: "off",
    };
    const { fd } = (socket as unknown as { _handle: { fd: number } })._handle;
    const stdio = ["pipe", "pipe", "pipe", fd] as unknown as ["pipe", "pipe", "pipe"];
    running = spawn("sh", ["-c", shell, process.execPath, main, "serve"], { env, stdio });
    for (const stream of [running.stdout, running.stderr])
      stream.setEncoding("utf8").on("data", (part: string) => {
        output += part;
      });
    return running;
  }

  async function says(text: string): Promise<void> {
    await expect.poll(() => output).toContain(text);
  }

  it("answers on it, with one process", async () => {
    const socket = net.createServer();
    await once(socket.listen(0, "127.0.0.1"), "listening");
    const { port } = socket.address() as AddressInfo;
    const server = await start(socket, "1");
    socket.close();
    await says(`http://127.0.0.1:${port}/`);
    expect((await fetch(`http://127.0.0.1:${port}/api/documents/`)).status).toBe(200);
    server.kill("SIGTERM");
    expect(await once(server, "close")).toEqual([0, null]);
  });

  it("answers on it with two processes, and replaces them on SIGHUP without failing a request", async () => {
    const socket = net.createServer();
    await once(socket.listen(0, "127.0.0.1"), "listening");
    const { port } = socket.address() as AddressInfo;
    const server = await start(socket, "2");
    socket.close();
    await says(`http://127.0.0.1:${port}/`);
    await says("Quire is ready");
    // Clients without a pause would take the processors from the processes that start.
    const url = `http://127.0.0.1:${port}/api/documents/`;
    const clients = Array.from({ length: 8 }, (_, pause) => new Client(url, 4 + 4 * pause));
    for (let time = 1; time <= 2; time++) {
      server.kill("SIGHUP");
      await expect
        .poll(() => output.split("processes that answer requests have been replaced").length, {
          timeout: 60_000,
        })
        .toBe(time + 1);
    }
    await Promise.all(clients.map((client) => client.stop()));
    expect(clients.flatMap(({ failures }) => failures)).toEqual([]);
    for (const { answers } of clients) expect(answers).toBeGreaterThan(10);
    server.kill("SIGTERM");
    expect(await once(server, "close")).toEqual([0, null]);
  });
});

describe.each(["1", "2"])("a server of %s processes whose data folder vanishes", (processes) => {
  let storage: TestStorage;
  let server: ServedApp;
  let data = "";
  const aside = (): string => `${data}-aside`;
  beforeAll(async () => {
    storage = await testStorage("sqlite");
    ({ data } = storage.config);
    const limits = { QUIRE_STOP_LIMIT_SECONDS: "1" };
    server = await serveOn(storage.config, { QUIRE_PROCESSES: processes, ...limits });
  });
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
    await storage[Symbol.asyncDispose]();
  });

  const status = async (target: string): Promise<number> => (await server.fetch(target)).status;
  const answers = async (target: string, expected: number): Promise<void> => {
    await expect.poll(() => status(target)).toBe(expected);
  };

  it("answers 503 instead of what it remembers, until the folder is back", async () => {
    for (const target of ["/api/documents/", "/", "/readyz"])
      expect([target, await status(target)]).toEqual([target, 200]);
    await rename(data, aside());
    for (const target of ["/api/documents/", "/api/documents/?ordering=title", "/", "/readyz"])
      await answers(target, 503);
    expect(await status("/livez")).toBe(200);
    await rename(aside(), data);
    await answers("/api/documents/", 200);
  });

  it("ends when told to, although the folder is away", async () => {
    await rename(data, aside());
    await answers("/api/documents/", 503);
    // Nothing but Quire itself has ended it.
    expect(await server.stop()).toMatchObject({ 1: null });
    await rename(aside(), data);
  });
});

describe("a server of two processes, one of which ends while the data folder is away", () => {
  it("starts no process on an empty folder in its place", async () => {
    await using storage = await testStorage("sqlite");
    const { data } = storage.config;
    const more = { QUIRE_PROCESSES: "2", QUIRE_STOP_LIMIT_SECONDS: "1" };
    await using server = await serveOn(storage.config, more);
    const written = async (pattern: RegExp): Promise<void> => {
      await expect.poll(() => server.written()).toMatch(pattern);
    };
    await written(/(Server listening.*){2}/s);
    await rename(data, `${data}-aside`);
    // An unmounted disk leaves an empty folder.
    await mkdir(data);
    const children = await readFile(`/proc/${server.pid}/task/${server.pid}/children`, "utf8");
    process.kill(Number(children.split(" ")[0]), "SIGKILL");
    await written(/is gone.*could not start/s);
    expect(await readdir(data)).toEqual([]);
    await rename(`${data}-aside`, data);
    await written(/The process serves again/);
    expect(await readdir(data)).toContain("quire.sqlite");
    expect((await server.fetch("/api/documents/")).status).toBe(200);
  });
});
