import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Client } from "pg";
import { createThrowawayDatabase, startPostgres } from "../src/testing/postgres.ts";
import { findOrMakeDataSet } from "./data-sets.ts";
import { fillPostgres } from "./fill-postgres.ts";
import { Disturbance, machine } from "./machine.ts";
import { readOptions } from "./options.ts";
import { processorMilliseconds } from "./processor-time.ts";
import { type QuireServer, startQuire } from "./quire-server.ts";
import { table } from "./report.ts";
import { sampleDocuments, viewers } from "./sample-documents.ts";
import { median } from "./statistics.ts";

/*
 * How the price of a request grows with the number of documents, on both engines:
 *
 *   npm run bench:growth -- [--most 100000] [--engine sqlite|postgres]
 *
 * Every size is ten times the one before, from 10,000 on. Every second document is public. A figure is the processor
 * time of one request, in the server and in PostgreSQL, as the median of several series. The last column is the
 * exponent between the first and the last size: 0 means that the price stays the same, 1 that it grows as the number
 * of documents does.
 */

const smallest = 10_000;
const publicEvery = 2;
const series = 5;
/** Of one series. The kernel adds the time of a thread up only when it gives way. */
const seriesMilliseconds = 400;

interface Asked {
  what: string;
  address: string;
  /** Follows `next` so often first. */
  pagesBefore?: number;
  token?: string;
}

const search = "/api/documents/search/";
const asked: readonly Asked[] = [
  { what: "list, first page", address: "/api/documents/" },
  { what: "list, fourth page", address: "/api/documents/", pagesBefore: 3 },
  { what: "list, sorted by title", address: "/api/documents/?ordering=title" },
  { what: "list of one user", address: "/api/documents/?user=17" },
  { what: "list of one project", address: "/api/documents/?project=17" },
  { what: "list, viewer of 1 in 100,000", address: "/api/documents/", token: viewers.rare.token },
  { what: "list, viewer of all", address: "/api/documents/", token: viewers.all.token },
  { what: "search without words", address: `${search}?` },
  { what: "search without words, next page", address: `${search}?`, pagesBefore: 1 },
  { what: "search without words, viewer of all", address: `${search}?`, token: viewers.all.token },
  { what: "search of one user", address: `${search}?user=17` },
  { what: "search with facets", address: `${search}?facets=access,language,year` },
  { what: "landing page", address: "/?" },
];

/** A server, and the processes whose time counts. */
interface Served {
  server: QuireServer;
  pids: () => Promise<number[]>;
}

const say = (text: string): void => void process.stderr.write(`${text}\n`);

let counter = 0;
/** An address for which no response is cached. */
const fresh = (url: string): string => `${url}${url.includes("?") ? "&" : "?"}n=${counter++}`;

async function fetchFrom(url: string, token: string | undefined): Promise<string> {
  const response = await fetch(
    url,
    token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } },
  );
  const body = await response.text();
  if (response.status !== 200)
    throw new Error(`${url} was answered ${response.status}: ${body.slice(0, 200)}`);
  return body;
}

/** The processor time of one request, in milliseconds. */
async function price({ server, pids }: Served, { address, pagesBefore = 0, token }: Asked): Promise<number> {
  let url = server.url + address;
  for (let page = 0; page < pagesBefore; page++) {
    url = (JSON.parse(await fetchFrom(fresh(url), token)) as { next: string }).next;
  }
  for (let index = 0; index < 20; index++) await fetchFrom(fresh(url), token);
  const prices: number[] = [];
  for (let turn = 0; turn < series; turn++) {
    const processes = await pids();
    const before = processorMilliseconds(processes);
    const end = performance.now() + seriesMilliseconds;
    let requests = 0;
    while (performance.now() < end || requests < 5) {
      await fetchFrom(fresh(url), token);
      requests++;
    }
    prices.push((processorMilliseconds(processes) - before) / requests);
  }
  // A connection to PostgreSQL may have ended meanwhile, and with it the process that was measured.
  return median(prices.filter((found) => !Number.isNaN(found)));
}

async function pricesOf(served: Served, engine: string, documents: number): Promise<(number | null)[]> {
  const prices: (number | null)[] = [];
  for (const one of asked) {
    // The data for PostgreSQL have no people with tokens.
    const isAsked = engine === "sqlite" || one.token === undefined;
    const found = isAsked ? await price(served, one) : null;
    if (found !== null)
      say(`${engine}, ${documents.toLocaleString("en-US")}: ${one.what}: ${found.toFixed(2)} ms`);
    prices.push(found);
  }
  return prices;
}

async function onSqlite(documents: number): Promise<(number | null)[]> {
  const { folder } = await findOrMakeDataSet({ documents, publicEvery }, say);
  const server = await startQuire({ dataFolder: folder, databaseUrl: null, processes: 1 });
  try {
    return await pricesOf({ server, pids: async () => [server.process.pid] }, "sqlite", documents);
  } finally {
    await server.process.stop();
  }
}

async function onPostgres(documents: number): Promise<(number | null)[]> {
  const scratch = await mkdtemp(path.join(tmpdir(), "quire-bench-growth-"));
  const postgres = await startPostgres();
  try {
    const database = await createThrowawayDatabase(postgres.url);
    say(`Filling PostgreSQL with ${documents.toLocaleString("en-US")} documents …`);
    await fillPostgres(database.url, sampleDocuments(documents, publicEvery));
    const dataFolder = path.join(scratch, "data");
    await mkdir(dataFolder);
    const server = await startQuire({ dataFolder, databaseUrl: database.url, processes: 1 });
    const client = new Client({ connectionString: database.url });
    await client.connect();
    const pids = async (): Promise<number[]> => {
      const { rows } = await client.query<{ pid: number }>(
        "select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
      );
      return [server.process.pid, ...rows.map(({ pid }) => pid)];
    };
    try {
      return await pricesOf({ server, pids }, "postgres", documents);
    } finally {
      await client.end();
      await server.process.stop();
      await database.drop();
    }
  } finally {
    await postgres.stop();
    await rm(scratch, { recursive: true, force: true });
  }
}

const { most = 100_000, engine } = readOptions(process.argv.slice(2), { most: "number", engine: "text" });
const sizes: number[] = [];
for (let size = smallest; size <= most; size *= 10) sizes.push(size);
const disturbance = new Disturbance();
say(machine());
for (const [name, measure] of Object.entries({ sqlite: onSqlite, postgres: onPostgres })) {
  if (engine !== undefined && engine !== name) continue;
  const columns: (number | null)[][] = [];
  for (const size of sizes) columns.push(await measure(size));
  const rows = asked.flatMap(({ what }, row) => {
    const prices = columns.map((column) => column[row] ?? null);
    const [first, last] = [prices[0] ?? null, prices.at(-1) ?? null];
    if (first === null || last === null) return [];
    const exponent = Math.log10(last / first) / Math.max(1, sizes.length - 1);
    return [[what, ...prices.map((value) => value?.toFixed(2) ?? ""), exponent.toFixed(2)]];
  });
  const head = ["", ...sizes.map((size) => `${size.toLocaleString("en-US")}, ms`), "exponent"];
  process.stdout.write(`\n${name}\n\n${table(head, rows)}`);
}
for (const warning of disturbance.warnings()) say(warning);
