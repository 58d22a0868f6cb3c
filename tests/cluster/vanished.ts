import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { appendFile, mkdir } from "node:fs/promises";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import pino from "pino";
import { readConfig } from "../../src/config.ts";
import { openContext } from "../../src/context.ts";
import type { Person } from "../../src/testing/people.ts";
import {
  type OwnPostgres,
  askPostgres,
  createThrowawayDatabase,
  startOwnPostgres,
} from "../../src/testing/postgres.ts";
import { addOwner } from "../../src/testing/sent-files.ts";
import { untilReady } from "./nodes.ts";

/*
 * A machine vanishes: the link of a network namespace is cut, so nobody closes the connections of what runs in it. A
 * server there has given all streams of events that a person may have, and a process there holds the row of a user.
 */

/** Addresses that no network has: RFC 5737. */
const here = "198.51.100.1";
const there = "198.51.100.2";
const link = `quire${process.pid}`;
const port = 20_000 + Math.floor(Math.random() * 12_000);
const maxStreams = 20;
/** PostgreSQL notices within 50 seconds. A busy machine may be late to ask, and to answer. */
const maxSeconds = 80;

const ip = (...args: string[]): void =>
  void execFileSync("ip", args, { stdio: ["ignore", "ignore", "pipe"] });

/** Whether this machine lets a test have a network of its own. */
export function canVanish(): boolean {
  const made = spawnSync("ip", ["netns", "add", link]).status === 0;
  if (made) ip("netns", "del", link);
  return made;
}

/** Whatever was started, the last first. */
class Started implements AsyncDisposable {
  readonly #ends: (() => unknown)[] = [];

  onEnd(end: () => unknown): void {
    this.#ends.push(end);
  }

  process(program: string, args: readonly string[], environment: Record<string, string>): ChildProcess {
    const env = { PATH: process.env["PATH"], ...environment };
    const child = spawn(program, args, { env, stdio: ["ignore", "pipe", "inherit"] });
    this.onEnd(() => child.kill("SIGKILL"));
    return child;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const end of this.#ends.toReversed()) await end();
  }
}

/** How long the vanished machine has kept what it had, in seconds. */
export interface Kept {
  streams: number;
  row: number;
}

/** Needs root. The folder is for what the servers store. */
export async function vanish(folder: string): Promise<Kept> {
  await using started = new Started();
  layLink(started);
  const postgres = await startOwnPostgres();
  started.onEnd(() => postgres.stop());
  const environment = { ...(await reachable(postgres)), QUIRE_DATA: path.join(folder, "vanished") };
  const owner = await addOwnerIn(environment);
  const start = async (host: string, name: string, before: readonly string[] = []): Promise<string> => {
    const data = path.join(folder, name);
    await mkdir(data);
    const [program, ...args] = [...before, process.execPath, inRoot("src/main.ts"), "serve"];
    const own = { QUIRE_DATA: data, QUIRE_HOST: host, QUIRE_PORT: String(port) };
    started.process(program, args, { ...environment, ...own });
    await untilReady(port, host);
    return `http://${host}:${port}`;
  };
  const inside = ["netns", "exec", link];
  const staying = await start(here, "staying");
  const vanishing = await start(there, "vanishing", ["ip", ...inside]);
  const holding = [...inside, process.execPath, inRoot("tests/cluster/hold-row.ts"), String(owner.id)];
  const holder = started.process("ip", holding, environment);
  await once(holder.stdout ?? holder, "data");
  // Nothing is read from the streams, which keeps them open.
  const streams = await openAll(vanishing, staying, owner);
  ip("-n", link, "link", "set", "inside", "down");
  const url = environment.QUIRE_DATABASE_URL;
  const isRowFree = async (): Promise<boolean> =>
    askPostgres(url, `select from users where id = ${owner.id} for update nowait`).then(
      () => true,
      () => false,
    );
  const isStreamGiven = async (): Promise<boolean> => {
    // What is sent to a vanished machine is never acknowledged, and no keepalive is sent meanwhile.
    await askPostgres(url, "select pg_notify('quire_hints', 'jobs')");
    return (await openStream(staying, owner)).status === 200;
  };
  const [row, given] = await Promise.all([secondsUntil(isRowFree), secondsUntil(isStreamGiven)]);
  if (streams.some(({ bodyUsed }) => bodyUsed)) throw new Error("A stream was read");
  return { row, streams: given };
}

const inRoot = (file: string): string => path.join(import.meta.dirname, "../..", file);

function layLink(started: Started): void {
  ip("netns", "add", link);
  started.onEnd(() => ip("netns", "del", link));
  ip("link", "add", link, "type", "veth", "peer", "name", "inside", "netns", link);
  ip("addr", "add", `${here}/30`, "dev", link);
  ip("link", "set", link, "up");
  ip("-n", link, "addr", "add", `${there}/30`, "dev", "inside");
  ip("-n", link, "link", "set", "inside", "up");
}

/** The settings of servers that reach this PostgreSQL over the network. */
async function reachable(postgres: OwnPostgres) {
  await appendFile(
    path.join(path.dirname(postgres.socket), "data/pg_hba.conf"),
    `host all all ${here}/30 trust\n`,
  );
  await askPostgres(postgres.url, `alter system set listen_addresses = '${here}'`);
  await postgres.end("fast");
  await postgres.startAgain();
  const { pathname } = new URL((await createThrowawayDatabase(postgres.url)).url);
  return {
    QUIRE_DATABASE_URL: `postgres://postgres@${here}:5432${pathname}`,
    QUIRE_SECRET: "the-same-at-all-servers-of-this-test",
    QUIRE_SAMPLES: "off",
    QUIRE_PROCESSES: "1",
    QUIRE_PROCESSING_WORKERS: "0",
    QUIRE_LOG_LEVEL: "silent",
  };
}

async function addOwnerIn(environment: Record<string, string>): Promise<Person> {
  const read = readConfig(environment);
  if ("problems" in read) throw new Error(read.problems.join("\n"));
  const context = await openContext(read.config, pino({ level: "silent" }));
  try {
    return await addOwner(context);
  } finally {
    await context.close();
  }
}

const openStream = (server: string, { headers }: Person): Promise<Response> =>
  fetch(`${server}/api/events/stream/`, { headers });

/** Opens all streams that a person may have at one server. From then on, another server gives none. */
async function openAll(server: string, other: string, owner: Person): Promise<Response[]> {
  const streams: Response[] = [];
  // Until it listens to the others, a server counts its own streams alone.
  for (let isCounted = false; !isCounted; await wait(100)) {
    const missing = Array.from({ length: maxStreams - streams.length }, () => openStream(server, owner));
    streams.push(...(await Promise.all(missing)).filter(({ status }) => status === 200));
    const more = await openStream(other, owner);
    isCounted = more.status === 503;
    await more.body?.cancel();
  }
  return streams;
}

async function secondsUntil(isTrue: () => Promise<boolean>): Promise<number> {
  const start = performance.now();
  for (;;) {
    const seconds = (performance.now() - start) / 1000;
    if (seconds > maxSeconds) throw new Error(`What a vanished machine has is kept after ${maxSeconds} s`);
    if (await isTrue()) return seconds;
    await wait(1000);
  }
}
