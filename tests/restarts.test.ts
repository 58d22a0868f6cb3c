import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, readdir, rename, rm } from "node:fs/promises";
import http from "node:http";
import net, { type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { serveOn } from "../src/testing/served.ts";
import { testStorage } from "../src/testing/test-app.ts";

const main = path.join(import.meta.dirname, "../src/main.ts");

/** A client that sends one request after another, and opens a connection whenever the server has closed the last one. */
class Client {
  readonly #agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  readonly #url: string;
  readonly failures: string[] = [];
  answers = 0;
  #isStopped = false;
  readonly #ended: Promise<void>;

  constructor(url: string) {
    this.#url = url;
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
    await expect.poll(() => output, { timeout: 60_000 }).toContain(text);
  }

  it.each(["1", "2"])("answers on it, with %s processes", async (processes) => {
    const socket = net.createServer();
    await once(socket.listen(0, "127.0.0.1"), "listening");
    const { port } = socket.address() as AddressInfo;
    const server = await start(socket, processes);
    socket.close();
    await says(`http://127.0.0.1:${port}/`);
    expect((await fetch(`http://127.0.0.1:${port}/api/documents/`)).status).toBe(200);
    server.kill("SIGTERM");
    expect(await once(server, "close")).toEqual([0, null]);
  });

  it("replaces its processes on SIGHUP without failing a request", async () => {
    const socket = net.createServer();
    await once(socket.listen(0, "127.0.0.1"), "listening");
    const url = `http://127.0.0.1:${(socket.address() as AddressInfo).port}/api/documents/`;
    const server = await start(socket, "2");
    socket.close();
    await says("Quire is ready");
    const clients = Array.from({ length: 8 }, () => new Client(url));
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
  }, 120_000);
});

describe("a server whose data folder vanishes", () => {
  it.each(["1", "2"])(
    "answers 503 instead of what it remembers, and ends when told to, with %s processes",
    async (processes) => {
      await using storage = await testStorage("sqlite");
      await using server = await serveOn(storage.config, {
        QUIRE_PROCESSES: processes,
        QUIRE_STOP_LIMIT_SECONDS: "1",
      });
      const status = async (target: string): Promise<number> => (await server.fetch(target)).status;
      for (const target of ["/api/documents/", "/", "/readyz"])
        expect([target, await status(target)]).toEqual([target, 200]);
      const aside = `${storage.config.data}-aside`;
      await rename(storage.config.data, aside);
      for (const target of ["/api/documents/", "/api/documents/?ordering=title", "/", "/readyz"])
        await expect.poll(() => status(target), { timeout: 20_000 }).toBe(503);
      expect(await status("/livez")).toBe(200);
      await rename(aside, storage.config.data);
      await expect.poll(() => status("/api/documents/"), { timeout: 20_000 }).toBe(200);
      await rename(storage.config.data, aside);
      await expect.poll(() => status("/api/documents/"), { timeout: 20_000 }).toBe(503);
      await server.stop();
      await rename(aside, storage.config.data);
    },
    60_000,
  );

  it("starts no process on an empty folder in its place", async () => {
    await using storage = await testStorage("sqlite");
    const { data } = storage.config;
    await using server = await serveOn(storage.config, {
      QUIRE_PROCESSES: "2",
      QUIRE_STOP_LIMIT_SECONDS: "1",
    });
    const written = async (pattern: RegExp): Promise<void> => {
      await expect.poll(() => server.written(), { timeout: 20_000 }).toMatch(pattern);
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
  }, 60_000);
});
