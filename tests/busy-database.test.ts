import { Client } from "pg";
import { beforeEach, describe, expect, it } from "vitest";
import { addDocuments } from "../src/testing/factories.ts";
import { addPerson } from "../src/testing/people.ts";
import { sendAs } from "../src/testing/requests.ts";
import { hasPostgres } from "../src/testing/runs.ts";
import { type TestApp, startTestApp } from "../src/testing/test-app.ts";

describe.runIf(hasPostgres)("a PostgreSQL on which writes hang", () => {
  /** What is sent to a server with ten connections. */
  const writes = 20;

  it("answers reads at once, and all writes when they go on", async () => {
    await using app = await startTestApp("postgres", { QUIRE_DATABASE_CONNECT_LIMIT_SECONDS: "300" });
    const ids = await addDocuments(app.context, [{ title: "One" }, { title: "Two" }, { title: "Three" }]);
    const owner = await addPerson(app.context, { username: "owner", isAdministrator: true });
    const connectionString = app.context.config.databaseUrl ?? "";
    const [locker, watcher] = [new Client({ connectionString }), new Client({ connectionString })];
    await Promise.all([locker.connect(), watcher.connect()]);
    try {
      await locker.query("begin; lock table documents in exclusive mode");
      const writing = Array.from({ length: writes }, async (_, number) => {
        const target = `/api/documents/${ids[number % ids.length]}/`;
        return (await sendAs(app, owner, "PATCH", target, { source: `Source ${number}` })).status;
      });
      const countHanging = async (): Promise<number> => {
        const { rows } = await watcher.query<{ hanging: number }>(
          `select count(*)::int as hanging from pg_stat_activity
            where datname = current_database() and application_name = 'quire' and wait_event_type = 'Lock'`,
        );
        return rows[0]?.hanging ?? 0;
      };
      await expect.poll(countHanging).toBe(5);
      const targets = [
        "/api/documents/",
        "/api/documents/?ordering=title",
        `/api/documents/${ids[0]}/`,
        "/api/documents/search/?q=two",
        "/api/projects/",
      ];
      expect((await app.fetch("/documents/", { headers: owner.headers })).status).toBe(200);
      for (const reader of [null, owner]) {
        const answers = await Promise.all(targets.map((target) => sendAs(app, reader, "GET", target)));
        expect(answers.map(({ status }) => status)).toEqual(targets.map(() => 200));
      }
      expect(await countHanging()).toBe(5);
      await locker.query("commit");
      expect(await Promise.all(writing)).toEqual(Array.from({ length: writes }, () => 200));
    } finally {
      await Promise.all([locker.end(), watcher.end()]);
    }
  });
});

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
