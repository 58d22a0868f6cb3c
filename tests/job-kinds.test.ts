import { readFile } from "node:fs/promises";
import path from "node:path";
import { sql } from "kysely";
import pino from "pino";
import { describe, expect, it } from "vitest";
import { doctor } from "../src/commands/doctor.ts";
import { adminTexts } from "../src/desk/model/admin-texts.ts";
import type { Database } from "../src/database/database.ts";
import { openDatabase, openRawDatabase } from "../src/database/open-database.ts";
import { migrate, migrationNames } from "../src/database/migrate.ts";
import { jobKinds } from "../src/jobs/kinds.ts";
import { enqueue, hasDueJobs, hasJobs, logUnknownKinds } from "../src/jobs/queue.ts";
import { Publisher } from "../src/resources/documents/record/publisher.ts";
import { indexTexts } from "../src/search/text-index.ts";
import { Branding } from "../src/resources/branding/branding.ts";
import { scheduleOf } from "../src/serving/schedule.ts";
import { runCommandLine } from "../src/testing/command-runs.ts";
import { addDocuments } from "../src/testing/factories.ts";
import { addPerson, beginSession } from "../src/testing/people.ts";
import { sendAs } from "../src/testing/requests.ts";
import { serveOn } from "../src/testing/served.ts";
import {
  type TestStorage,
  emptyStorage,
  engines,
  everyRoute,
  startTestApp,
  testStorage,
} from "../src/testing/test-app.ts";
import { buildWorker } from "../src/worker.ts";

/**
 * Every kind of job that any version since the baseline has queued, the present ones included. No kind is ever taken
 * from this list.
 */
const kindsOfAllVersions = [
  "count words",
  "deliver to webhook",
  "discard document without file",
  "embed documents",
  "empty the trash",
  "examine",
  "extend legal holds",
  "propose dispositions",
  "dispose of documents",
  "fetch document",
  "fetch mails",
  "fetch replacement of file",
  "find mentions",
  "index documents",
  "match saved searches",
  "measure storage",
  "modify document",
  "process document",
  "process import again",
  "purge index",
  "make fingerprints",
  "make production",
  "recognise languages",
  "redact document",
  "remove files of what is gone",
  "replace file of document",
  "run add-on",
  "send mail",
  "store records",
];

const settingsOf = ({ config }: TestStorage) => ({
  dataFolder: config.data,
  databaseUrl: config.databaseUrl,
});

const kindsIn = async ({ reader }: Database): Promise<string[]> => {
  const jobs = await reader.selectFrom("jobs").select("kind").where("cancelled_at", "is", null).execute();
  return jobs.map(({ kind }) => kind).toSorted();
};

describe.each(engines)("a job of a kind that an earlier version queued, on %s", (engine) => {
  it("is run by this version, or is gone after the upgrade", async () => {
    expect(kindsOfAllVersions).toEqual(expect.arrayContaining([...jobKinds]));
    await using storage = await emptyStorage(engine);
    {
      await using raw = await openRawDatabase(settingsOf(storage));
      await migrate(raw.kysely, raw.dialect, migrationNames.slice(0, 1));
      for (const kind of kindsOfAllVersions)
        await sql`insert into jobs (kind, subject, options, created_at, due_at)
          values (${kind}, 0, '{}', '2026-11-21T20:19:44Z', '2026-11-21T20:19:44Z')`.execute(raw.kysely);
    }
    const database = await openDatabase(settingsOf(storage));
    const left = await kindsIn(database);
    await database.close();
    expect(left.filter((kind) => !(jobKinds as readonly string[]).includes(kind))).toEqual([]);
    expect(left).toEqual(expect.arrayContaining(["purge index", "index documents"]));
  });
});

describe("the page of the queue", () => {
  it("has words for every kind of job", () => {
    expect(Object.keys(adminTexts.queue.kinds).toSorted()).toEqual([...jobKinds]);
  });

  it("has words for everything that a server does by itself", async () => {
    // With these settings, it does everything that it may.
    await using app = await startTestApp("sqlite", { ...everyRoute, QUIRE_PERSON_STORAGE_MB: "1" });
    const publisher = new Publisher(app.context.database, { isReadOnly: false });
    const runs = scheduleOf(app.context, publisher, new Branding(app.context.database)).report();
    expect(Object.keys(adminTexts.queue.schedule.names)).toEqual(runs.map(({ name }) => name));
  });
});

describe("the job that used to rewrite the index after a redaction", () => {
  it("removes the redacted words from SQLite's files", async () => {
    await using app = await startTestApp("sqlite");
    const { database, config } = app.context;
    const isInFiles = async (word: string): Promise<boolean> => {
      const files = ["quire.sqlite", "quire.sqlite-wal"].map((name) =>
        readFile(path.join(config.data, name)),
      );
      return (await Promise.all(files)).some((bytes) => bytes.includes(word));
    };
    const [documentId = 0] = await addDocuments(app.context, [{}]);
    const write = (text: string) =>
      database.write((writer) => indexTexts(writer, [{ documentId, part: 1, text }]));
    await write("konstantinopolskaya");
    await write("nobody");
    expect(await isInFiles("konstantinopolskaya")).toBe(true);
    await database.write((writer) => enqueue(writer, { kind: "purge index", subject: 0 }));
    const worker = buildWorker(app.context);
    worker.start();
    await worker.drain();
    await worker.stop();
    expect(await isInFiles("konstantinopolskaya")).toBe(false);
    expect(await hasJobs(database.reader, { kinds: ["purge index"] })).toBe(false);
  });
});

const enqueueUnknown = (database: Database): Promise<void> =>
  database.write((writer) => enqueue(writer, { kind: "polish silver", subject: 4 }));

describe.each(engines)("a job of a kind that this version does not run, on %s", (engine) => {
  it("is named by the queue of administrators, who can cancel it", async () => {
    await using app = await startTestApp(engine);
    await addDocuments(app.context, []);
    const boss = await addPerson(app.context, { username: "boss", isAdministrator: true });
    const headers = await beginSession(app.context, boss);
    await enqueueUnknown(app.context.database);
    const ask = (method: string, target: string) =>
      sendAs(app, null, method, `/api/admin/${target}`, undefined, { ...headers });
    const [job] = (await ask("GET", "jobs/")).body.results;
    expect(job).toMatchObject({ kind: "polish silver", is_known: false, is_cancellable: true });
    expect((await ask("DELETE", `jobs/${job.id}/`)).status).toBe(204);
    expect(await hasJobs(app.context.database.reader)).toBe(false);
  });

  it("is named by the doctor, which leaves it to a version that runs it", async () => {
    await using storage = await testStorage(engine);
    const database = await openDatabase(settingsOf(storage));
    await enqueueUnknown(database);
    const { data, databaseUrl } = storage.config;
    const environment = {
      QUIRE_DATA: data,
      ...(databaseUrl !== null && { QUIRE_DATABASE_URL: databaseUrl }),
    };
    const { code, stdout } = await runCommandLine([doctor], "doctor --repair", environment);
    expect([code, stdout]).toEqual([
      1,
      expect.stringContaining("there is a job (polish silver) that this version of Quire does not run"),
    ]);
    expect(await kindsIn(database)).toEqual(["polish silver"]);
    await database.close();
  });

  it("wakes no worker", async () => {
    await using storage = await testStorage(engine);
    const database = await openDatabase(settingsOf(storage));
    await enqueueUnknown(database);
    expect(await hasDueJobs(database.reader)).toBe(false);
    await database.write((writer) => enqueue(writer, { kind: "count words", subject: 0 }));
    expect(await hasDueJobs(database.reader)).toBe(true);
    await database.close();
  });

  it("is named once in the log of a server that starts", async () => {
    await using storage = await testStorage(engine);
    const database = await openDatabase(settingsOf(storage));
    const logged: object[] = [];
    const log = pino(
      { base: null },
      { write: (line: string) => void logged.push(JSON.parse(line) as object) },
    );
    await logUnknownKinds(database.reader, log);
    expect(logged).toEqual([]);
    await enqueueUnknown(database);
    await database.close();
    await using server = await serveOn(storage.config, { QUIRE_PROCESSING_WORKERS: "0" });
    await server.stop();
    expect(
      server.written().match(/"kinds":\{"polish silver":1\},"msg":"Jobs wait that this version/g),
    ).toHaveLength(1);
  });
});
