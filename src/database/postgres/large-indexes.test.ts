import { type QueryExecutorProvider, sql } from "kysely";
import { Client } from "pg";
import pino from "pino";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { addDocuments } from "../../testing/factories.ts";
import { hasPostgres } from "../../testing/runs.ts";
import { type TestEngine, emptyStorage, engines, startAppOn, useApp } from "../../testing/test-app.ts";
import type { RawDatabase } from "../database.ts";
import { addLargeIndex } from "../migrations/large-index.ts";
import { openRawDatabase, schemaStateOf } from "../open-database.ts";
import { buildLargeIndexes, findInvalidIndexes } from "./large-indexes.ts";

const index = { name: "readings_by_value", table: "readings", entries: sql`(value) where value > 0` };

interface Opened extends AsyncDisposable {
  url: string;
  database: RawDatabase;
  /** Another process on the same database. */
  other: RawDatabase;
}

/** A database with a table of readings. */
async function openReadings(engine: TestEngine): Promise<Opened> {
  const storage = await emptyStorage(engine);
  const { data: dataFolder, databaseUrl } = storage.config;
  const database = await openRawDatabase({ dataFolder, databaseUrl });
  const other = await openRawDatabase({ dataFolder, databaseUrl });
  await sql`create table readings (value integer not null)`.execute(database.kysely);
  return {
    url: databaseUrl ?? "",
    database,
    other,
    async [Symbol.asyncDispose]() {
      await other[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
      await storage[Symbol.asyncDispose]();
    },
  };
}

/** The processes of PostgreSQL that wait for a transaction to end, to build an index. */
async function waitingBuilds(reader: QueryExecutorProvider): Promise<number[]> {
  const { rows } = await sql<{ pid: number }>`
    select pid from pg_stat_activity where datname = current_database()
      and query like 'create index concurrently%' and wait_event_type = 'Lock'`.execute(reader);
  return rows.map(({ pid }) => pid);
}

describe.each(engines)("an index of a large table on %s", (engine) => {
  it.each([0, 1])("with %i rows is built in the migration, except for rows on PostgreSQL", async (rows) => {
    await using opened = await openReadings(engine);
    const { kysely } = opened.database;
    if (rows > 0) await sql`insert into readings values (1)`.execute(kysely);
    await kysely.transaction().execute((migration) => addLargeIndex(migration, engine, index));
    const indexes =
      engine === "postgres"
        ? sql`select indexname as name from pg_indexes where tablename = 'readings'`
        : sql`select name from sqlite_master where type = 'index' and tbl_name = 'readings'`;
    const isBuilt = rows === 0 || engine === "sqlite";
    expect((await indexes.execute(kysely)).rows).toEqual(isBuilt ? [{ name: index.name }] : []);
  });
});

describe.runIf(hasPostgres)("the build of an index of a large table", () => {
  let opened: Opened;
  let writer: Client;
  let logged: string[];
  beforeEach(async () => {
    logged = [];
    opened = await openReadings("postgres");
    writer = new Client({ connectionString: opened.url });
    await writer.connect();
    // The build has to wait for the end of this transaction.
    await writer.query("begin; insert into readings values (1)");
    return async () => {
      await writer.end();
      await opened[Symbol.asyncDispose]();
    };
  });

  const build = ({ kysely }: RawDatabase): Promise<void> => {
    const log = pino({}, { write: (line) => void logged.push((JSON.parse(line) as { msg: string }).msg) });
    return buildLargeIndexes(kysely, [index], { log });
  };
  const validity = async (): Promise<boolean[]> => {
    const { rows } = await sql<{ indisvalid: boolean }>`
      select indisvalid from pg_index where indrelid = 'readings'::regclass`.execute(opened.other.kysely);
    return rows.map(({ indisvalid }) => indisvalid);
  };

  it("is done once by processes that start at once, while others write", async () => {
    const building = [opened.database, opened.other].map(build);
    await expect.poll(() => waitingBuilds(opened.other.kysely)).toHaveLength(1);
    await expect.poll(() => logged).toContain("Waiting for another process, which builds indexes");
    const { kysely } = opened.other;
    await kysely.transaction().execute(async (other) => {
      await sql`set local lock_timeout = '10s'`.execute(other);
      await sql`insert into readings values (2)`.execute(other);
    });
    expect(await waitingBuilds(opened.other.kysely)).toHaveLength(1);
    await writer.query("commit");
    await Promise.all(building);
    expect(await validity()).toEqual([true]);
    expect(logged.filter((message) => message.startsWith("Building"))).toHaveLength(1);
    await build(opened.other);
    expect(logged).toHaveLength(2);
  });

  it("is repeated if it was killed", async () => {
    const killed = build(opened.database).catch((error: unknown) => error);
    await expect.poll(() => waitingBuilds(opened.other.kysely)).toHaveLength(1);
    const invalid = (isBeingBuilt: boolean) => [{ name: index.name, isBeingBuilt, isOurs: true }];
    expect(await findInvalidIndexes(opened.other.kysely, [index])).toEqual(invalid(true));
    await writer.query("select pg_terminate_backend($1)", await waitingBuilds(opened.other.kysely));
    expect(await killed).toMatchObject({ name: "DatabaseUnavailableError", mayComeBack: true });
    expect(await validity()).toEqual([false]);
    expect(await findInvalidIndexes(opened.other.kysely, [index])).toEqual(invalid(false));
    await writer.query("commit");
    await build(opened.database);
    expect(await validity()).toEqual([true]);
    expect(await findInvalidIndexes(opened.other.kysely, [index])).toEqual([]);
  });
});

describe.runIf(hasPostgres)("a server on a database of a version without an index of a large table", () => {
  const app = useApp("postgres");
  const owner = app.person("owner", { organizations: [1] });
  const isBuilt = async (): Promise<boolean | undefined> => {
    const { rows } = await sql<{ indisvalid: boolean }>`
      select indisvalid from pg_index where indexrelid = to_regclass('documents_ranked')`.execute(
      app.context.database.reader,
    );
    return rows[0]?.indisvalid;
  };

  it("has it built while the server of that version answers, and again if the build was killed", async () => {
    const { database, config } = app.context;
    await addDocuments(app.context, [{ title: "Harbour" }]);
    await database.write(async (executor) => {
      await sql`drop index documents_ranked`.execute(executor);
      await sql`delete from kysely_migration where name = '0480-add-ranked-documents'`.execute(executor);
    });
    // The build has to wait for the end of this transaction.
    const writer = new Client({ connectionString: config.databaseUrl ?? "" });
    onTestFinished(() => writer.end());
    await writer.connect();
    await writer.query("begin; lock table documents in row exclusive mode");
    const killed = startAppOn(config).catch((error: unknown) => error);
    await expect.poll(() => waitingBuilds(database.reader)).toHaveLength(1);
    const created = await app.send(owner, "POST", "/api/documents/", { title: "Harbour wall" });
    expect(created.status).toBe(201);
    expect(await (await app.fetch("/api/documents/search/?q=harbour")).json()).toMatchObject({ count: 1 });
    await sql`select pg_terminate_backend(${(await waitingBuilds(database.reader))[0]})`.execute(
      database.reader,
    );
    expect(await killed).toMatchObject({ name: "DatabaseUnavailableError" });
    expect(await isBuilt()).toBe(false);
    const { data: dataFolder, databaseUrl } = config;
    expect((await schemaStateOf({ dataFolder, databaseUrl })).invalidIndexes).toMatchObject([
      { name: "documents_ranked", isOurs: true },
    ]);
    await writer.query("commit");
    await using next = await startAppOn(config);
    expect(await isBuilt()).toBe(true);
    expect(await (await next.fetch("/api/documents/search/?q=harbour")).json()).toMatchObject({ count: 1 });
  });
});
