import path from "node:path";
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readingAnywhere } from "../src/database/prepared-queries.ts";
import { addDocuments } from "../src/testing/factories.ts";
import { type Person, addPerson } from "../src/testing/people.ts";
import { type ReplicatedPostgres, askPostgres, startReplicatedPostgres } from "../src/testing/postgres.ts";
import { sendAs } from "../src/testing/requests.ts";
import { hasPostgres, runs } from "../src/testing/runs.ts";
import { storageRoot } from "../src/testing/storage-root.ts";
import { type TestApp, type TestStorage, startAppOn, testStorage } from "../src/testing/test-app.ts";
import { sql } from "kysely";

const documents = 3;

/** Two servers that share a PostgreSQL and read from its standby. The tests follow each other. */
describe.runIf(hasPostgres)("servers whose reads may go to a standby", () => {
  let postgres: ReplicatedPostgres;
  let storage: TestStorage;
  let writer: TestApp;
  let reader: TestApp;
  let owner: Person;
  let ids: number[];
  let written = 0;

  beforeAll(async () => {
    postgres = await startReplicatedPostgres(await storageRoot);
    storage = await testStorage("sqlite");
    // Both hosts are named, as they are where either may be the primary.
    const config = { ...storage.config, databaseUrl: postgres.url, databaseReadUrls: postgres.url };
    writer = await startAppOn(config);
    reader = await startAppOn(config);
    await addDocuments(writer.context, []);
    owner = await addPerson(writer.context, { username: "owner", organizations: [1] });
    const rows = Array.from({ length: documents }, () => ({ user_id: owner.id, access: "public" as const }));
    ids = await addDocuments(writer.context, rows);
  });
  afterAll(async () => {
    await reader[Symbol.asyncDispose]();
    await writer[Symbol.asyncDispose]();
    await storage[Symbol.asyncDispose]();
    await postgres.stop();
  });

  const isStandby = (host: unknown): boolean => path.dirname(postgres.standbys[0].socket) === host;
  const counts = (): Record<string, number> => ({ ...reader.context.database.standbys?.counts });
  /** A standby that was slow to answer, as on a busy machine, is left alone for some seconds. */
  const untilUsed = async (): Promise<void> => {
    await expect.poll(() => reader.context.database.standbys?.answering, { timeout: 90_000 }).toBe(1);
  };
  const replay = async (how: "pause" | "resume"): Promise<void> =>
    void (await askPostgres(postgres.standbyUrl, `select pg_wal_replay_${how}()`));
  const textOf = async (target: string, person: Person | null = null): Promise<string> => {
    const { status, body } = await sendAs(reader, person, "GET", target);
    expect({ status, target }).toEqual({ status: 200, target });
    return JSON.stringify(body);
  };

  /** Each kind of read, and the reads that the response cache and a list's plan answer. */
  const answersAbout = (id: number, word: string): Promise<string[]> =>
    Promise.all([
      textOf(`/api/documents/${id}/`),
      textOf(`/api/documents/${id}/`, owner),
      textOf("/api/documents/?ordering=id"),
      textOf("/api/documents/", owner),
      textOf(`/api/documents/?ordering=id&per_page=${ids.length + 1}&cursor=`),
      textOf(`/api/documents/search/?q=${word}`),
      textOf(`/api/documents/search/?q=id:${id}&facets=language`, owner),
    ]);

  /** Writes to a document at one server, and asks the other as soon as that is acknowledged. Counts stale answers. */
  const writeAndRead = async (id: number): Promise<number> => {
    const word = `word${++written}`;
    const { status } = await sendAs(writer, owner, "PATCH", `/api/documents/${id}/`, { title: word });
    expect(status).toBe(200);
    const answers = await answersAbout(id, word);
    // A second time: now from the cache.
    answers.push(...(await answersAbout(id, word)));
    return answers.filter((text) => !text.includes(`"${word}"`)).length;
  };

  it("answer with everything acknowledged, whether its replay is paused or goes on", async () => {
    const step = fc.constantFrom("pause", "resume", "write", "write", "write" as const);
    await untilUsed();
    const before = counts();
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 12 }), async (steps) => {
        const stale: number[] = [];
        for (const each of steps) {
          if (each === "write") stale.push(...(await Promise.all(ids.map(writeAndRead))));
          else await replay(each);
        }
        await replay("resume");
        expect(stale.filter((number) => number > 0)).toEqual([]);
      }),
      { numRuns: runs(6) },
    );
    const after = counts();
    expect(after["standby"]).toBeGreaterThan(before["standby"] ?? 0);
    expect(after["behind"]).toBeGreaterThan(before["behind"] ?? 0);
  });

  it("answer from the primary what the standby gives up because of what it has to replay", async () => {
    await untilUsed();
    const before = counts();
    await askPostgres(postgres.standbyUrl, "alter system set max_standby_streaming_delay = 0");
    await askPostgres(postgres.standbyUrl, "select pg_reload_conf()");
    const { database } = reader.context;
    const slow = Promise.resolve(
      readingAnywhere(database, async () => {
        const query = sql`select case when pg_is_in_recovery() then pg_sleep(30) end, title
          from documents where id = ${ids[0]}`;
        return (await query.execute(database.reader)).rows;
      }),
    );
    const primary = new URL(postgres.url);
    primary.search = new URL(postgres.primary.url).search;
    const running = async (): Promise<number> =>
      (await askPostgres(postgres.standbyUrl, runningSleep)).length;
    await expect.poll(running, { interval: 5, timeout: 60_000 }).toBe(1);
    await askPostgres(primary.href, `update documents set title = 'later' where id = ${ids[0]}`);
    await askPostgres(primary.href, "vacuum documents");
    expect(await slow).toMatchObject([{ title: "later" }]);
    expect(counts()["conflict"]).toBe((before["conflict"] ?? 0) + 1);
  });

  it("answer from the primary while the standby is gone, and say so once", async () => {
    // Otherwise every write would wait for it.
    await askPostgres(postgres.primary.url, "alter system set synchronous_standby_names = ''");
    await askPostgres(postgres.primary.url, "select pg_reload_conf()");
    const readAll = (): Promise<number[]> => Promise.all(ids.map(writeAndRead));
    const { standbys } = reader.context.database;
    await untilUsed();
    const lines = reader.logged.length;
    const ending = postgres.standbys[0].end("crash");
    expect(await readAll()).toEqual(ids.map(() => 0));
    await ending;
    expect(await readAll()).toEqual(ids.map(() => 0));
    expect(standbys?.answering).toBe(0);
    const { body } = await sendAs(reader, null, "GET", "/readyz");
    expect(body).toMatchObject({ status: "ok", standbys: "0 of 2 answer" });
    const said = reader.logged
      .slice(lines)
      .filter(({ msg, host }) => /standby/i.test(String(msg)) && isStandby(host));
    expect(said.map(({ msg }) => msg)).toEqual(["A standby cannot answer reads, so the primary does"]);
    await postgres.standbys[0].startAgain();
    await untilUsed();
    const before = counts();
    // At first it may be behind with each read.
    const standbyReads = async (): Promise<number> => {
      expect(await readAll()).toEqual(ids.map(() => 0));
      return counts()["standby"] ?? 0;
    };
    await expect.poll(standbyReads).toBeGreaterThan(before["standby"] ?? 0);
  });

  it("read from no standby that is the primary now", async () => {
    const readAll = (): Promise<number[]> => Promise.all(ids.map(writeAndRead));
    await readAll();
    await postgres.failOver();
    await expect.poll(async () => (await reader.fetch("/readyz")).status).toBe(200);
    await expect.poll(async () => (await writer.fetch("/readyz")).status).toBe(200);
    expect(await readAll()).toEqual(ids.map(() => 0));
    const before = counts();
    expect(await readAll()).toEqual(ids.map(() => 0));
    expect(counts()["standby"]).toBe(before["standby"]);
    // The old primary takes itself for the primary still.
    await postgres.primary.startAgain();
    expect(await readAll()).toEqual(ids.map(() => 0));
    expect(counts()["standby"]).toBe(before["standby"]);
  });
});

const runningSleep =
  "select 1 from pg_stat_activity where query like 'select case when%pg_sleep(30)%' and state = 'active'";
