import { createWriteStream } from "node:fs";
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createThrowawayDatabase } from "../src/testing/postgres.ts";
import { recordLines } from "./facts.ts";
import type { Figure } from "./growth-picture.ts";
import { quire } from "./quire-server.ts";
import { watch } from "./watched-command.ts";

/** Imports so many records into an empty database beside this one, or into SQLite. */
export async function importWatched(
  records: number,
  beside: string | null,
  scratch: string,
): Promise<Figure> {
  const file = path.join(scratch, "records.ndjson");
  await pipeline(Readable.from(recordLines(records)), createWriteStream(file));
  const data = path.join(scratch, "imported");
  await mkdir(data);
  const database = beside === null ? null : await createThrowawayDatabase(beside);
  const environment = {
    QUIRE_DATA: data,
    ...(database !== null && { QUIRE_DATABASE_URL: database.url }),
  };
  const complaintsFile = path.join(scratch, "complaints");
  const command = quire("quire", { args: ["import", file], environment, complaintsFile });
  const taken = await watch(command, database?.url);
  await database?.drop();
  return { milliseconds: (taken.seconds + taken.databaseSeconds) * 1000, peakMb: taken.peakMb };
}
