import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { Person } from "../../src/testing/people.ts";
import {
  type OwnPostgres,
  type ReplicatedPostgres,
  startReplicatedPostgres,
} from "../../src/testing/postgres.ts";
import { type S3Server, startS3Server } from "../../src/testing/s3-server.ts";
import { addOwner } from "../../src/testing/sent-files.ts";
import { type Context, openContext } from "../../src/context.ts";
import { readConfig } from "../../src/config.ts";
import pino from "pino";

const root = path.join(import.meta.dirname, "../..");
const main = path.join(root, "src/main.ts");
const example = path.join(root, "packaging/haproxy/haproxy.cfg");
/** Only a fault lasts this long, and no busy machine. */
const untilReadyMilliseconds = 600_000;

export const servers = ["one", "two", "three"] as const;
const workers = ["first worker", "second worker"] as const;

type ServerName = (typeof servers)[number];
export type NodeName = ServerName | (typeof workers)[number];
type Ports = Readonly<Record<ServerName | "balancer", number>>;

/**
 * Four ports in a row on which nothing listens. They are below those that the kernel gives to connections, so that none
 * of these takes the port of a server that is about to start again.
 */
async function freePorts(): Promise<Ports> {
  for (;;) {
    const first = 20_000 + 4 * Math.floor(Math.random() * 3000);
    const ports = { balancer: first, one: first + 1, two: first + 2, three: first + 3 };
    const free = await Promise.all(Object.values(ports).map(isFree));
    if (free.every(Boolean)) return ports;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}

/**
 * Three servers and two workers with folders of their own, which share a PostgreSQL with two standbys that answer reads,
 * and a bucket, behind HAProxy.
 */
export class Cluster implements AsyncDisposable {
  readonly url: string;
  readonly postgres: ReplicatedPostgres;
  readonly bucket: S3Server;
  readonly context: Context;
  readonly owner: Person;
  readonly #folder: string;
  readonly #ports: Ports;
  readonly #environment: Record<string, string>;
  #primary: OwnPostgres;
  readonly #nodes = new Map<NodeName | "balancer", ChildProcess>();

  private constructor(
    folder: string,
    ports: Ports,
    environment: Record<string, string>,
    parts: Pick<Cluster, "postgres" | "bucket" | "context" | "owner">,
  ) {
    this.#folder = folder;
    this.#ports = ports;
    this.url = addressOf(ports);
    this.#environment = environment;
    ({ postgres: this.postgres, bucket: this.bucket, context: this.context, owner: this.owner } = parts);
    this.#primary = this.postgres.primary;
  }

  static async start(folder: string): Promise<Cluster> {
    const postgres = await startReplicatedPostgres("/tmp", 2);
    const bucket = await startS3Server();
    const ports = await freePorts();
    const environment = {
      ...bucket.environment,
      QUIRE_DATABASE_URL: postgres.url,
      QUIRE_DATABASE_READ_URLS: postgres.url,
      QUIRE_SECRET: "the-same-at-all-servers-of-this-test",
      QUIRE_URL: addressOf(ports),
      QUIRE_SAMPLES: "off",
      QUIRE_PROCESSES: "1",
      // Longer than a busy machine keeps a worker from renewing its leases.
      QUIRE_JOB_LEASE_SECONDS: "20",
      QUIRE_LOG_LEVEL: "silent",
      QUIRE_DRAIN_SECONDS: "2",
    };
    const read = readConfig({ ...environment, QUIRE_DATA: path.join(folder, "test") });
    if ("problems" in read) throw new Error(read.problems.join("\n"));
    const context = await openContext(read.config, pino({ level: "silent" }));
    const owner = await addOwner(context);
    const cluster = new Cluster(folder, ports, environment, { postgres, bucket, context, owner });
    for (const name of [...servers, ...workers]) await cluster.startNode(name);
    await cluster.startBalancer();
    for (const port of Object.values(ports)) await untilReady(port);
    return cluster;
  }

  /** The address of the database at the primary. */
  get primaryUrl(): string {
    return this.postgres.urlAt(this.#primary);
  }

  /** Ends the primary of PostgreSQL at once, and makes a standby the primary. */
  async failOver(): Promise<void> {
    this.#primary = await this.postgres.failOver();
  }

  async startNode(name: NodeName): Promise<void> {
    const data = path.join(this.#folder, name);
    await mkdir(data, { recursive: true });
    const own = isServer(name)
      ? { QUIRE_PORT: String(this.#ports[name]), QUIRE_PROCESSING_WORKERS: "0" }
      : {};
    const child = spawn(process.execPath, [main, isServer(name) ? "serve" : "work"], {
      env: { PATH: process.env["PATH"], ...this.#environment, QUIRE_DATA: data, ...own },
      stdio: ["ignore", "ignore", "inherit"],
    });
    this.#nodes.set(name, child);
    child.once("exit", (code) => void this.#startAgain(name, child, code));
  }

  /** Starts a process again that nobody has ended, as systemd does. */
  async #startAgain(name: NodeName, ended: ChildProcess, code: number | null): Promise<void> {
    if (this.#nodes.get(name) !== ended) return;
    console.error(`${name} ended by itself (${code}), and starts again`);
    await wait(1000);
    if (this.#nodes.get(name) === ended) await this.startNode(name);
  }

  /** Resolves when the server answers. */
  untilReady(name: ServerName): Promise<void> {
    return untilReady(this.#ports[name]);
  }

  /** Resolves when the process has ended. */
  async end(name: NodeName | "balancer", signal: NodeJS.Signals): Promise<void> {
    const child = this.#nodes.get(name);
    this.#nodes.delete(name);
    if (child === undefined || child.exitCode !== null) return;
    child.kill(signal);
    await once(child, "exit");
  }

  async startBalancer(): Promise<void> {
    const file = path.join(this.#folder, "haproxy.cfg");
    const text = await readFile(example, "utf8");
    const { balancer, one, two, three } = this.#ports;
    const own = { 8000: balancer, 8001: one, 8002: two, 8003: three };
    await writeFile(
      file,
      text.replaceAll(/:(800[0123])$/gm, (_all, port: keyof typeof own) => `:${own[port]}`),
    );
    // Debian has it where only root looks for programs.
    const PATH = `${process.env["PATH"]}:/usr/sbin`;
    const child = spawn("haproxy", ["-f", file], { env: { PATH }, stdio: "ignore" });
    await Promise.race([
      once(child, "spawn"),
      once(child, "error").then(([error]) => {
        throw new Error("haproxy does not start: apt-get install haproxy", { cause: error });
      }),
    ]);
    this.#nodes.set("balancer", child);
  }

  /** Ends all processes at once. */
  kill(): void {
    const running = [...this.#nodes.values()];
    this.#nodes.clear();
    for (const child of running) child.kill("SIGKILL");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const name of [...this.#nodes.keys()].toReversed()) await this.end(name, "SIGTERM");
    await this.context.close();
    await this.bucket[Symbol.asyncDispose]();
    await this.postgres.stop();
  }
}

const addressOf = ({ balancer }: Ports): string => `http://127.0.0.1:${balancer}`;

function isServer(name: NodeName): name is ServerName {
  return (servers as readonly string[]).includes(name);
}

async function untilReady(port: number): Promise<void> {
  const until = Date.now() + untilReadyMilliseconds;
  while (Date.now() < until) {
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null);
    if (answer?.ok === true) return;
    await wait(100);
  }
  throw new Error(`Nothing answers on port ${port}`);
}
