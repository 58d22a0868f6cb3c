import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { sql } from "kysely";
import type { Database, Writer } from "../src/database/database.ts";
import { openDatabase } from "../src/database/open-database.ts";
import { replacePages } from "../src/resources/documents/pages/page-store.ts";
import { type TextPart, partOfPage } from "../src/search/parts.ts";
import { postgresIndex } from "../src/search/postgres-index.ts";
import { sqliteIndex } from "../src/search/sqlite-index.ts";
import { indexTexts } from "../src/search/text-index.ts";
import { plainWordsOf } from "../src/search/words.ts";
import { addDocuments } from "../src/testing/factories.ts";
import { createThrowawayDatabase, startPostgres } from "../src/testing/postgres.ts";
import { Chance } from "./chance.ts";
import { afterOwnIds } from "./fill-postgres.ts";
import { Disturbance, machine } from "./machine.ts";
import { readOptions } from "./options.ts";
import { processorMilliseconds } from "./processor-time.ts";
import { type QuireServer, startQuire } from "./quire-server.ts";
import { table } from "./report.ts";
import { median, percentile } from "./statistics.ts";

/*
 * Search over generated pages, on both engines at the same size: how long queries take, beside a plain query of the
 * engine's own full-text index on the same data; all hits in one long document; what facets and completions cost among
 * many documents; how searches slow down requests for the list; how large the index is; and how much slower texts are
 * written because their words are counted.
 *
 *   npm run bench:search -- [--pages 40000] [--long 10000] [--documents 50000] [--engine sqlite|postgres]
 *
 * As in a language, the n-th most common word occurs a n-th as often as the first. A page has 200 words, a document 20
 * pages, and one document as many pages as `--long` says. Facets and completions are measured after documents with one
 * short page each have made up the number that `--documents` says.
 *
 * The processor time is that of one request in the server and in PostgreSQL. It depends less on other programs than
 * the time that a client waits.
 */

const pagesOfDocument = 20;
const wordsOfPage = 200;
const wordsOfShortPage = 20;
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

function page(chance: Chance, length = wordsOfPage): string {
  return Array.from({ length }, () => words[rankFrom(chance)]).join(" ");
}

const print = (...figures: string[]): void => void process.stdout.write(`${figures.join(" · ")}\n`);

interface Sizes {
  pages: number;
  longPages: number;
  documents: number;
}

const languages = ["eng", "eng", "eng", "deu", "fra", "spa"];
const extensions = ["pdf", "pdf", "pdf", "pdf", "docx", "xlsx", "html"];
/** Rows of documents, some of whose columns facets count. */
function rowsOf(chance: Chance, count: number, first: number, pageCount: number) {
  return Array.from({ length: count }, (_, index) => ({
    title: `${words[rankFrom(chance)]} ${words[rankFrom(chance)]} ${first + index}`,
    page_count: pageCount,
    created_at: new Date(Date.UTC(2005, 0, 1) + (first + index) * 12_000_000)
      .toISOString()
      .replace("Z", "000Z"),
    user_id: 1 + chance.below(2),
    organization_id: 1 + chance.below(2),
    language: chance.pick(languages),
    original_extension: chance.pick(extensions),
    status: chance.is(0.95) ? "success" : "readable",
  }));
}

/** Makes the documents with many pages. Returns the rate, and the id of the long document. */
async function fill(
  database: Database,
  { pages, longPages }: Sizes,
): Promise<{ pagesPerSecond: number; longDocument: number }> {
  const chance = new Chance(7);
  const started = performance.now();
  const write = (id: number, count: number): Promise<void> => {
    const texts = Array.from({ length: count }, () => ({ text: page(chance) }));
    return database.write((writer) => replacePages(writer, id, texts));
  };
  for (let done = 0; done < pages / pagesOfDocument; done += 50) {
    const ids = await addDocuments({ database }, rowsOf(chance, 50, done, pagesOfDocument));
    for (const id of ids) await write(id, pagesOfDocument);
  }
  const pagesPerSecond = (pages * 1000) / (performance.now() - started);
  const [longDocument = 0] = await addDocuments({ database }, [{ title: "Long", page_count: longPages }]);
  await write(longDocument, longPages);
  await afterOwnIds(database);
  return { pagesPerSecond, longDocument };
}

/** Adds documents with one short page each, up to the number asked for. */
async function fillUp(database: Database, { pages, documents }: Sizes): Promise<void> {
  const chance = new Chance(8);
  for (let done = pages / pagesOfDocument + 1; done < documents; done += 500) {
    const ids = await addDocuments({ database }, rowsOf(chance, Math.min(500, documents - done), done, 1));
    await database.write((writer) =>
      writeNew(
        writer,
        ids.map((id) => partOf(id, 0, page(chance, wordsOfShortPage))),
      ),
    );
  }
}

const partOf = (documentId: number, number: number, text: string): TextPart => ({
  documentId,
  part: partOfPage(number),
  text,
});

/** Writes the texts of new pages and adds them to the index. */
async function writeNew(writer: Writer, parts: readonly TextPart[]): Promise<void> {
  await insertPages(writer, parts);
  await indexTexts(writer, parts, { areNew: true });
}

/** The same without counting the words, as before Quire counted them. */
async function writeUncounted(
  writer: Writer,
  parts: readonly TextPart[],
  engine: Database["engine"],
): Promise<void> {
  await insertPages(writer, parts);
  const worded = parts.map(({ text, ...part }) => ({ ...part, words: plainWordsOf(text) }));
  await { sqlite: sqliteIndex, postgres: postgresIndex }[engine].add(writer, worded);
}

async function insertPages(writer: Writer, parts: readonly TextPart[]): Promise<void> {
  const rows = parts.map(({ documentId, part, text }) => ({
    document_id: documentId,
    page: part - partOfPage(0),
    text,
  }));
  await writer.insertInto("document_pages").values(rows).execute();
}

interface Asked {
  name: string;
  query: string;
  /** The same words as a query in the language of each engine's full-text index. */
  plain: { sqlite: string; postgres: string };
  /** The p95 to reach in milliseconds, with 1,000,000 pages on SQLite and 200,000 on PostgreSQL. */
  aims: Aims;
}

interface Aims {
  sqlite: number | null;
  postgres: number | null;
}

const [tenth, half, three] = [wordAt(120), wordAt(500), [wordAt(300), wordAt(2000), wordAt(9000)] as const];
const [common, rare, filtered] = [wordAt(1), wordAt(20_000), wordAt(1000)];
const [former, latter] = [wordAt(40), wordAt(60)];
const asked: readonly Asked[] = [
  {
    name: "a common word",
    query: common,
    plain: { sqlite: common, postgres: common },
    aims: { sqlite: 100, postgres: 40 },
  },
  {
    name: "a word of a tenth of the pages",
    query: tenth,
    plain: { sqlite: tenth, postgres: tenth },
    aims: { sqlite: 50, postgres: 30 },
  },
  {
    name: "a rare word",
    query: rare,
    plain: { sqlite: rare, postgres: rare },
    aims: { sqlite: 35, postgres: null },
  },
  {
    name: "three words",
    query: three.join(" "),
    plain: { sqlite: three.join(" OR "), postgres: three.join(" | ") },
    aims: { sqlite: 50, postgres: null },
  },
  {
    name: "a phrase",
    query: `"${former} ${latter}"`,
    plain: { sqlite: `"${former} ${latter}"`, postgres: `${former} <-> ${latter}` },
    aims: { sqlite: 35, postgres: 80 },
  },
  {
    name: "a filter and a word",
    query: `user:1 page_count:[2 TO 50] ${filtered}`,
    plain: { sqlite: filtered, postgres: filtered },
    aims: { sqlite: 35, postgres: null },
  },
  {
    name: "a word without another",
    query: `${half} NOT ${tenth}`,
    plain: { sqlite: `${half} NOT ${tenth}`, postgres: `${half} & !${tenth}` },
    aims: { sqlite: 50, postgres: null },
  },
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

/** A server with the database that it serves. */
interface Served {
  server: QuireServer;
  database: Database;
}

/** The processor time so far of the server and of PostgreSQL's processes for this database. */
async function processorTime({ server, database }: Served): Promise<number> {
  const ofDatabase =
    database.engine === "sqlite"
      ? []
      : (
          await sql<{ pid: number }>`select pid from pg_stat_activity where datname = current_database()
            and pid <> pg_backend_pid()`.execute(database.reader)
        ).rows;
  return processorMilliseconds([server.process.pid, ...ofDatabase.map(({ pid }) => pid)]);
}

interface Timing {
  /** The `count` of the responses. */
  count: number;
  p50: number;
  p95: number;
  processor: number;
}

/** More connections than processes: the kernel divides them by chance, so each process gets one, nearly always. */
const warmingConnections = 8;

/**
 * Requests an address over several connections at once, since the first search in each process takes about 100 ms: it
 * starts a thread or prepares statements, and its code is not compiled yet.
 */
async function warmUp(address: string): Promise<{ count: number }> {
  const warming = Array.from({ length: warmingConnections }, () => timed(fresh(address)));
  return (await Promise.all(warming))[0] as { count: number };
}

/** Requests an address repeatedly, after warming up. `between` runs after each request. */
async function timing(
  served: Served,
  address: string,
  between: () => Promise<void> = () => Promise.resolve(),
): Promise<Timing> {
  const times: number[] = [];
  const processor: number[] = [];
  // The server closes connections that are idle for long, as while documents are added.
  let { count } = await warmUp(address).catch(() => warmUp(address));
  for (let index = 0; index < repetitions; index++) {
    const before = await processorTime(served);
    const one = await timed(fresh(address));
    processor.push((await processorTime(served)) - before);
    ({ count } = one);
    times.push(one.milliseconds);
    await between();
  }
  return {
    count,
    p50: percentile(times, 0.5),
    p95: percentile(times, 0.95),
    processor: median(processor),
  };
}

const figure = (value: number): string => (Number.isNaN(value) ? "" : value.toFixed(1));
const cellsOf = ({ count, p50, p95, processor }: Timing): string[] => [
  String(count),
  ...[p50, p95, processor].map(figure),
];
const aimed = (aim: number | null, value: number): string =>
  aim === null ? "" : `≤ ${aim}${value <= aim ? "" : ", **missed**"}`;

type Cells = string[];
const head = ["", "found", "p50 ms", "p95 ms", "processor ms", "plain p50 ms", "plain p95 ms", "aim for p95"];

const pick = (index: number): Asked => asked[index % asked.length] as Asked;

async function queries(served: Served): Promise<Cells[]> {
  const { server, database } = served;
  const rows: Cells[] = [];
  // The first requests of a process take several times as long.
  const first = `${server.url}/api/documents/search/?q=`;
  for (let index = 0; index < 50; index++) await warmUp(first + encodeURIComponent(pick(index).query));
  for (const query of asked) {
    const plainTimes: number[] = [];
    await plainly(database, query);
    const address = `${server.url}/api/documents/search/?q=${encodeURIComponent(query.query)}`;
    const measured = await timing(served, address, async () => {
      plainTimes.push(await plainly(database, query));
    });
    const plain = [0.5, 0.95].map((share) => figure(percentile(plainTimes, share)));
    rows.push([query.name, ...cellsOf(measured), ...plain, aimed(query.aims[database.engine], measured.p95)]);
  }
  return rows;
}

const facets = "access,status,user,organization,language,original_extension,year";

/** Measures searches with facets beside one without, and the completion of a word. */
async function facetsAndCompletions(served: Served): Promise<Cells[]> {
  const search = `${served.server.url}/api/documents/search/?q=${wordAt(1)}`;
  const plain = await timing(served, search);
  const counted = await timing(served, `${search}&facets=${facets}`);
  const added = [counted.p50 - plain.p50, Number.NaN, counted.processor - plain.processor].map(figure);
  const start = `${wordAt(1).slice(0, 2)}${wordAt(20_000).slice(2, 3)}`;
  const completed = await timing(served, `${served.server.url}/api/documents/search/suggest/?q=${start}`);
  return [
    ["a common word among all documents", ...cellsOf(plain), "", "", ""],
    ["the same with seven facets", ...cellsOf(counted), "", "", ""],
    ["what the facets add (aim for p50)", "", ...added, "", "", aimed(60, counted.p50 - plain.p50)],
    ["the completion of three letters", ...cellsOf(completed).with(0, ""), "", "", aimed(20, completed.p95)],
  ];
}

/** A page of the hits in a long document. */
async function hitsOf(served: Served, longDocument: number): Promise<Cells[]> {
  const rows: Cells[] = [];
  for (const [name, word] of [
    ["a common word", wordAt(1)],
    ["a word of a tenth of the pages", tenth],
  ] as const) {
    const address = `${served.server.url}/api/documents/${longDocument}/search/?q=${word}&paged=true`;
    const measured = await timing(served, address);
    rows.push([
      `pages with ${name} in the long document`,
      ...cellsOf(measured),
      "",
      "",
      aimed(30, measured.p95),
    ]);
  }
  return rows;
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

/** Measures the list alternately without searches and beside one search after another. */
async function listMeanwhile({ server }: Served): Promise<void> {
  await listTimes(server, 1000);
  const pairs: { idle: number; busy: number }[] = [];
  for (let pair = 0; pair < 5; pair++) {
    const idle = await listTimes(server, 2000);
    const over = new AbortController();
    const searching = (async () => {
      while (!over.signal.aborted) {
        await timed(fresh(`${server.url}/api/documents/search/?q=${wordAt(1)}`));
      }
    })();
    const busy = await listTimes(server, 2000);
    over.abort();
    await searching;
    pairs.push({ idle: percentile(idle, 0.99), busy: percentile(busy, 0.99) });
  }
  const ratio = median(pairs.map(({ idle, busy }) => busy / idle));
  print(
    `The list's p99 alone: ${median(pairs.map(({ idle }) => idle)).toFixed(2)} ms`,
    `beside searches: ${median(pairs.map(({ busy }) => busy)).toFixed(2)} ms`,
    `ratio ${ratio.toFixed(2)} (aim ≤ 1.5${ratio <= 1.5 ? "" : ", **missed**"})`,
  );
}

/**
 * Writes the same number of new pages with and without counts, alternately. It comes last: it leaves pages uncounted.
 */
async function writingSpeed(served: Served): Promise<void> {
  const { database } = served;
  const chance = new Chance(9);
  const write = async (isCounted: boolean): Promise<{ milliseconds: number; processor: number }> => {
    const ids = await addDocuments({ database }, rowsOf(chance, 20, 0, pagesOfDocument));
    const parts = ids.map((id) =>
      Array.from({ length: pagesOfDocument }, (_, number) => partOf(id, number, page(chance))),
    );
    const started = performance.now();
    const before = (await processorTime(served)) + processorMilliseconds([process.pid]);
    for (const ofDocument of parts) {
      await database.write((writer) =>
        isCounted ? writeNew(writer, ofDocument) : writeUncounted(writer, ofDocument, database.engine),
      );
    }
    const processor = (await processorTime(served)) + processorMilliseconds([process.pid]) - before;
    return { milliseconds: performance.now() - started, processor };
  };
  const pairs: { time: number; processor: number }[] = [];
  for (let pair = 0; pair < 6; pair++) {
    const [uncounted, counted] = [await write(false), await write(true)];
    pairs.push({
      time: counted.milliseconds / uncounted.milliseconds,
      processor: counted.processor / uncounted.processor,
    });
  }
  const [time, processor] = [
    median(pairs.map((pair) => pair.time)),
    median(pairs.map((pair) => pair.processor)),
  ];
  print(
    `Writing texts with counts takes ${time.toFixed(2)} times as long as without`,
    `${processor.toFixed(2)} times the processor time (aim ≤ 1.25${processor <= 1.25 ? "" : ", **missed**"})`,
  );
}

async function measure(dataFolder: string, databaseUrl: string | null, sizes: Sizes): Promise<void> {
  const database = await openDatabase({ dataFolder, databaseUrl });
  const vacuum = async (): Promise<void> => {
    // Autovacuum would do this after a while.
    if (databaseUrl !== null) await sql`vacuum analyze`.execute(database.reader);
  };
  try {
    const { pagesPerSecond, longDocument } = await fill(database, sizes);
    await vacuum();
    const { pages, longPages, documents } = sizes;
    const [ofPages, ofCounts] = await indexMegabytes(database);
    print(`${databaseUrl === null ? "SQLite" : "PostgreSQL"}, ${pages} pages and a document of ${longPages}`);
    const server = await startQuire({ dataFolder, databaseUrl, logFile: path.join(dataFolder, "log") });
    try {
      const served = { server, database };
      const rows = [...(await queries(served)), ...(await hitsOf(served, longDocument))];
      await fillUp(database, sizes);
      await vacuum();
      rows.push(...(await facetsAndCompletions(served)));
      process.stdout.write(table(head, rows));
      await listMeanwhile(served);
      const sizeRatio = (ofPages + ofCounts) / ofPages;
      print(
        `Index of pages ${ofPages.toFixed(0)} MB, with counts ${sizeRatio.toFixed(2)} times that (aim ≤ 1.7)`,
        `text ${(((pages + longPages) * wordsOfPage * 5.5) / 1e6).toFixed(0)} MB`,
        `${documents} documents in the end`,
        `made at ${pagesPerSecond.toFixed(0)} pages/s`,
      );
      await writingSpeed(served);
    } finally {
      await server.process.stop();
    }
  } finally {
    await database.close();
  }
}

/** The index of pages, and the counts of words. */
async function indexMegabytes(database: Database): Promise<[number, number]> {
  const sizeOf = async (name: "document_words" | "word_counts"): Promise<number> => {
    const size =
      database.engine === "sqlite"
        ? sql<{ bytes: number }>`select sum(length(block)) as bytes from ${sql.table(`${name}_data`)}`
        : sql<{ bytes: number }>`select pg_total_relation_size(${name}) as bytes`;
    return ((await size.execute(database.reader)).rows[0]?.bytes ?? 0) / 1e6;
  };
  return [await sizeOf("document_words"), await sizeOf("word_counts")];
}

const options = readOptions(process.argv.slice(2), {
  pages: "number",
  long: "number",
  documents: "number",
  engine: "text",
});
const sizes: Sizes = {
  pages: options.pages ?? 40_000,
  longPages: options.long ?? 10_000,
  documents: options.documents ?? 50_000,
};
const started = performance.now();
const disturbance = new Disturbance();
print(machine());
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
      const throwaway = await createThrowawayDatabase(postgres.url);
      await measure(path.join(folder, "postgres"), throwaway.url, sizes);
      await throwaway.drop();
    } finally {
      await postgres.stop();
    }
  }
} finally {
  await rm(folder, { recursive: true });
}
print(`${((performance.now() - started) / 60_000).toFixed(1)} minutes`, ...disturbance.warnings());
