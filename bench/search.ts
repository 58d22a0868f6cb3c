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
 * Search over generated pages, on both engines at the same size: how long queries take, beside a plain query of the
 * engine's own full-text index on the same data; what facets and completions cost; how large the index is and how fast
 * it is built; all hits in one long document; and how searches slow down requests for the list.
 *
 *   npm run bench:search -- [--pages 40000] [--long 10000] [--engine sqlite|postgres]
 *
 * As in a language, the n-th most common word occurs a n-th as often as the first. A page has 200 words, a document 20
 * pages, and one document as many pages as `--long` says.
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

/** Returns how long it took, in seconds, and the id of the long document. */
async function fill(
  database: Database,
  { pages, longPages }: Sizes,
): Promise<{ seconds: number; longDocument: number }> {
  const chance = new Chance(7);
  const started = performance.now();
  const write = (id: number, count: number): Promise<void> => {
    const texts = Array.from({ length: count }, () => ({ text: page(chance) }));
    return database.write((writer) => replacePages(writer, id, texts));
  };
  for (let done = 0; done < pages; done += 50 * pagesOfDocument) {
    const rows = Array.from({ length: 50 }, (_, index) => ({
      title: `${words[rankFrom(chance)]} ${words[rankFrom(chance)]} ${done + index}`,
      page_count: pagesOfDocument,
      created_at: new Date(Date.UTC(2020, 0, 1) + (done + index) * 60_000).toISOString().replace("Z", "000Z"),
      user_id: 1 + (index % 2),
    }));
    for (const id of await addDocuments({ database }, rows)) await write(id, pagesOfDocument);
  }
  const seconds = (performance.now() - started) / 1000;
  const [longDocument = 0] = await addDocuments({ database }, [{ title: "Long", page_count: longPages }]);
  await write(longDocument, longPages);
  await afterOwnIds(database);
  return { seconds, longDocument };
}

interface Sizes {
  pages: number;
  longPages: number;
}

interface Asked {
  name: string;
  query: string;
  /** The same words as a query in the language of each engine's full-text index. */
  plain: { sqlite: string; postgres: string };
}

function asking(name: string, query: string, sqlite: string, postgres: string): Asked {
  return { name, query, plain: { sqlite, postgres } };
}

function askingForWord(name: string, word: string): Asked {
  return asking(name, word, word, word);
}

const [tenth, half, three] = [wordAt(120), wordAt(500), [wordAt(300), wordAt(2000), wordAt(9000)] as const];
const [one, next] = [wordAt(40), wordAt(60)];
const asked: readonly Asked[] = [
  askingForWord("a common word", wordAt(1)),
  askingForWord("a word of a tenth of the pages", tenth),
  askingForWord("a rare word", wordAt(20_000)),
  asking("three words", three.join(" "), three.join(" OR "), three.join(" | ")),
  asking("a phrase", `"${one} ${next}"`, `"${one} ${next}"`, `${one} <-> ${next}`),
  asking("a filter and a word", `user:1 page_count:[2 TO 50] ${wordAt(1000)}`, wordAt(1000), wordAt(1000)),
  asking("a word without another", `${half} NOT ${tenth}`, `${half} NOT ${tenth}`, `${half} & !${tenth}`),
];

/** The documents with the most matching pages, from the full-text index alone: no rights, no count, no scores. */
async function plainly(database: Database, { plain }: Asked): Promise<number> {
  const started = performance.now();
  const query =
    database.engine === "sqlite"
      ? sql`select rowid / 1048576 as document, count(*) as pages from document_words
          where document_words match ${plain.sqlite} group by 1 order by 2 desc limit 25`
      : sql`select document_id, count(*) as pages from document_words
          where words @@ ${plain.postgres}::tsquery group by 1 order by 2 desc limit 25`;
  await query.execute(database.reader);
  return performance.now() - started;
}

const repetitions = 15;

async function timed(url: string): Promise<{ milliseconds: number; next: string | null; count: number }> {
  const started = performance.now();
  const response = await fetch(url);
  const body = (await response.json()) as { next: string | null; count: number };
  if (response.status !== 200) throw new Error(`${url}: ${response.status}`);
  return { milliseconds: performance.now() - started, next: body.next, count: body.count };
}

let counter = 0;
/** An address for which no response is cached. */
const fresh = (url: string): string => `${url}&n=${counter++}`;

/** A line of the table: a name, and figures. */
function row(...cells: (string | number)[]): void {
  const [name = "", ...rest] = cells.map(String);
  process.stdout.write(`  ${name.padEnd(32)}${rest.map((cell) => cell.padStart(14)).join("")}\n`);
}

async function queries({ url }: QuireServer, database: Database): Promise<void> {
  row("milliseconds", "documents", "p50", "p95", "plain p50", "plain p95");
  for (const query of asked) {
    const address = `${url}/api/documents/search/?q=${encodeURIComponent(query.query)}`;
    const [times, plainTimes]: [number[], number[]] = [[], []];
    let { count } = await timed(fresh(address));
    await plainly(database, query);
    for (let index = 0; index < repetitions; index++) {
      const first = await timed(fresh(address));
      ({ count } = first);
      times.push(first.milliseconds);
      plainTimes.push(await plainly(database, query));
    }
    const figures = [times, plainTimes].flatMap((all) => [0.5, 0.95].map((share) => percentile(all, share)));
    row(query.name, count, ...figures.map((figure) => figure.toFixed(1)));
  }
}

const facets = "access,status,user,organization,language,original_extension,year";

/** Measures a search with facets beside one without, and the completion of a word. */
async function facetsAndCompletions({ url }: QuireServer): Promise<void> {
  const search = `${url}/api/documents/search/?q=${wordAt(1)}`;
  const completion = `${url}/api/documents/search/suggest/?q=${wordAt(1).slice(0, 2)}${wordAt(20_000).slice(2, 3)}`;
  const times = { without: [] as number[], with: [] as number[], completion: [] as number[] };
  for (let index = 0; index <= repetitions; index++) {
    const [without, counted] = [await timed(fresh(search)), await timed(fresh(`${search}&facets=${facets}`))];
    const completed = await timed(fresh(completion));
    // The first of each is a warm-up.
    if (index === 0) continue;
    times.without.push(without.milliseconds);
    times.with.push(counted.milliseconds);
    times.completion.push(completed.milliseconds);
  }
  const [without, counted, completed] = [times.without, times.with, times.completion].map((all) =>
    percentile(all, 0.5).toFixed(1),
  );
  print(
    `  a common word p50 ${without} ms`,
    `with seven facets ${counted} ms`,
    `the completion of three letters ${completed} ms`,
  );
}

/** A page of the hits in a long document. */
async function hitsOf({ url }: QuireServer, longDocument: number): Promise<void> {
  for (const [name, word] of [
    ["a common word", wordAt(1)],
    ["a word of a tenth of the pages", tenth],
  ] as const) {
    const address = `${url}/api/documents/${longDocument}/search/?q=${word}&paged=true`;
    const times: number[] = [];
    let { count } = await timed(fresh(address));
    for (let index = 0; index < repetitions; index++) {
      const first = await timed(fresh(address));
      ({ count } = first);
      times.push(first.milliseconds);
    }
    print(
      `  hits of ${name} in the long document`,
      `${count} pages`,
      `p50 ${percentile(times, 0.5).toFixed(1)} ms`,
      `p95 ${percentile(times, 0.95).toFixed(1)} ms`,
    );
  }
}

/** Fetches pages of the list, one after the other, while other work runs. */
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
    `ratio ${(during / before).toFixed(2)} (aim 1.5)`,
  );
}

async function measure(dataFolder: string, databaseUrl: string | null, sizes: Sizes): Promise<void> {
  const database = await openDatabase({ dataFolder, databaseUrl });
  try {
    const { seconds, longDocument } = await fill(database, sizes);
    const { pages, longPages } = sizes;
    const [ofPages, ofCounts] = await indexMegabytes(database);
    print(
      `${databaseUrl === null ? "SQLite" : "PostgreSQL"}, ${pages} pages and a document of ${longPages}`,
      `made at ${(pages / seconds).toFixed(0)} pages/s`,
      `index of pages ${ofPages.toFixed(0)} MB, counts ${ofCounts.toFixed(0)} MB`,
      `text ${(((pages + longPages) * wordsOfPage * 5.5) / 1e6).toFixed(0)} MB`,
    );
    // Autovacuum would do this after a while.
    if (databaseUrl !== null) await sql`analyze`.execute(database.reader);
    const server = await startQuire({ dataFolder, databaseUrl, logFile: path.join(dataFolder, "log") });
    try {
      if (databaseUrl === null)
        print(`  database ${(statSync(path.join(dataFolder, "quire.sqlite")).size / 1e6).toFixed(0)} MB`);
      await queries(server, database);
      await facetsAndCompletions(server);
      await hitsOf(server, longDocument);
      await listMeanwhile(server);
    } finally {
      await server.process.stop();
    }
  } finally {
    await database.close();
  }
}

/** The index of pages, and the counts of words. */
async function indexMegabytes(database: Database): Promise<[number, number]> {
  const sizeOf = async (table: "document_words" | "word_counts"): Promise<number> => {
    const size =
      database.engine === "sqlite"
        ? sql<{ bytes: number }>`select sum(length(block)) as bytes from ${sql.table(`${table}_data`)}`
        : sql<{ bytes: number }>`select pg_total_relation_size(${table}) as bytes`;
    return ((await size.execute(database.reader)).rows[0]?.bytes ?? 0) / 1e6;
  };
  return [await sizeOf("document_words"), await sizeOf("word_counts")];
}

const options = readOptions(process.argv.slice(2), { pages: "number", long: "number", engine: "text" });
const sizes: Sizes = { pages: options.pages ?? 40_000, longPages: options.long ?? 10_000 };
const folder = await mkdtemp(path.join(tmpdir(), "quire-bench-"));
try {
  if (options.engine !== "postgres") {
    await mkdir(path.join(folder, "sqlite"));
    await measure(path.join(folder, "sqlite"), null, sizes);
  }
  if (options.engine !== "sqlite") {
    const postgres = await startPostgres();
    try {
      await mkdir(path.join(folder, "postgres"));
      const { url } = await createThrowawayDatabase(postgres.url);
      await measure(path.join(folder, "postgres"), url, sizes);
    } finally {
      await postgres.stop();
    }
  }
} finally {
  await rm(folder, { recursive: true });
}
