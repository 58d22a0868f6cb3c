import { createWriteStream } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { recordText } from "../src/resources/documents/present.ts";
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

/** Records per second of `quire import` into an empty SQLite database, from the start of the process to its end. */
export async function importRate(records: number): Promise<number> {
  const folder = await mkdtemp(path.join(tmpdir(), "quire-bench-"));
  try {
    const file = path.join(folder, "records.ndjson");
    const complaintsFile = path.join(folder, "complaints");
    await pipeline(Readable.from(recordLines(records)), createWriteStream(file));
    const environment = { QUIRE_DATA: path.join(folder, "data") };
    const startedMilliseconds = performance.now();
    const importer = quire("quire", { args: ["import", file], environment, complaintsFile });
    await importer.end().catch(async (error: unknown) => {
      throw new Error(`Importing failed:\n${await readFile(complaintsFile, "utf8")}`, { cause: error });
    });
    const seconds = (performance.now() - startedMilliseconds) / 1000;
    const found = countDocuments(path.join(environment.QUIRE_DATA, "quire.sqlite"));
    if (found !== records) throw new Error(`Of ${records} records ${found} were imported`);
    return records / seconds;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Records in the form of another server's list, many lines at a time. */
function* recordLines(records: number): Generator<string> {
  const bases = { web: "https://documents.example", assets: "https://files.example/" };
  let lines = "";
  for (const { projects, ...row } of sampleDocuments(records)) {
    lines += `${recordText({ ...row, revision: 1, public_projects: projects.join(",") }, bases, false)}\n`;
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
