import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { freePorts } from "../../src/testing/free-ports.ts";
import type { Person } from "../../src/testing/people.ts";
import {
  type OwnPostgres,
  type ReplicatedPostgres,
  startReplicatedPostgres,
} from "../../src/testing/postgres.ts";
import { type Pooler, startPgBouncer } from "../../src/testing/pgbouncer.ts";
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

/** The server that reaches PostgreSQL through PgBouncer. */
const pooled: ServerName = "three";

/** PgBouncer's program; null if it is not installed. */
export function pgBouncer(): string | null {
  const program = process.env["TEST_PGBOUNCER"] ?? "";
  const candidates = program === "" ? ["pgbouncer", "/usr/sbin/pgbouncer"] : [program];
  return candidates.find((candidate) => spawnSync(candidate, ["--version"]).status === 0) ?? null;
}

/**
 * Three servers and two workers with folders of their own, which share a PostgreSQL with two standbys that answer reads,
 * and a bucket, behind HAProxy. If PgBouncer is installed, each PostgreSQL has one, and the third server goes through
 * them.
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
  readonly #poolers: ReadonlyMap<OwnPostgres, Pooler>;
  #primary: OwnPostgres;
  readonly #nodes = new Map<NodeName | "balancer", ChildProcess>();

  private constructor(
    folder: string,
    ports: Ports,
    environment: Record<string, string>,
    poolers: ReadonlyMap<OwnPostgres, Pooler>,
    parts: Pick<Cluster, "postgres" | "bucket" | "context" | "owner">,
  ) {
    this.#folder = folder;
    this.#ports = ports;
    this.url = addressOf(ports);
    this.#environment = environment;
    this.#poolers = poolers;
    ({ postgres: this.postgres, bucket: this.bucket, context: this.context, owner: this.owner } = parts);
    this.#primary = this.postgres.primary;
  }

  static async start(folder: string): Promise<Cluster> {
    const postgres = await startReplicatedPostgres("/tmp", 2);
    const bucket = await startS3Server();
    const first = await freePorts(4);
    const ports = { balancer: first, one: first + 1, two: first + 2, three: first + 3 };
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
    const poolers = await startPoolers(postgres);
    const cluster = new Cluster(folder, ports, environment, poolers, { postgres, bucket, context, owner });
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
    const database = name === pooled ? this.#throughPoolers() : {};
    const child = spawn(process.execPath, [main, isServer(name) ? "serve" : "work"], {
      env: { PATH: process.env["PATH"], ...this.#environment, QUIRE_DATA: data, ...own, ...database },
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

  /** The addresses of the database for a server that goes through PgBouncer, and listens without it. */
  #throughPoolers(): Record<string, string> {
    const { url } = this.postgres;
    const [first, ...others] = this.#poolers.values().map((pooler) => new URL(pooler.urlOf(url)));
    if (first === undefined) return {};
    const hosts = [first, ...others].map(({ searchParams }) => searchParams.get("host"));
    first.search = `?host=${hosts.join(",")}`;
    return { QUIRE_DATABASE_URL: first.href, QUIRE_DATABASE_DIRECT_URL: url };
  }

  /** The pooler of the primary, if there is one. */
  get pooler(): Pooler | undefined {
    return this.#poolers.get(this.#primary);
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
    for (const pooler of this.#poolers.values()) await pooler.stop();
    await this.bucket[Symbol.asyncDispose]();
    await this.postgres.stop();
  }
}

/** Starts PgBouncer at every PostgreSQL, if it is installed. */
async function startPoolers({
  primary,
  standbys,
}: ReplicatedPostgres): Promise<ReadonlyMap<OwnPostgres, Pooler>> {
  const program = pgBouncer();
  const poolers = new Map<OwnPostgres, Pooler>();
  if (program === null) return poolers;
  for (const server of [primary, ...standbys])
    poolers.set(server, await startPgBouncer(server.url, { program }));
  return poolers;
}

const addressOf = ({ balancer }: Ports): string => `http://127.0.0.1:${balancer}`;

function isServer(name: NodeName): name is ServerName {
  return (servers as readonly string[]).includes(name);
}

export async function untilReady(port: number, host = "127.0.0.1"): Promise<void> {
  const until = Date.now() + untilReadyMilliseconds;
  while (Date.now() < until) {
    const answer = await fetch(`http://${host}:${port}/readyz`).catch(() => null);
    if (answer?.ok === true) return;
    await wait(100);
  }
  throw new Error(`Nothing answers on port ${port}`);
}
