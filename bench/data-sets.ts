import { createHash } from "node:crypto";
import { existsSync, rmSync } from "node:fs";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { fillSqlite, sqliteSchema } from "./fill-sqlite.ts";
import { storeAllRecords } from "./stored-records.ts";
import { sampleDocuments } from "./sample-documents.ts";

/** The folder for the bench's data. It is filled again if it is missing. */
export const dataFolder = path.join(import.meta.dirname, "data");

const noteName = "made-by.json";

/** The folder in which this process makes a data set. Other processes have their own. */
const unfinishedFolder = path.join(dataFolder, `unfinished-${process.pid}`);

/** Removes the data set that this process has not finished. */
export function removeUnfinished(): void {
  rmSync(unfinishedFolder, { recursive: true, force: true });
}

export interface DataSet {
  folder: string;
  documents: number;
  lastId: number;
}

export interface DataSetRequest {
  documents: number;
  /** One in this many documents is public. */
  publicEvery: number;
}

/** The data folder with these documents. It is made again if the schema or the generator has changed. */
export async function findOrMakeDataSet(
  { documents, publicEvery }: DataSetRequest,
  say: (text: string) => void,
): Promise<DataSet> {
  const name = `sqlite-${documents}${publicEvery === 1 ? "" : `-one-in-${publicEvery}`}`;
  const folder = path.join(dataFolder, name);
  const note = path.join(folder, noteName);
  const maker = await fingerprint();
  if (existsSync(note)) {
    const made = JSON.parse(await readFile(note, "utf8")) as { maker: string; lastId: number };
    if (made.maker === maker) return { folder, documents, lastId: made.lastId };
  }
  say(`Making ${folder}, once …`);
  await mkdir(unfinishedFolder, { recursive: true });
  const file = path.join(unfinishedFolder, "quire.sqlite");
  const lastId = await fillSqlite(file, sampleDocuments(documents, publicEvery));
  await storeAllRecords({ dataFolder: unfinishedFolder, databaseUrl: null });
  await writeFile(path.join(unfinishedFolder, noteName), JSON.stringify({ maker, lastId }));
  await rm(folder, { recursive: true, force: true });
  await rename(unfinishedFolder, folder);
  return { folder, documents, lastId };
}

/** A digest of everything that determines a data set. */
async function fingerprint(): Promise<string> {
  const hash = createHash("sha1").update(await sqliteSchema());
  for (const source of [
    "chance.ts",
    "fill-sqlite.ts",
    "stored-records.ts",
    "../src/resources/documents/present.ts",
    "sample-documents.ts",
    "../src/processing/page-spec.ts",
  ]) {
    hash.update(await readFile(path.join(import.meta.dirname, source)));
  }
  return hash.digest("hex");
}
