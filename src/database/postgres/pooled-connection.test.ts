import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Pooler, startPgBouncer } from "../../testing/pgbouncer.ts";
import {
  type PostgresServer,
  type ThrowawayDatabase,
  askPostgres,
  createThrowawayDatabase,
  startPostgres,
  startReplicatedPostgres,
} from "../../testing/postgres.ts";
import { hasPostgres } from "../../testing/runs.ts";
import { storageRoot } from "../../testing/storage-root.ts";
import { DatabaseUnavailableError } from "../database-unavailable.ts";
import { openDatabase } from "../open-database.ts";
import { TooSlowError } from "../read-worker.ts";
import { primariesAlone } from "./admission.ts";
import { PostgresPool } from "./pool.ts";

const limits = {
  connectSeconds: 60,
  statementSeconds: 60,
  maxConnections: 10,
  waitSeconds: 60,
  applicationName: "quire (pooled)",
  isPooled: true,
};
const silent = { info: () => undefined, error: () => undefined };

/** A pool that ends with its block. */
class UsedPool extends PostgresPool implements AsyncDisposable {
  [Symbol.asyncDispose](): Promise<void> {
    return this.end();
  }
}

const open = (url: string, more: Partial<typeof limits> = {}, admission = primariesAlone): UsedPool =>
  new UsedPool(pg, url, { ...limits, ...more }, silent, admission);

const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => null,
    (error: unknown) => error,
  );

let postgres: PostgresServer;
let database: ThrowawayDatabase;
beforeAll(async () => {
  if (!hasPostgres) return;
  postgres = await startPostgres(await storageRoot);
  database = await createThrowawayDatabase(postgres.url);
  await askPostgres(database.url, "create table numbers (number integer primary key)");
});
afterAll(async () => {
  await database?.drop();
  await postgres?.stop();
});

describe.runIf(hasPostgres)("a connection to a pooler in transaction mode", () => {
  it("has the time limit in each query and transaction, and leaves no setting behind", async () => {
    await using pool = open(database.url, { statementSeconds: 1 });
    const text = "select current_setting('statement_timeout') as alone";
    expect(await pool.query({ text })).toEqual([{ alone: "1s" }]);
    expect(await failureOf(pool.query({ text: "select pg_sleep(10)" }))).toBeInstanceOf(TooSlowError);
    expect(await pool.queryWithin(7, { text })).toEqual([{ alone: "7s" }]);
    const connection = await pool.connect();
    try {
      for (const start of ["begin", "start transaction isolation level repeatable read read only"]) {
        await connection.query(start);
        const { rows } = await connection.query(
          "select current_setting('statement_timeout') as limit, current_setting('transaction_read_only') as readonly",
        );
        expect(rows).toEqual([{ limit: "1s", readonly: start === "begin" ? "off" : "on" }]);
        await connection.query("rollback");
      }
      const left = "select current_setting('statement_timeout') as limit";
      expect((await connection.start(`(${left}), (pg_is_in_recovery()) as "isStandby"`))["limit"]).toBe("0");
    } finally {
      connection.release();
    }
  });

  it("writes by single statements and COPY, and goes on after an error", async () => {
    await using pool = open(database.url);
    const connection = await pool.connect();
    try {
      await connection.query("insert into numbers values ($1)", [1]);
      expect(await failureOf(connection.query("insert into numbers values (1)"))).toMatchObject({
        code: "23505",
      });
      await connection.query("copy numbers from stdin", [Buffer.from("2\n3\n")]);
      expect(
        await failureOf(connection.query("copy numbers from stdin", [Buffer.from("4\nx\n")])),
      ).toMatchObject({ code: "22P02" });
      const { rows } = await connection.query(
        "select array_agg(number order by number) as found from numbers",
      );
      expect(rows).toEqual([{ found: [1, 2, 3] }]);
    } finally {
      connection.release();
    }
  });

  it("is lost once its host is a standby, even for reads", async () => {
    const replicated = await startReplicatedPostgres(await storageRoot);
    try {
      const anyServer = { facts: "1 as one", asking: () => () => null };
      await using pool = open(replicated.standbyUrl, {}, anyServer);
      const read = (): Promise<unknown> => pool.query({ text: "select 1 as one" });
      expect(await failureOf(read())).toBeInstanceOf(DatabaseUnavailableError);
      await replicated.failOver();
      expect(await read()).toEqual([{ one: 1 }]);
    } finally {
      await replicated.stop();
    }
  });

  it("is refused where the address is given as that of PostgreSQL itself", async () => {
    // The mark that a connection leaves on the server, which the next transaction finds.
    const marked = `${database.url}&options=${encodeURIComponent("-c quire.connection=own")}`;
    await using pool = open(marked, { isPooled: false });
    expect(await failureOf(pool.query({ text: "select 1" }))).toMatchObject({
      mayComeBack: false,
      cause: { message: expect.stringContaining("QUIRE_DATABASE_DIRECT_URL") as string },
    });
  });
});

const program = process.env["TEST_PGBOUNCER"] ?? "";

/** What the query with a number finds. */
const productOf = (number: number): number =>
  number * (number % 2 === 0 ? 1 : -1) * ((Math.floor(number / 2) % 7) + 1);

/** None without a PgBouncer: npm run test:pgbouncer has one. */
const poolers: [which: string, settings: Record<string, string>][] =
  hasPostgres && program !== ""
    ? [
        ["that keeps prepared statements", {}],
        ["without prepared statements", { max_prepared_statements: "0" }],
      ]
    : [];

describe.each(poolers)("PgBouncer %s", (_which, settings) => {
  let pooler: Pooler;
  beforeAll(async () => {
    pooler = await startPgBouncer(postgres.url, {
      program,
      settings: { ...settings, default_pool_size: "3" },
    });
  });
  afterAll(() => pooler.stop());

  it("gives each of many queries with names its own result", async () => {
    const url = pooler.urlOf(database.url);
    await using one = open(url);
    await using two = open(url);
    // The two processes give the same names to other statements.
    const ask = async (number: number): Promise<unknown> => {
      const [pool, sign] = number % 2 === 0 ? [one, 1] : [two, -1];
      const kind = Math.floor(number / 2) % 7;
      const text = `select $1::integer * ${sign * (kind + 1)} as found`;
      return pool.query({ name: `list${kind}`, text, values: [number] }).catch(String);
    };
    const numbers = Array.from({ length: 100 }, (_, number) => number);
    const found = await Promise.all(numbers.map(ask));
    expect(found).toEqual(numbers.map((number) => [{ found: productOf(number) }]));
  });

  it("never leads back to a former primary that has missed a failover", async () => {
    const replicated = await startReplicatedPostgres(await storageRoot);
    const { primary, standbys, url } = replicated;
    const started = [];
    for (const server of [primary, standbys[0]])
      started.push(await startPgBouncer(server.url, { program, settings }));
    const urls = started.map((one) => new URL(one.urlOf(url)));
    const hosts = urls.map(({ searchParams }) => searchParams.get("host")).join(",");
    try {
      await using pool = open(String(urls[0]).replace(/host=.*/, `host=${hosts}`));
      const text = "select to_regclass('made_by_new_primary') is not null as is_new";
      const readAll = () =>
        Promise.all(
          Array.from({ length: 8 }, () => pool.query<{ is_new: boolean }>({ text }).catch(() => [])),
        );
      expect((await readAll()).flat()).toEqual(Array.from({ length: 8 }, () => ({ is_new: false })));
      const next = await replicated.failOver();
      await askPostgres(replicated.urlAt(next), "create table made_by_new_primary ()");
      await primary.startAgain();
      const found = (await readAll()).flat();
      expect(found.filter(({ is_new }) => !is_new)).toEqual([]);
      await expect.poll(async () => (await readAll()).flat().length).toBe(8);
      expect((await readAll()).flat().every(({ is_new }) => is_new)).toBe(true);
    } finally {
      for (const one of started) await one.stop();
      await replicated.stop();
    }
  });

  it("is refused without a direct address", async () => {
    const own = await createThrowawayDatabase(postgres.url);
    const settings_ = { dataFolder: "/", databaseUrl: pooler.urlOf(own.url) };
    const opening = async (): Promise<void> => {
      const opened = await openDatabase(settings_);
      try {
        await opened.version();
      } finally {
        await opened.close();
      }
    };
    expect(await failureOf(opening())).toMatchObject({ mayComeBack: false });
    await own.drop();
  });

  it("lets processes hear each other, and see each other when they migrate", async () => {
    const own = await createThrowawayDatabase(postgres.url);
    const settings_ = {
      dataFolder: "/",
      databaseUrl: pooler.urlOf(own.url),
      databaseDirectUrl: own.url,
    };
    const one = await openDatabase(settings_);
    const two = await openDatabase(settings_);
    try {
      await expect.poll(() => one.hints?.areHeard).toBe(true);
      const heard = Promise.withResolvers<void>();
      one.hints?.onHint("jobs", heard.resolve);
      two.hints?.send("jobs");
      await heard.promise;
      await askPostgres(
        own.url,
        "delete from kysely_migration where name not like '%-add-%' and name > '0300'",
      );
      expect(await failureOf(openDatabase(settings_))).toMatchObject({
        message: expect.stringContaining("earlier version are connected") as string,
      });
    } finally {
      await one.close();
      await two.close();
      await own.drop();
    }
  });
});
