import { Client } from "pg";
import { beforeEach, describe, expect, it } from "vitest";
import { addDocuments } from "../src/testing/factories.ts";
import { sendAs } from "../src/testing/requests.ts";
import { hasPostgres } from "../src/testing/runs.ts";
import { type TestApp, startTestApp } from "../src/testing/test-app.ts";

describe.runIf(hasPostgres)("a PostgreSQL of which a table is locked", () => {
  let app: TestApp;
  let locker: Client;
  beforeEach(async () => {
    app = await startTestApp("postgres", {
      QUIRE_DATABASE_CONNECT_LIMIT_SECONDS: "4",
      QUIRE_DATABASE_STATEMENT_LIMIT_SECONDS: "600",
    });
    await addDocuments(app.context, [{}, {}, {}]);
    locker = new Client({ connectionString: app.context.config.databaseUrl ?? "" });
    await locker.connect();
    await locker.query("begin; lock table projects in access exclusive mode");
    return async () => {
      await locker.end();
      await app[Symbol.asyncDispose]();
    };
  });

  const status = async (target: string): Promise<number> => (await sendAs(app, null, "GET", target)).status;

  it("answers at once what does not need the table, and the others when the lock is released", async () => {
    const locked = Array.from({ length: 3 }, () => status("/api/projects/"));
    const readers = Array.from({ length: 8 }, (_, number) =>
      status(`/api/documents/?ordering=title&per_page=${number + 1}`),
    );
    expect(new Set(await Promise.all([...readers, status("/readyz")]))).toEqual(new Set([200]));
    await locker.query("commit");
    expect(await Promise.all(locked)).toEqual([200, 200, 200]);
  });

  it("answers 503 to requests that find no connection free within the limit, and is ready all the same", async () => {
    const locked = Array.from({ length: 14 }, (_, number) => status(`/api/projects/?per_page=${number + 1}`));
    const all = Promise.all(locked);
    const late = await Promise.race(locked);
    expect(late).toBe(503);
    expect(await status("/readyz")).toBe(200);
    await locker.query("commit");
    const statuses = await all;
    expect(statuses.filter((code) => code === 200).length).toBeGreaterThan(0);
    expect(new Set(statuses)).toEqual(new Set([200, 503]));
    expect(await status("/api/projects/")).toBe(200);
  });
});
