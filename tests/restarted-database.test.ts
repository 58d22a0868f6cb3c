import { setTimeout as wait } from "node:timers/promises";
import { sql } from "kysely";
import pino from "pino";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Context, openContext } from "../src/context.ts";
import { enqueue, hasJobs } from "../src/jobs/queue.ts";
import { indexJob } from "../src/resources/documents/indexed-fields.ts";
import { addDocuments } from "../src/testing/factories.ts";
import { type Person, addPerson } from "../src/testing/people.ts";
import {
  type OwnPostgres,
  askPostgres,
  createThrowawayDatabase,
  startOwnPostgres,
  startReplicatedPostgres,
} from "../src/testing/postgres.ts";
import { storageRoot } from "../src/testing/storage-root.ts";
import { sendAs } from "../src/testing/requests.ts";
import { type ServedApp, serveOn } from "../src/testing/served.ts";
import { testStorage } from "../src/testing/test-app.ts";

/** `RESTARTS=50 npx vitest run tests/restarted-database.test.ts` runs longer. */
const restarts = Number(process.env["RESTARTS"] ?? 4);
const writers = 8;

describe("a server whose PostgreSQL restarts or crashes while it writes", () => {
  let postgres: OwnPostgres;

  beforeAll(async () => {
    postgres = await startOwnPostgres(await storageRoot);
  });

  afterAll(() => postgres.stop());

  it(
    "goes on by itself: it answers 503 meanwhile, loses nothing that it acknowledged, and does its jobs",
    async () => {
      const { url: databaseUrl } = await createThrowawayDatabase(postgres.url);
      await using storage = await testStorage("sqlite");
      const config = { ...storage.config, databaseUrl };
      const context = await openContext(config, pino({ level: "silent" }));
      const [owner, ids] = await peopleAndDocuments(context);
      await using server = await serveOn(config);
      const ground: Ground = { server, owner, acknowledged: 0, refused: 0, unexpected: [], isOver: false };
      const work = ids.map((id) => writeAndRead(ground, id));
      for (let restart = 0; restart < restarts; restart++) {
        await until(ground, ground.acknowledged + 10 + ((restart * 13 + 7) % 20));
        await postgres.end(restart % 2 === 0 ? "fast" : "crash");
        const { refused } = ground;
        await expect.poll(() => ground.refused).toBeGreaterThan(refused);
        expect((await server.fetch("/livez")).status).toBe(200);
        await postgres.startAgain();
        await expect.poll(async () => (await server.fetch("/readyz")).status).toBe(200);
        await context.database.write((writer) =>
          enqueue(writer, { kind: indexJob, subject: ids[restart % ids.length] ?? 0 }),
        );
      }
      await until(ground, ground.acknowledged + 10);
      await expectWritten(ground, work, ids);
      await expect.poll(() => hasJobs(context.database.reader, { kinds: [indexJob] })).toBe(false);
      await context.close();
      if (restarts > 4) console.log(`${restarts} restarts`, ground.acknowledged, ground.refused);
    },
    300_000 + restarts * 15_000,
  );
});

describe("a server whose address of PostgreSQL names a primary and a standby", () => {
  it("goes on at the standby once that is the primary, and loses nothing that it acknowledged", async () => {
    const postgres = await startReplicatedPostgres(await storageRoot);
    await using storage = await testStorage("sqlite");
    const config = { ...storage.config, databaseUrl: postgres.url };
    const context = await openContext(config, pino({ level: "silent" }));
    const [owner, ids] = await peopleAndDocuments(context);
    await using server = await serveOn(config);
    const ground: Ground = { server, owner, acknowledged: 0, refused: 0, unexpected: [], isOver: false };
    const work = ids.map((id) => writeAndRead(ground, id));
    await until(ground, 20);
    await postgres.failOver();
    await until(ground, ground.acknowledged + 20);
    // The old primary takes itself for the primary still.
    await postgres.primary.startAgain();
    const old = await askPostgres(postgres.primary.url, "select pg_is_in_recovery() as is_standby");
    expect(old).toEqual([{ is_standby: false }]);
    const afterwards = await openContext(config, pino({ level: "silent" }));
    await until(ground, ground.acknowledged + 20);
    await expectWritten(ground, work, ids);
    const there = await askPostgres(postgres.standbyUrl, dataQuery);
    for (const { database } of [afterwards, context]) {
      expect((await sql.raw(dataQuery).execute(database.reader)).rows).toEqual(there);
    }
    await Promise.all([context.close(), afterwards.close()]);
    await postgres.stop();
  });
});

interface Ground {
  server: ServedApp;
  owner: Person;
  acknowledged: number;
  refused: number;
  /** Answers that no client should get. */
  unexpected: string[];
  isOver: boolean;
}

async function until(ground: Ground, acknowledged: number): Promise<void> {
  await expect.poll(() => ground.acknowledged >= acknowledged || ground.unexpected.length > 0).toBe(true);
}

async function peopleAndDocuments(context: Context): Promise<[Person, number[]]> {
  const { database } = context;
  await addDocuments(context, []);
  // The server will create the organization of its first administrator.
  await database.write(async (writer) => database.dialect.afterOwnIds("organizations")?.execute(writer));
  const owner = await addPerson(context, { username: "owner", organizations: [1] });
  const rows = Array.from({ length: writers }, () => ({ user_id: owner.id }));
  return [owner, await addDocuments(context, rows)];
}

const dataQuery = "select id::int, data from documents order by id";

/** Ends the work, and compares what was acknowledged with what is there. */
async function expectWritten(ground: Ground, work: Promise<Written>[], ids: number[]): Promise<void> {
  ground.isOver = true;
  const counts = await Promise.all(work);
  expect(ground.unexpected).toEqual([]);
  for (const [index, { acknowledged, doubtful }] of counts.entries()) {
    const { body } = await sendAs(ground.server, ground.owner, "GET", `/api/documents/${ids[index]}/`);
    const there = body.data.log as string[];
    expect(there).toEqual(expect.arrayContaining(acknowledged));
    expect([...acknowledged, ...doubtful]).toEqual(expect.arrayContaining(there));
  }
}

interface Written {
  acknowledged: string[];
  /** Values answered with 503: they may have been stored. */
  doubtful: string[];
}

/** Writes one value after another to a document's data, and reads the list in between. */
async function writeAndRead(ground: Ground, id: number): Promise<Written> {
  const written: Written = { acknowledged: [], doubtful: [] };
  for (let value = 0; !ground.isOver && ground.unexpected.length === 0; value++) {
    const asked = { values: [String(value)] };
    const status = await statusOf(ground, "PATCH", `/api/documents/${id}/data/log/`, asked);
    (status === 200 ? written.acknowledged : written.doubtful).push(String(value));
    if (status === 200) ground.acknowledged++;
    else ground.refused++;
    if (value % 3 === 0) await statusOf(ground, "GET", "/api/documents/");
    if (status !== 200) await wait(20);
  }
  return written;
}

async function statusOf(
  { server, owner, unexpected }: Ground,
  method: string,
  target: string,
  value?: unknown,
): Promise<number> {
  try {
    const { status, body, headers } = await sendAs(server, owner, method, target, value);
    const isRefused = status === 503 && Number(headers.get("retry-after")) > 0;
    if (status !== 200 && !isRefused) unexpected.push(`${method}: ${status} ${JSON.stringify(body)}`);
    return status;
  } catch (error) {
    unexpected.push(`${method}: ${String(error)} ${server.written().slice(-2000)}`);
    return 0;
  }
}
