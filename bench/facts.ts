import { createWriteStream } from "node:fs";
import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { Client } from "pg";
import { recordText } from "../src/resources/documents/present.ts";
import { defaultColumns } from "../src/resources/documents/record-members.ts";
import { median } from "./statistics.ts";
import type { DataSet } from "./data-sets.ts";
import { quire, startQuire } from "./quire-server.ts";
import { sampleDocuments } from "./sample-documents.ts";

/** The seconds from the start of the process to the first response of the list: the median of several starts. */
export async function startToFirstAnswer(
  { folder }: Pick<DataSet, "folder">,
  starts: number,
): Promise<number> {
  const seconds: number[] = [];
  for (let start = 0; start < starts; start++) {
    const server = await startQuire({ dataFolder: folder, databaseUrl: null });
    seconds.push(server.startSeconds);
    await server.process.stop();
  }
  return median(seconds);
}

/** An import and, beside it, what the engine alone takes for as many rows of the same size. */
export interface ImportRates {
  /** Records per second of `quire import`, from the start of the process to its end. */
  imported: number;
  /** Rows per second of plain inserts. */
  plain: number;
  /** The mean size of a record. */
  bytesOfRecord: number;
}

/** Imports records into an empty database: SQLite, or (if it is given) this one. */
export async function importRates(records: number, databaseUrl: string | null): Promise<ImportRates> {
  const folder = await mkdtemp(path.join(tmpdir(), "quire-bench-"));
  try {
    const file = path.join(folder, "records.ndjson");
    await pipeline(Readable.from(recordLines(records)), createWriteStream(file));
    const { size } = await stat(file);
    const bytesOfRecord = Math.round(size / records);
    const plain =
      databaseUrl === null
        ? plainInsertRate(path.join(folder, "plain.sqlite"), records, bytesOfRecord)
        : await plainPostgresRate(databaseUrl, records, bytesOfRecord);
    const complaintsFile = path.join(folder, "complaints");
    const environment = {
      QUIRE_DATA: path.join(folder, "data"),
      ...(databaseUrl !== null && { QUIRE_DATABASE_URL: databaseUrl }),
    };
    const startedMilliseconds = performance.now();
    const importer = quire("quire", { args: ["import", file], environment, complaintsFile });
    await importer.end().catch(async (error: unknown) => {
      throw new Error(`Importing failed:\n${await readFile(complaintsFile, "utf8")}`, { cause: error });
    });
    const seconds = (performance.now() - startedMilliseconds) / 1000;
    const found =
      databaseUrl === null
        ? countDocuments(path.join(environment.QUIRE_DATA, "quire.sqlite"))
        : await countOnPostgres(databaseUrl);
    if (found !== records) throw new Error(`Of ${records} records ${found} were imported`);
    return { imported: records / seconds, plain, bytesOfRecord };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** As many rows in each transaction as an import writes. */
const rowsPerTransaction = 20_000;

/** Rows per second of `node:sqlite`: a number and a text of this size, one statement for each row. */
function plainInsertRate(file: string, rows: number, bytes: number): number {
  const database = new DatabaseSync(file);
  try {
    database.exec("pragma journal_mode = wal; pragma synchronous = full");
    database.exec("create table plain (id integer primary key, text text not null)");
    const insert = database.prepare("insert into plain values (?, ?)");
    const startedMilliseconds = performance.now();
    for (let start = 0; start < rows; start += rowsPerTransaction) {
      database.exec("begin immediate");
      for (let id = start; id < Math.min(rows, start + rowsPerTransaction); id++)
        insert.run(id, String(id).padEnd(bytes, "x"));
      database.exec("commit");
    }
    return rows / ((performance.now() - startedMilliseconds) / 1000);
  } finally {
    database.close();
  }
}

/** The same rows in PostgreSQL, a thousand in each statement. */
async function plainPostgresRate(databaseUrl: string, rows: number, bytes: number): Promise<number> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query("create table plain (id bigint primary key, text text not null)");
    const startedMilliseconds = performance.now();
    for (let start = 0; start < rows; start += rowsPerTransaction) {
      await client.query("begin");
      const end = Math.min(rows, start + rowsPerTransaction);
      for (let first = start; first < end; first += 1000) {
        const ids = Array.from({ length: Math.min(1000, end - first) }, (_, index) => first + index);
        const texts = ids.map((id) => String(id).padEnd(bytes, "x"));
        const text = "insert into plain select * from unnest($1::bigint[], $2::text[])";
        await client.query({ name: "plain", text, values: [ids, texts] });
      }
      await client.query("commit");
    }
    return rows / ((performance.now() - startedMilliseconds) / 1000);
  } finally {
    await client.query("drop table plain");
    await client.end();
  }
}

async function countOnPostgres(databaseUrl: string): Promise<number> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ count: number }>("select count(*)::int as count from documents");
    return rows[0]?.count ?? 0;
  } finally {
    await client.end();
  }
}

/** Records in the form of another server's list, many lines at a time. */
export function* recordLines(records: number): Generator<string> {
  const baseUrls = { web: "https://documents.example", assets: "https://files.example/" };
  let lines = "";
  for (const { projects, ...row } of sampleDocuments(records)) {
    const given = { ...defaultColumns, ...row, revision: 1, public_projects: projects.join(",") };
    lines += `${recordText(given, baseUrls, false)}\n`;
    if (lines.length < 1 << 20) continue;
    yield lines;
    lines = "";
  }
  yield lines;
}

function countDocuments(file: string): number {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    return (database.prepare("select count(*) as count from documents").get() as { count: number }).count;
  } finally {
    database.close();
  }
}
