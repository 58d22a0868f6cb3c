import { statSync } from "node:fs";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { sql } from "kysely";
import { type Database, openDatabase } from "../src/database/database.ts";
import { replacePages } from "../src/resources/documents/pages/page-store.ts";
import { addDocuments } from "../src/testing/factories.ts";
import { createThrowawayDatabase, startPostgres } from "../src/testing/postgres.ts";
import { Chance } from "./chance.ts";
import { readOptions } from "./options.ts";
import { type QuireServer, startQuire } from "./quire-server.ts";
import { percentile } from "./statistics.ts";
import { afterOwnIds } from "./fill-postgres.ts";

/*
 * Search over generated pages: how long queries take, how large the index is and how quickly it is made, and what the
 * list's readers notice of searches that run meanwhile.
 *
 *   npm run bench:search -- [--pages 100000] [--postgres-pages 50000]
 *
 * Words are drawn so that the n-th most common one comes up a n-th as often as the first, as in a language; a page has
 * 200, a document 20 pages.
 */

const pagesOfDocument = 20;
const wordsOfPage = 200;
const vocabulary = 50_000;

const consonants = "bcdfghjklmnprstvz";
const vowels = "aeiou";

/** The n-th most common word; no two are alike. */
function wordAt(rank: number): string {
  let word = "";
  for (let rest = rank; word === "" || rest > 0; rest = Math.floor(rest / 85)) {
    word += (consonants[Math.floor(rest / 5) % 17] ?? "") + (vowels[rest % 5] ?? "");
  }
  return word;
}

const words = Array.from({ length: vocabulary }, (_, rank) => wordAt(rank));

function rankFrom(chance: Chance): number {
  return Math.min(vocabulary - 1, Math.floor(vocabulary ** (chance.below(1_000_000) / 1_000_000)) - 1);
}

function page(chance: Chance): string {
  return Array.from({ length: wordsOfPage }, () => words[rankFrom(chance)]).join(" ");
}

const print = (...figures: string[]): void => void process.stdout.write(`${figures.join(" · ")}\n`);

async function fill(database: Database, pages: number): Promise<number> {
  const chance = new Chance(7);
  const started = performance.now();
  for (let done = 0; done < pages; done += 50 * pagesOfDocument) {
    const rows = Array.from({ length: 50 }, (_, index) => ({
      title: `${words[rankFrom(chance)]} ${words[rankFrom(chance)]} ${done + index}`,
      page_count: pagesOfDocument,
      created_at: new Date(Date.UTC(2020, 0, 1) + (done + index) * 60_000).toISOString().replace("Z", "000Z"),
      user_id: 1 + (index % 2),
    }));
    const ids = await addDocuments({ database }, rows);
    for (const id of ids) {
      const texts = Array.from({ length: pagesOfDocument }, () => ({ text: page(chance) }));
      await database.write((writer) => replacePages(writer, id, texts));
    }
  }
  const seconds = (performance.now() - started) / 1000;
  await afterOwnIds(database);
  return seconds;
}

const asked: readonly (readonly [name: string, query: string])[] = [
  ["a common word", wordAt(1)],
  ["a word of one page in ten", wordAt(120)],
  ["a rare word", wordAt(20_000)],
  ["three words", `${wordAt(300)} ${wordAt(2000)} ${wordAt(9000)}`],
  ["a phrase", `"${wordAt(40)} ${wordAt(60)}"`],
  ["a filter and a word", `user:1 page_count:[2 TO 50] ${wordAt(1000)}`],
  ["a word without another", `${wordAt(500)} NOT ${wordAt(120)}`],
  ["all without a word", `NOT ${wordAt(120)}`],
];

const repetitions = 15;

async function timed(url: string): Promise<{ milliseconds: number; next: string | null; count: number }> {
  const started = performance.now();
  const response = await fetch(url);
  const body = (await response.json()) as { next: string | null; count: number };
  if (response.status !== 200) throw new Error(`${url}: ${response.status}`);
  return { milliseconds: performance.now() - started, next: body.next, count: body.count };
}

let counter = 0;
/** An address that no answer is remembered for. */
const fresh = (url: string): string => `${url}&n=${counter++}`;

async function queries({ url }: QuireServer): Promise<void> {
  for (const [name, query] of asked) {
    const address = `${url}/api/documents/search/?q=${encodeURIComponent(query)}`;
    const times: number[] = [];
    let count = 0;
    let tenth = await timed(fresh(address));
    for (let index = 0; index < 8 && tenth.next !== null; index++) tenth = await timed(tenth.next);
    const far: number[] = [];
    for (let index = 0; index < repetitions; index++) {
      const first = await timed(fresh(address));
      ({ count } = first);
      times.push(first.milliseconds);
      if (tenth.next !== null) far.push((await timed(fresh(tenth.next))).milliseconds);
    }
    const tenthPage =
      far.length === 0 ? "no tenth page" : `tenth page p95 ${percentile(far, 0.95).toFixed(0)} ms`;
    print(
      `  ${name}`,
      `${count} documents`,
      `p50 ${percentile(times, 0.5).toFixed(0)} ms`,
      `p95 ${percentile(times, 0.95).toFixed(0)} ms`,
      tenthPage,
    );
  }
}

/** Pages of the list, one after the other, while something else goes on. */
async function listTimes({ url }: QuireServer, milliseconds: number): Promise<number[]> {
  const times: number[] = [];
  const end = performance.now() + milliseconds;
  while (performance.now() < end) {
    times.push((await timed(fresh(`${url}/api/documents/?per_page=25`))).milliseconds);
  }
  return times;
}

async function listMeanwhile(server: QuireServer): Promise<void> {
  await listTimes(server, 1000);
  const idle = await listTimes(server, 5000);
  const over = new AbortController();
  const searching = (async () => {
    while (!over.signal.aborted) await timed(fresh(`${server.url}/api/documents/search/?q=${wordAt(1)}`));
  })();
  const busy = await listTimes(server, 5000);
  over.abort();
  await searching;
  const [before, during] = [percentile(idle, 0.99), percentile(busy, 0.99)];
  print(
    `  the list's p99: idle ${before.toFixed(2)} ms`,
    `during searches ${during.toFixed(2)} ms`,
    `ratio ${(during / before).toFixed(2)} (aim 2)`,
  );
}

async function measure(dataFolder: string, databaseUrl: string | null, pages: number): Promise<void> {
  const database = await openDatabase({ dataFolder, databaseUrl });
  const seconds = await fill(database, pages);
  print(
    `${databaseUrl === null ? "SQLite" : "PostgreSQL"}, ${pages} pages`,
    `made at ${(pages / seconds).toFixed(0)} pages/s`,
    `index ${(await indexMegabytes(database)).toFixed(0)} MB`,
    `text ${((pages * wordsOfPage * 5.5) / 1e6).toFixed(0)} MB`,
  );
  await database.close();
  const server = await startQuire({ dataFolder, databaseUrl, logFile: path.join(dataFolder, "log") });
  try {
    if (databaseUrl === null)
      print(`  database ${(statSync(path.join(dataFolder, "quire.sqlite")).size / 1e6).toFixed(0)} MB`);
    await queries(server);
    await listMeanwhile(server);
  } finally {
    await server.process.stop();
  }
}

async function indexMegabytes(database: Database): Promise<number> {
  const size =
    database.engine === "sqlite"
      ? sql<{ bytes: number }>`select sum(length(block)) as bytes from document_words_data`
      : sql<{ bytes: number }>`select pg_total_relation_size('document_words') as bytes`;
  return ((await size.execute(database.reader)).rows[0]?.bytes ?? 0) / 1e6;
}

const options = readOptions(process.argv.slice(2), { pages: "number", "postgres-pages": "number" });
const folder = await mkdtemp(path.join(tmpdir(), "quire-bench-"));
try {
  await mkdir(path.join(folder, "sqlite"));
  await measure(path.join(folder, "sqlite"), null, options.pages ?? 100_000);
  const postgres = await startPostgres();
  try {
    await mkdir(path.join(folder, "postgres"));
    const { url } = await createThrowawayDatabase(postgres.url);
    await measure(path.join(folder, "postgres"), url, options["postgres-pages"] ?? 50_000);
  } finally {
    await postgres.stop();
  }
} finally {
  await rm(folder, { recursive: true });
}
