import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { askPostgres } from "../../testing/postgres.ts";
import { hasPostgres } from "../../testing/runs.ts";
import { type TestStorage, emptyStorage } from "../../testing/test-app.ts";
import { PostgresHints } from "./hints.ts";
import { PostgresPermits } from "./permits.ts";
import { PostgresPool } from "./pool.ts";

const limits = { connectSeconds: 60, statementSeconds: 60, maxConnections: 3, waitSeconds: 60 };
const silent = { info: () => undefined, error: () => undefined };
const patience = { timeout: 60_000 };

let storage: TestStorage;
let url: string;

/** What another process on the same database has. */
async function startProcess(applicationName: string) {
  const pool = new PostgresPool(pg, url, { ...limits, applicationName }, silent);
  const hints = new PostgresHints(pool, pool, 50);
  const permits = new PostgresPermits(hints);
  hints.start();
  await expect.poll(() => hints.areHeard, patience).toBe(true);
  return {
    hints,
    permits,
    async [Symbol.asyncDispose]() {
      await hints.close();
      await pool.end();
    },
  };
}

describe.runIf(hasPostgres)("permits that processes share on PostgreSQL", () => {
  beforeAll(async () => {
    storage = await emptyStorage("postgres");
    url = storage.config.databaseUrl ?? "";
  });
  afterAll(() => storage?.[Symbol.asyncDispose]());

  it("are counted together, by name, and given again once they are released", async () => {
    await using one = await startProcess("one");
    await using two = await startProcess("two");
    const all = [one, one, two, two, two].map(({ permits }) => permits.take("a", 3));
    const taken = await Promise.all(all);
    expect(taken.filter((release) => release !== null)).toHaveLength(3);
    expect(await one.permits.take("b", 1)).not.toBeNull();
    const first = taken.find((release) => release !== null);
    first?.();
    first?.();
    await expect.poll(() => two.permits.take("a", 3), patience).not.toBeNull();
    expect(await one.permits.take("a", 3)).toBeNull();
  });

  it("end with a process", async () => {
    await using two = await startProcess("two");
    {
      await using one = await startProcess("one");
      expect(await one.permits.take("c", 1)).not.toBeNull();
      expect(await two.permits.take("c", 1)).toBeNull();
    }
    await expect.poll(() => two.permits.take("c", 1), patience).not.toBeNull();
  });

  it("are counted again after the connection has broken", async () => {
    await using one = await startProcess("one");
    await using two = await startProcess("two");
    const release = await one.permits.take("d", 2);
    const before = one.hints.session;
    await askPostgres(
      url,
      `select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and application_name = 'one'`,
    );
    await expect.poll(() => one.hints.session, patience).not.toBe(before);
    await expect.poll(() => one.hints.areHeard, patience).toBe(true);
    // It waits for its turn behind those that are counted again.
    expect(await one.permits.take("e", 1)).not.toBeNull();
    expect(await two.permits.take("d", 1)).toBeNull();
    release?.();
    await expect.poll(() => two.permits.take("d", 1), patience).not.toBeNull();
  });

  it("are given without being counted while PostgreSQL cannot be asked", async () => {
    const permits = new PostgresPermits({ session: null, onSession: () => undefined });
    for (let time = 0; time < 2; time++) expect(await permits.take("f", 1)).not.toBeNull();
  });
});
