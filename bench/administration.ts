import { cp, rm } from "node:fs/promises";
import path from "node:path";
import pino from "pino";
import { readConfig } from "../src/config.ts";
import { openContext } from "../src/context.ts";
import { requestMeasuring } from "../src/resources/administration/measure-storage.ts";
import { findFailures, queueFacts } from "../src/resources/administration/manage-queue.ts";
import { findTotal } from "../src/resources/administration/storage-store.ts";
import { buildWorker } from "../src/worker.ts";
import { dataFolder, findOrMakeDataSet } from "./data-sets.ts";

/*
 * Measures the processor time of what administrators ask for, with 100,000 documents, seven receipts each, of which one
 * in a hundred could not be processed, and one in a hundred waits.
 */

const documents = 100_000;
const say = (text: string): void => void process.stderr.write(`${text}\n`);
const { folder } = await findOrMakeDataSet({ documents, publicEvery: 1 }, say);
const data = path.join(dataFolder, `administration-${process.pid}`);
await cp(folder, data, { recursive: true });
const read = readConfig({ QUIRE_DATA: data });
if ("problems" in read) throw new Error(read.problems.join("\n"));
const context = await openContext(read.config, pino({ level: "silent" }));
try {
  const { database } = context;
  const { sql } = await import("kysely");
  await database.write(async (writer) => {
    for (const [step, outcome, details] of [
      ["received", "done", '{"bytes":123456,"sha256":"x"}'],
      ["stored", "done", '{"key":"a","next":"read"}'],
      ["converted", "done", "{}"],
      ["read", "done", "{}"],
      ["recognised", "done", "{}"],
      ["indexed", "done", "{}"],
      ["rendered", "failed", '{"message":"The page cannot be drawn"}'],
    ]) {
      await sql`insert into document_receipts (document_id, step, outcome, at, milliseconds, details)
        select id, ${step}, ${outcome}, created_at, 1000, ${details} from documents`.execute(writer);
    }
    await sql`update documents set status = 'error' where id % 100 = 0`.execute(writer);
    await sql`insert into jobs (kind, subject, options, created_at, due_at, owner)
      select 'process document', id, '{}', created_at, '2999', user_id from documents where id % 100 = 1`.execute(
      writer,
    );
  });
  const timed = async (name: string, work: () => Promise<unknown>): Promise<void> => {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    say(`${name}: ${((user + system) / 1000).toFixed(1)} ms of processor time`);
  };
  for (let times = 0; times < 3; times++) {
    await timed("The queue", () => queueFacts(context));
    await timed("The failures", () => findFailures(database));
  }
  const worker = buildWorker(context);
  await requestMeasuring(context);
  await timed("Measuring the storage", async () => {
    worker.start();
    while ((await findTotal(database.reader)) === null) {
      const { promise, resolve } = Promise.withResolvers<void>();
      setTimeout(resolve, 50);
      await promise;
    }
    await worker.stop();
  });
} finally {
  await context.close();
  await rm(data, { recursive: true, force: true });
}
