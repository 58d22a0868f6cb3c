import { mkdir, mkdtemp, readFile, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { gunzipSync } from "node:zlib";
import type { Database } from "../src/database/database.ts";
import { openDatabase } from "../src/database/open-database.ts";
import { embedDocuments } from "../src/resources/documents/embeddings/embed-documents.ts";
import { replacePages } from "../src/resources/documents/pages/page-store.ts";
import { plainWordsOf } from "../src/search/words.ts";
import { addDocuments } from "../src/testing/factories.ts";
import { createThrowawayDatabase, startPostgres } from "../src/testing/postgres.ts";
import { type Collection, type RelevanceFigures, judge } from "../src/testing/relevance.ts";
import { afterOwnIds } from "./fill-postgres.ts";
import { machine } from "./machine.ts";
import { readOptions } from "./options.ts";
import { startQuire } from "./quire-server.ts";
import { table } from "./report.ts";

/*
 * How well a search sorts: collections with judgments, each text a document with its title, each query as it was typed,
 * through the real service. Beside it SQLite's own bm25() over the same words, plain and with Porter's stems, where a
 * query asks for any of its words.
 *
 *   npm run bench:relevance -- --data FOLDER [--only cran,cisi] [--engine sqlite,postgres] [--model FOLDER]
 *
 * FOLDER has a file NAME.json.gz for each collection: {docs: {id: {title, text}}, queries: {id: text}, qrels: {query
 * id: {document id: gain}}}. The folder of --model is that of QUIRE_EMBEDDING_MODEL, as bench/embedding-model.sh makes
 * one.
 */

/** The answers to a query that are judged. */
const maxRank = 100;
const perPage = 25;

const titleOf = (id: string, { title }: { title?: string }): string => (title || id).slice(0, 900);
const textOf = (id: string, { title, text }: { title?: string; text?: string }): string =>
  text || title || id;

/** Adds the documents. Returns the collection's ids by those of the documents. */
async function fill(database: Database, { docs }: Collection): Promise<Map<string, string>> {
  const byDocument = new Map<string, string>();
  const all = Object.entries(docs);
  for (let start = 0; start < all.length; start += 100) {
    const some = all.slice(start, start + 100);
    const rows = some.map(([id, row], index) => ({
      title: titleOf(id, row),
      language: "eng",
      created_at: new Date(Date.UTC(2020, 0, 1) + (start + index) * 1000).toISOString().replace("Z", "000Z"),
    }));
    for (const [index, document] of (await addDocuments({ database }, rows)).entries()) {
      const [id, row] = some[index] as (typeof some)[number];
      byDocument.set(String(document), id);
      await database.write((writer) => replacePages(writer, document, [{ text: textOf(id, row) }]));
    }
  }
  await afterOwnIds(database);
  return byDocument;
}

/** Embeds all documents. Returns how long that took. */
async function embedAll(database: Database, embeddingModel: string): Promise<number> {
  const context = { config: { embeddingModel: path.resolve(embeddingModel) }, database };
  const started = performance.now();
  await embedDocuments(context, { complete: async () => undefined }, new AbortController().signal);
  return performance.now() - started;
}

async function searchService(
  url: string,
  byDocument: ReadonlyMap<string, string>,
  query: string,
): Promise<string[] | null> {
  const found: string[] = [];
  const parameters = new URLSearchParams({ q: query, per_page: String(perPage) });
  let next: string | null = `${url}/api/documents/search/?${parameters.toString()}`;
  while (found.length < maxRank && next !== null) {
    const response: Response = await fetch(next);
    // The machine is busy: the same again.
    if (response.status === 503) continue;
    if (response.status === 400) return null;
    if (!response.ok) throw new Error(`${response.status} at ${next}`);
    const body = (await response.json()) as { results: { id: string }[]; next: string | null };
    found.push(...body.results.map(({ id }) => byDocument.get(id) ?? ""));
    ({ next } = body);
  }
  return found;
}

/** SQLite's own ranking, over titles and texts together. */
function searchPlainIndex(
  { docs }: Collection,
  tokenizer: string,
): (query: string) => Promise<readonly string[]> {
  const database = new DatabaseSync(":memory:");
  database.exec(`create virtual table texts using fts5(id unindexed, words, tokenize = "${tokenizer}")`);
  const insert = database.prepare("insert into texts (id, words) values (?, ?)");
  for (const [id, row] of Object.entries(docs)) {
    insert.run(id, plainWordsOf(`${titleOf(id, row)} ${textOf(id, row)}`).join(" "));
  }
  const search = database.prepare(
    `select id from texts where texts match ? order by bm25(texts), rowid desc limit ${maxRank}`,
  );
  return (query) => {
    const words = [...new Set(plainWordsOf(query))].map((word) => `"${word}"`);
    return Promise.resolve(search.all(words.join(" OR ")).map(({ id }) => String(id)));
  };
}

async function measure(
  name: string,
  collection: Collection,
  postgresUrl: string | null,
  model: string | null,
): Promise<string[][]> {
  const folder = await mkdtemp(path.join(tmpdir(), "quire-relevance-"));
  const throwaway = postgresUrl === null ? null : await createThrowawayDatabase(postgresUrl);
  const storage = { dataFolder: path.join(folder, "data"), databaseUrl: throwaway?.url ?? null };
  const row = (what: string, { ndcg, recall, map, refused }: RelevanceFigures): string[] => [
    name,
    what,
    ...[ndcg, recall, map].map((value) => value.toFixed(3)),
    String(refused),
  ];
  try {
    await mkdir(storage.dataFolder);
    const database = await openDatabase(storage);
    const byDocument = await fill(database, collection);
    const millisecondsToEmbed = model === null ? 0 : await embedAll(database, model);
    await database.close();
    const environment = model === null ? {} : { QUIRE_EMBEDDING_MODEL: path.resolve(model) };
    const server = await startQuire({ ...storage, environment });
    try {
      const served = await judge(collection, (query) => searchService(server.url, byDocument, query));
      const by =
        model === null ? "" : `, model, ${Math.round(millisecondsToEmbed / byDocument.size)} ms a text`;
      return [row(`Quire, ${throwaway === null ? "SQLite" : "PostgreSQL"}${by}`, served)];
    } finally {
      await server.process.stop();
    }
  } finally {
    await throwaway?.drop();
    await rm(folder, { recursive: true });
  }
}

async function peers(name: string, collection: Collection): Promise<string[][]> {
  const of = async (tokenizer: string): Promise<string[]> => {
    const { ndcg, recall, map } = await judge(collection, searchPlainIndex(collection, tokenizer));
    return [ndcg, recall, map].map((value) => value.toFixed(3));
  };
  return [
    [name, "bm25()", ...(await of("unicode61")), "0"],
    [name, "bm25(), stems", ...(await of("porter unicode61")), "0"],
  ];
}

const options = readOptions(process.argv.slice(2), {
  data: "text",
  only: "text",
  engine: "text",
  model: "text",
});
if (options.data === undefined) throw new Error("Name the folder of the collections: --data FOLDER");
const wanted = options.only?.split(",");
const names = (await readdir(options.data))
  .filter((file) => file.endsWith(".json.gz"))
  .map((file) => file.replace(".json.gz", ""))
  .filter((name) => wanted?.includes(name) ?? true);
const engines = options.engine?.split(",") ?? ["sqlite"];
const rows: string[][] = [];
const postgres = engines.includes("postgres") ? await startPostgres() : null;
try {
  for (const name of names.toSorted()) {
    const text = gunzipSync(await readFile(path.join(options.data, `${name}.json.gz`))).toString();
    const collection = JSON.parse(text) as Collection;
    for (const engine of engines) {
      const url = engine === "postgres" ? (postgres?.url ?? null) : null;
      for (const model of options.model === undefined ? [null] : [null, options.model])
        rows.push(...(await measure(name, collection, url, model)));
    }
    rows.push(...(await peers(name, collection)));
  }
} finally {
  await postgres?.stop();
}
process.stdout.write(`${machine()}\n`);
process.stdout.write(table(["collection", "engine", "nDCG@10", "recall@100", "MAP", "refused"], rows));
