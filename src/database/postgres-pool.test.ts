import { setTimeout as wait } from "node:timers/promises";
import * as fc from "fast-check";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type PostgresServer, createThrowawayDatabase, startPostgres } from "../testing/postgres.ts";
import { DatabaseUnavailableError } from "./database-unavailable.ts";
import { PostgresPool } from "./postgres-pool.ts";
import { TooSlowError } from "./read-worker.ts";
import { storageRoot } from "../testing/storage-root.ts";

const limits = { connectSeconds: 5, statementSeconds: 30, maxConnections: 20 };
const silent = { info: () => undefined, error: () => undefined };

describe("single queries", () => {
  let postgres: PostgresServer;
  let pool: PostgresPool;
  beforeAll(async () => {
    postgres = await startPostgres(await storageRoot);
  });
  afterAll(() => postgres.stop());
  beforeEach(async () => {
    const database = await createThrowawayDatabase(postgres.url);
    pool = new PostgresPool(pg, database.url, limits, silent);
    return async () => {
      await pool.end();
      await database.drop();
    };
  });

  const ask = async (number: number): Promise<unknown> => {
    const text = "select repeat($1, 20000) || $1 as found, $1::int as number";
    const [row] = await pool.query({ name: "repeat", text, values: [String(number)] });
    return row;
  };
  const outcomeOf = async (number: number): Promise<unknown> => {
    if (number >= 0) return ask(number);
    return pool.query({ text: "select 1 / $1::int", values: [0] }).catch((error: Error) => error.message);
  };
  const countConnections = async (): Promise<number> => {
    const text =
      "select count(*) from pg_stat_activity where datname = current_database() and state is not null";
    const [row] = await pool.query<{ count: number }>({ text });
    return row?.count ?? 0;
  };

  it("share a few connections, and each gets its own result or error", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: -5, max: 9 }), { maxLength: 40 }), async (numbers) => {
        expect(await Promise.all(numbers.map(outcomeOf))).toEqual(
          numbers.map((number) =>
            number < 0 ? "division by zero" : { found: String(number).repeat(20_001), number },
          ),
        );
      }),
      { numRuns: 30 },
    );
    // Up to forty at a time, eight on a connection: five. After a pause of the machine, queries look slow.
    expect(await countConnections()).toBeLessThan(15);
  });

  it("do not wait for one that has been running for a while", async () => {
    const other = await pool.connect();
    await other.query("select pg_advisory_lock(1)");
    const blocked = pool.query({ text: "select pg_advisory_lock(1)" });
    await wait(50);
    expect(await Promise.all([1, 2, 3].map((number) => ask(number)))).toHaveLength(3);
    await other.query("select pg_advisory_unlock(1)");
    expect(await blocked).toHaveLength(1);
    other.release();
  });

  it("leave connections for transactions, and all end, however many there are", async () => {
    const end = new AbortController();
    const askOnAndOn = async (number: number): Promise<number> => {
      let count = 0;
      for (; !end.signal.aborted; count++) await ask(number);
      return count;
    };
    const asking = Array.from({ length: 400 }, (_, number) => askOnAndOn(number));
    for (let time = 0; time < 20; time++) {
      const connection = await pool.connect();
      await connection.query("select 1");
      connection.release();
    }
    end.abort();
    for (const count of await Promise.all(asking)) expect(count).toBeGreaterThan(0);
  });

  it("end at the time limit for a statement, which the next ones on the connection do not notice", async () => {
    const limited = new PostgresPool(pg, postgres.url, { ...limits, statementSeconds: 1 }, silent);
    const results = await Promise.allSettled(
      ["select pg_sleep(60)", "select 1 as one", "select 2 as two"].map((text) => limited.query({ text })),
    );
    await limited.end();
    expect(results).toEqual([
      { status: "rejected", reason: expect.any(TooSlowError) },
      { status: "fulfilled", value: [{ one: 1 }] },
      { status: "fulfilled", value: [{ two: 2 }] },
    ]);
  });

  it("all fail if their connection breaks, and the next ones get another", async () => {
    const end = "select pg_terminate_backend(pg_backend_pid())";
    const results = await Promise.allSettled([ask(1), pool.query({ text: end }), ask(2), ask(3)]);
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "rejected", "rejected"]);
    for (const result of results.slice(1)) {
      expect(result).toMatchObject({ reason: expect.any(DatabaseUnavailableError) });
    }
    expect(await ask(4)).toMatchObject({ number: 4 });
  });
});
