import { readFileSync, readdirSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import pino from "pino";
import { buildApp } from "../src/app.ts";
import { type Config, readConfig } from "../src/config.ts";
import { openContext } from "../src/context.ts";
import { addDocuments } from "../src/testing/factories.ts";
import {
  type OwnPostgres,
  type ReplicatedPostgres,
  startReplicatedPostgres,
} from "../src/testing/postgres.ts";

/*
 * node bench/standbys.ts: the processor time of a request on the primary of PostgreSQL and on its standby, if reads go
 * to the standby and if they do not. `DOCUMENTS`, `REQUESTS` and `AT_ONCE` change how many there are.
 */

const count = (name: string, usual: number): number => Number(process.env[name] ?? usual);
const documents = count("DOCUMENTS", 20_000);
const requests = count("REQUESTS", 400);
const atOnce = count("AT_ONCE", 8);
const documentsAtOnce = 1000;
const topics = ["harbour", "water", "roads", "schools"];
const log = pino({ level: "silent" });

const some = (request: number): number => (request * 7919) % documents;
const cursorAt = (id: number): string => encodeURIComponent(Buffer.from(`p=${id}`).toString("base64"));
/** No address is asked for twice, so no answer comes from the response cache. */
const targets: Record<string, (request: number) => string> = {
  "a record": (request) => `/api/documents/${1 + some(request)}/?nr=${request}`,
  "a page of 25": (request) => `/api/documents/?per_page=25&cursor=${cursorAt(1 + some(request))}`,
  "a search": (request) => `/api/documents/search/?q=${topics[request % topics.length]}&nr=${request}`,
};

const folder = await mkdtemp(path.join(tmpdir(), "quire-standbys-"));
const postgres = await startReplicatedPostgres();
try {
  await fill(configOf({}));
  console.log("| request | standbys | primary, µs | standby, µs |\n| --- | --- | --- | --- |");
  for (const isAmongStandbys of [false, true]) await measure(postgres, isAmongStandbys);
} finally {
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
}

function configOf(more: Record<string, string>): Config {
  const own = { QUIRE_DATA: folder, QUIRE_SAMPLES: "off", QUIRE_PROCESSING_WORKERS: "0" };
  const read = readConfig({ ...own, QUIRE_DATABASE_URL: postgres.url, ...more });
  if ("problems" in read) throw new Error(read.problems.join("\n"));
  return read.config;
}

async function fill(config: Config): Promise<void> {
  const context = await openContext(config, log);
  await addDocuments(context, []);
  for (let first = 0; first < documents; first += documentsAtOnce) {
    const rows = Array.from({ length: documentsAtOnce }, (_, index) => ({
      access: "public" as const,
      title: `Report ${first + index} about ${topics[index % topics.length]}`,
    }));
    await addDocuments(context, rows);
  }
  await context.close();
}

async function measure(
  { primary, standbys: [standby], standbyUrl }: ReplicatedPostgres,
  isAmongStandbys: boolean,
) {
  const more: Record<string, string> = isAmongStandbys ? { QUIRE_DATABASE_READ_URLS: standbyUrl } : {};
  const context = await openContext(configOf(more), log, { servesRequests: true });
  const app = buildApp(context);
  await app.listen({ host: "127.0.0.1", port: 0 });
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  while (context.database.standbys?.answering === 0) await wait(20);
  for (const [what, targetOf] of Object.entries(targets)) {
    await ask(url, targetOf, 0, 50);
    const before = [processorMilliseconds(primary), processorMilliseconds(standby)] as const;
    await ask(url, targetOf, 50, requests);
    const perRequest = (server: OwnPostgres, earlier: number): number =>
      Math.round(((processorMilliseconds(server) - earlier) * 1000) / requests);
    const figures = [perRequest(primary, before[0]), perRequest(standby, before[1])];
    console.log(`| ${what} | ${isAmongStandbys ? 1 : 0} | ${figures.join(" | ")} |`);
  }
  await app.close();
  await context.close();
}

async function ask(
  url: string,
  targetOf: (request: number) => string,
  first: number,
  total: number,
): Promise<void> {
  let next = first;
  const client = async (): Promise<void> => {
    while (next < first + total) {
      const answer = await fetch(url + targetOf(next++));
      await answer.arrayBuffer();
      if (!answer.ok) throw new Error(`${answer.status} at ${answer.url}`);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, client));
}

/** Of a server and its processes, on Linux. */
function processorMilliseconds({ socket }: OwnPostgres): number {
  const [pid] = readFileSync(path.join(path.dirname(socket), "data/postmaster.pid"), "utf8").split("\n");
  let ticks = 0;
  for (const name of readdirSync("/proc")) {
    const [, parent = "", ...times] = fieldsOf(name);
    // Its own time, and of the server also that of the processes that have ended.
    if (name === pid || parent === pid) {
      for (const time of times.slice(9, name === pid ? 13 : 11)) ticks += Number(time);
    }
  }
  return ticks * 10;
}

/** What the kernel says of a process, from its state on; empty if there is no such process. */
function fieldsOf(pid: string): string[] {
  try {
    const text = readFileSync(`/proc/${Number(pid)}/stat`, "utf8");
    return text.slice(text.lastIndexOf(")") + 2).split(" ");
  } catch {
    return [];
  }
}
