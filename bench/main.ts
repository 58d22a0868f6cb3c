import { rmSync } from "node:fs";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createThrowawayDatabase, startPostgres } from "../src/testing/postgres.ts";
import { residentMb } from "../src/testing/memory.ts";
import {
  type Measure,
  type Target,
  againstPlainPostgres,
  asViewer,
  farAgainstFront,
  hotPage,
  notModified,
  randomCursors,
  rareVisibility,
  warmUp,
} from "./comparisons.ts";
import { blocksOfFirstPage } from "./blocks.ts";
import type { Pace } from "./contest.ts";
import { findOrMakeDataSet, removeUnfinished } from "./data-sets.ts";
import { type ImportRates, importRates, startToFirstAnswer } from "./facts.ts";
import { fillPostgres } from "./fill-postgres.ts";
import { hasWrk } from "./load.ts";
import { Disturbance, machine } from "./machine.ts";
import { readOptions } from "./options.ts";
import { startQuire } from "./quire-server.ts";
import { type Row, report, summary } from "./report.ts";
import { sampleDocuments, viewers } from "./sample-documents.ts";
import { median } from "./statistics.ts";

const help = `npm run bench -- [options]

  --full    also a million documents, hidden documents, and more pairs: half an hour
  --only A  only what has this in its name, such as "304" or "PostgreSQL"
  --help    this
`;

interface Comparison {
  what: string;
  measure: Measure;
  aim?: number;
}

const page: Comparison = { what: "one page", measure: hotPage, aim: 0.7 };
const unchanged: Comparison = { what: "304", measure: notModified, aim: 0.7 };
const random = (aim: number): Comparison => ({ what: "random cursors", measure: randomCursors, aim });
const far: Comparison = { what: "far end against front", measure: farAgainstFront, aim: 0.95 };

class Bench {
  readonly rows: Row[] = [];
  readonly #scratch: string;
  readonly #pace: Pace;
  readonly #only: string;

  constructor(scratch: string, pace: Pace, only: string) {
    this.#scratch = scratch;
    this.#pace = pace;
    this.#only = only.toLowerCase();
  }

  wants(what: string): boolean {
    return what.toLowerCase().includes(this.#only);
  }

  add(row: Row): void {
    say(summary(row));
    this.rows.push(row);
  }

  async sqlite(documents: number, processes: number, comparisons: readonly Comparison[]): Promise<void> {
    const where = `${titleOf("SQLite", documents)}, ${countOf(processes)}`;
    await this.#compare(where, comparisons, async () => {
      const target = await this.#serveSqlite(documents, 1, processes);
      return { target, beside: target, close: () => target.server.process.stop() };
    });
  }

  /** Compares documents of which one in a thousand is public with the same number of public ones. */
  async hidden(documents: number): Promise<void> {
    const comparisons = [
      { what: "1 in 1,000 public against all", measure: rareVisibility, aim: 0.9 },
      { what: "a viewer of 10 more against all public", measure: asViewer(viewers.rare), aim: 0.33 },
      { what: "a viewer of every second against all public", measure: asViewer(viewers.half), aim: 0.33 },
      { what: "a viewer of all against all public", measure: asViewer(viewers.all), aim: 0.33 },
    ];
    await this.#compare(titleOf("SQLite", documents), comparisons, async () => {
      const target = await this.#serveSqlite(documents, 1000, 1);
      const beside = await this.#serveSqlite(documents, 1, 1);
      const close = async (): Promise<void> => {
        await target.server.process.stop();
        await beside.server.process.stop();
      };
      return { target, beside, close };
    });
  }

  /** Starts a PostgreSQL with a new database, and removes it afterwards. */
  async postgres(documents: number, processes: number, comparisons: readonly Comparison[]): Promise<void> {
    const where = `${titleOf("PostgreSQL", documents)}, ${countOf(processes)}`;
    await this.#compare(where, comparisons, async () => {
      const postgres = await startPostgres();
      try {
        const database = await createThrowawayDatabase(postgres.url);
        say("Filling PostgreSQL …");
        const lastId = await fillPostgres(database.url, sampleDocuments(documents));
        const dataFolder = path.join(this.#scratch, "postgres-data");
        await mkdir(dataFolder, { recursive: true });
        const logFile = path.join(this.#scratch, "log-postgres");
        const server = await startQuire({ dataFolder, databaseUrl: database.url, processes, logFile });
        const target = { server, processes, lastId, databaseUrl: database.url };
        const close = async (): Promise<void> => {
          await server.process.stop();
          await database.drop();
          await postgres.stop();
        };
        return { target, beside: target, close };
      } catch (error) {
        await postgres.stop();
        throw error;
      }
    });
  }

  /** Imports records into empty databases, next to plain inserts of as many rows of the same size. */
  async imports(engine: "PostgreSQL" | null, records: number, times: number, aim: number): Promise<void> {
    const what = `import of ${records.toLocaleString("en-US")} records (${engine ?? "SQLite"})`;
    if (!this.wants(what)) return;
    const rates: ImportRates[] = [];
    for (let time = 0; time < times; time++) {
      rates.push(await (engine === null ? importRates(records, null) : importIntoPostgres(records)));
    }
    const bytes = rates[0]?.bytesOfRecord ?? 0;
    const ratios = rates.map(({ imported, plain }) => imported / plain);
    const ratio = { median: median(ratios), min: Math.min(...ratios), max: Math.max(...ratios) };
    const baseline = median(rates.map(({ plain }) => plain));
    const measured = median(rates.map(({ imported }) => imported));
    this.add({
      what: `${what} of ${bytes} bytes against plain rows`,
      result: { baseline, measured, ratio },
    });
    this.add({ what, value: measured, unit: "/s", moreIsBetter: true, aim });
  }

  async #compare(
    where: string,
    comparisons: readonly Comparison[],
    open: () => Promise<{ target: Target; beside: Target; close: () => Promise<void> }>,
  ): Promise<void> {
    const wanted = comparisons
      .map((comparison) => ({ ...comparison, what: `${comparison.what} (${where})` }))
      .filter(({ what }) => this.wants(what));
    if (wanted.length === 0) return;
    const { target, beside, close } = await open();
    try {
      for (const each of new Set([target, beside])) await warmUp(each);
      for (const { measure, ...row } of wanted) {
        this.add({ ...row, result: await measure(this.#pace, target, beside) });
      }
      const { process: own, children } = residentMb(target.server.process.pid);
      this.add({
        what: `resident afterwards (${where})`,
        value: own + children,
        unit: "MB",
        moreIsBetter: false,
      });
    } finally {
      await close();
    }
  }

  async #serveSqlite(documents: number, publicEvery: number, processes: number): Promise<Target> {
    const { folder, lastId } = await findOrMakeDataSet({ documents, publicEvery }, say);
    const logFile = path.join(this.#scratch, `log-${publicEvery}-${processes}`);
    return {
      server: await startQuire({ dataFolder: folder, databaseUrl: null, processes, logFile }),
      processes,
      lastId,
    };
  }
}

async function importIntoPostgres(records: number): Promise<ImportRates> {
  const postgres = await startPostgres();
  try {
    const database = await createThrowawayDatabase(postgres.url);
    return await importRates(records, database.url);
  } finally {
    await postgres.stop();
  }
}

async function measureAll(bench: Bench, isFull: boolean): Promise<void> {
  const small = 100_000;
  const large = 1_000_000;
  await bench.sqlite(small, 1, [page, unchanged, random(0.28), far]);
  await bench.sqlite(small, 2, [page, random(0.28), ...(isFull ? [unchanged] : [])]);
  if (isFull) {
    await bench.sqlite(large, 1, [page, random(0.25), far]);
    await bench.sqlite(large, 2, [random(0.25)]);
    await bench.hidden(large);
  }
  const aims = [
    { ...page, aim: 0.6 },
    { ...unchanged, aim: 0.6 },
    random(0.15),
    { what: "random pages against plain pg", measure: againstPlainPostgres, aim: 0.7 },
  ];
  await bench.postgres(isFull ? small : 20_000, 1, aims);
  if (isFull) await bench.postgres(small, 2, aims);
  const unplanned = "blocks of the first page without statistics (PostgreSQL, 60,000 documents)";
  if (bench.wants(unplanned)) {
    const value = await blocksOfFirstPage(60_000);
    bench.add({ what: unplanned, value, unit: "blocks", moreIsBetter: false, aim: 150 });
  }
  const start = `start to first answer, ${(isFull ? large : small).toLocaleString("en-US")} documents`;
  if (bench.wants(start)) {
    const set = await findOrMakeDataSet({ documents: isFull ? large : small, publicEvery: 1 }, say);
    const value = await startToFirstAnswer(set, isFull ? 5 : 3);
    bench.add({ what: start, value, unit: "s", moreIsBetter: false, aim: 2 });
  }
  await bench.imports(null, isFull ? 200_000 : 100_000, isFull ? 3 : 1, 30_000);
  await bench.imports("PostgreSQL", isFull ? 100_000 : 40_000, isFull ? 3 : 1, 15_000);
}

async function main(): Promise<number> {
  let options;
  try {
    options = readOptions(process.argv.slice(2), { full: "flag", only: "text", help: "flag" });
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n\n${help}`);
    return 2;
  }
  if (options.help === true) {
    process.stdout.write(help);
    return 0;
  }
  process.stdout.write(`${machine()}\n\n`);
  const isFull = options.full === true;
  const pace = { pairs: isFull ? 9 : 5, seconds: isFull ? 2 : 1, connections: 16 };
  const disturbance = new Disturbance();
  const scratch = await mkdtemp(path.join(tmpdir(), "quire-bench-"));
  // The measured processes end with this one.
  process.once("SIGINT", () => {
    rmSync(scratch, { recursive: true, force: true });
    removeUnfinished();
    process.exit(130);
  });
  const bench = new Bench(scratch, pace, options.only ?? "");
  try {
    await measureAll(bench, isFull);
  } finally {
    await rm(scratch, { recursive: true, force: true });
    removeUnfinished();
  }
  process.stdout.write(`\n${report(bench.rows)}`);
  if (!hasWrk)
    process.stdout.write("\nwrk is not installed, so autocannon was the client. It slows fast rows down.\n");
  for (const warning of disturbance.warnings())
    process.stdout.write(`\n${warning} Believe only the ratios.\n`);
  return 0;
}

function say(text: string): void {
  process.stderr.write(`${text}\n`);
}

const titleOf = (engine: string, documents: number): string =>
  `${engine}, ${documents.toLocaleString("en-US")} documents`;

const countOf = (processes: number): string => (processes === 1 ? "1 process" : `${processes} processes`);

process.exitCode = await main();
