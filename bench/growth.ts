import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Client } from "pg";
import { openDatabase } from "../src/database/open-database.ts";
import { indexNewDocuments } from "../src/resources/documents/search/index-store.ts";
import { createThrowawayDatabase, startPostgres } from "../src/testing/postgres.ts";
import { findOrMakeDataSet } from "./data-sets.ts";
import { fillPostgres } from "./fill-postgres.ts";
import { type Figure, type Figures, pictureOf } from "./growth-picture.ts";
import { type Asked, type Served, asked, figuresOf } from "./growth-requests.ts";
import { importWatched } from "./import-watched.ts";
import { Disturbance, machine } from "./machine.ts";
import { readOptions } from "./options.ts";
import { quire, startQuire } from "./quire-server.ts";
import { table } from "./report.ts";
import { sampleDocuments } from "./sample-documents.ts";
import { watch } from "./watched-command.ts";

/*
 * How the price of requests and commands grows with the number of documents, on both engines:
 *
 *   npm run bench:growth -- [--from 10000] [--most 100000] [--engine sqlite|postgres] [--imports 100000] [--to FOLDER]
 *
 * Every size is ten times the one before, beginning with that of `--from`, and the last is that of `--most`. Every
 * second document is public. A figure of a request is the processor time in the server and in PostgreSQL, in the
 * cheapest of several series, and on PostgreSQL the pages that it reads from its buffers. Documents have their records
 * and the words of their titles, and no pages and files: so `doctor` compares these, and `backup` copies rows. Imports
 * are measured up to the size of `--imports`. The last column is the exponent between the first and the last size: 0
 * means that the price stays the same, 1 that it grows as the number of documents does. `--to` writes the figures as
 * JSON and a picture of them to a folder, after each size.
 */

const publicEvery = 2;

interface Measured {
  requests: (Figure | null)[];
  commands: Record<string, Figure>;
}

const say = (text: string): void => void process.stderr.write(`${text}\n`);

const {
  from = 10_000,
  most = 100_000,
  engine: only,
  imports = 100_000,
  to: target,
} = readOptions(process.argv.slice(2), {
  from: "number",
  most: "number",
  engine: "text",
  imports: "number",
  to: "text",
});

/** Indexes the titles. The files of these documents are elsewhere, so nothing looks for them. */
async function prepare(settings: { dataFolder: string; databaseUrl: string | null }): Promise<void> {
  const database = await openDatabase(settings);
  try {
    await database.write(async (writer) => {
      await writer.updateTable("documents").set({ asset_url: "https://files.example/" }).execute();
      await indexNewDocuments(writer, () => undefined);
    });
  } finally {
    await database.close();
  }
}

async function commandsOf(
  documents: number,
  environment: Record<string, string>,
  scratch: string,
  databaseUrl?: string,
): Promise<Record<string, Figure>> {
  const run = async (what: string, args: string[]): Promise<Figure> => {
    const complaintsFile = path.join(scratch, "complaints");
    const taken = await watch(quire("quire", { args, environment, complaintsFile }), databaseUrl);
    const milliseconds = (taken.seconds + taken.databaseSeconds) * 1000;
    say(`${what}: ${milliseconds.toFixed(0)} ms, ${taken.peakMb.toFixed(0)} MB`);
    return { milliseconds, peakMb: taken.peakMb };
  };
  const found = {
    doctor: await run("doctor", ["doctor"]),
    backup: await run("backup", ["backup", path.join(scratch, "backup")]),
    "second backup, of an unchanged service": await run("backup", ["backup", path.join(scratch, "backup")]),
  };
  if (documents > imports) return found;
  await rm(path.join(scratch, "backup"), { recursive: true });
  const taken = await importWatched(documents, databaseUrl ?? null, scratch);
  say(`import: ${taken.milliseconds.toFixed(0)} ms, ${taken.peakMb?.toFixed(0)} MB`);
  return { ...found, import: taken };
}

async function onSqlite(documents: number): Promise<Measured> {
  const { folder } = await findOrMakeDataSet({ documents, publicEvery }, say);
  const scratch = await mkdtemp(path.join(tmpdir(), "quire-bench-growth-"));
  try {
    const dataFolder = path.join(scratch, "data");
    await cp(folder, dataFolder, { recursive: true });
    await prepare({ dataFolder, databaseUrl: null });
    const server = await startQuire({ dataFolder, databaseUrl: null, processes: 1 });
    const served: Served = { server, pids: async () => [server.process.pid], buffers: async () => 0 };
    const requests = await untilEnd(served);
    const commands = await commandsOf(documents, { QUIRE_DATA: dataFolder }, scratch);
    return { requests, commands };
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function onPostgres(documents: number): Promise<Measured> {
  const scratch = await mkdtemp(path.join(tmpdir(), "quire-bench-growth-"));
  const postgres = await startPostgres();
  try {
    const database = await createThrowawayDatabase(postgres.url);
    say(`Filling PostgreSQL with ${documents.toLocaleString("en-US")} documents …`);
    await fillPostgres(database.url, sampleDocuments(documents, publicEvery));
    const dataFolder = path.join(scratch, "data");
    await mkdir(dataFolder);
    await prepare({ dataFolder, databaseUrl: database.url });
    const client = new Client({ connectionString: database.url });
    await client.connect();
    await client.query("vacuum analyze");
    const requests = await onServer(dataFolder, database.url, client);
    await client.end();
    const environment = { QUIRE_DATA: dataFolder, QUIRE_DATABASE_URL: database.url };
    return { requests, commands: await commandsOf(documents, environment, scratch, database.url) };
  } finally {
    await postgres.stop();
    await rm(scratch, { recursive: true, force: true });
  }
}

async function onServer(dataFolder: string, databaseUrl: string, client: Client): Promise<(Figure | null)[]> {
  const server = await startQuire({ dataFolder, databaseUrl, processes: 1 });
  const pids = async (): Promise<number[]> => {
    const { rows } = await client.query<{ pid: number }>(
      "select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
    );
    return [server.process.pid, ...rows.map(({ pid }) => pid)];
  };
  const buffers = async (): Promise<number> => {
    const { rows } = await client.query<{ buffers: string }>(
      "select blks_hit + blks_read as buffers from pg_stat_database where datname = current_database()",
    );
    return Number(rows[0]?.buffers);
  };
  return untilEnd({ server, pids, buffers });
}

/** Measures the requests, and stops the server. */
async function untilEnd(served: Served): Promise<(Figure | null)[]> {
  try {
    return await figuresOf(served, say);
  } finally {
    await served.server.process.stop();
  }
}

/** The figures of all sizes so far, one row for each request and command. */
function figures(measured: readonly Measured[]): Figures {
  const names = [...new Set(measured.flatMap(({ commands }) => Object.keys(commands)))];
  return [
    ...asked.map(({ what }: Asked, row) => ({
      what,
      bySize: measured.map(({ requests }) => requests[row] ?? null),
    })),
    ...names.map((name) => ({ what: name, bySize: measured.map(({ commands }) => commands[name] ?? null) })),
  ];
}

function textOf(figure: Figure | null): string {
  if (figure === null) return "";
  const { milliseconds, buffers = 0, peakMb } = figure;
  const time = milliseconds < 100 ? milliseconds.toFixed(1) : milliseconds.toFixed(0);
  return `${time}${buffers > 0 ? ` (${buffers})` : ""}${peakMb === undefined ? "" : `, ${peakMb.toFixed(0)} MB`}`;
}

function tableOf(sizes: readonly number[], rows: Figures): string {
  const head = ["", ...sizes.map((size) => `${size.toLocaleString("en-US")}, ms`), "exponent"];
  return table(
    head,
    rows.map(({ what, bySize }) => {
      const known = bySize.flatMap((figure, index) => (figure === null ? [] : [{ figure, index }]));
      const [first, last] = [known[0], known.at(-1)];
      const decades = Math.log10((sizes[last?.index ?? 0] ?? 1) / (sizes[first?.index ?? 0] ?? 1));
      const ratio = (last?.figure.milliseconds ?? 1) / (first?.figure.milliseconds ?? 1);
      return [what, ...bySize.map(textOf), decades === 0 ? "" : (Math.log10(ratio) / decades).toFixed(2)];
    }),
  );
}

const sizes: number[] = [];
for (let size = from; size < most; size *= 10) sizes.push(size);
sizes.push(most);
const disturbance = new Disturbance();
say(machine());
for (const [name, measure] of Object.entries({ sqlite: onSqlite, postgres: onPostgres })) {
  if (only !== undefined && only !== name) continue;
  const measured: Measured[] = [];
  for (const size of sizes) {
    say(`${name}, ${size.toLocaleString("en-US")}`);
    measured.push(await measure(size));
    const rows = figures(measured);
    process.stdout.write(`\n${name}\n\n${tableOf(sizes.slice(0, measured.length), rows)}`);
    if (target === undefined) continue;
    await mkdir(target, { recursive: true });
    await writeFile(path.join(target, `${name}.json`), JSON.stringify(rows));
    await writeFile(
      path.join(target, `growth-${name}.svg`),
      pictureOf(sizes.slice(0, measured.length), rows),
    );
  }
}
for (const warning of disturbance.warnings()) say(warning);
