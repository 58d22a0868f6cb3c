import pino from "pino";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Config } from "../src/config.ts";
import { openContext } from "../src/context.ts";
import { addDocuments } from "../src/testing/factories.ts";
import { type Person, addPerson } from "../src/testing/people.ts";
import { type OwnPostgres, createThrowawayDatabase, startOwnPostgres } from "../src/testing/postgres.ts";
import { hasPostgres } from "../src/testing/runs.ts";
import { storageRoot } from "../src/testing/storage-root.ts";
import { type Reply, sendAs } from "../src/testing/requests.ts";
import { type SilentProxy, startSilentProxy } from "../src/testing/silent-proxy.ts";
import { type TestApp, startAppOn, startTestApp, testStorage } from "../src/testing/test-app.ts";

const unavailable = { status: 503, body: { detail: expect.stringContaining("database cannot be reached") } };

/** Sends requests of all kinds that could wait for the database more than once. */
async function askAll(app: TestApp, owner: Person, id: number): Promise<Reply[]> {
  return Promise.all([
    sendAs(app, null, "GET", "/api/documents/"),
    sendAs(app, null, "GET", `/api/documents/${id}/`),
    sendAs(app, owner, "GET", "/api/documents/"),
    sendAs(app, owner, "PATCH", `/api/documents/${id}/`, { title: "Other" }),
    sendAs(app, owner, "POST", "/api/documents/", { title: "New" }),
    sendAs(app, null, "GET", "/api/documents/search/?q=word"),
    ...Array.from({ length: 20 }, () => sendAs(app, null, "GET", "/api/documents/?ordering=title")),
  ]);
}

describe("a PostgreSQL that is away", () => {
  let postgres: OwnPostgres;
  let proxy: SilentProxy;
  let config: Config;

  beforeAll(async () => {
    postgres = await startOwnPostgres(await storageRoot);
    proxy = await startSilentProxy(postgres.socket);
  });

  beforeEach(async () => {
    const storage = await testStorage("sqlite", { QUIRE_DATABASE_CONNECT_LIMIT_SECONDS: "4" });
    const url = new URL((await createThrowawayDatabase(postgres.url)).url);
    url.search = "";
    url.host = `127.0.0.1:${proxy.port}`;
    config = { ...storage.config, databaseUrl: url.href };
    return () => storage[Symbol.asyncDispose]();
  });

  afterAll(async () => {
    await proxy[Symbol.asyncDispose]();
    await postgres.stop();
  });

  it.each(["silent", "refusing"])(
    "and %s soon gives 503; the server continues when the database is back",
    async (how) => {
      await using app = await startAppOn(config);
      const [id = 0] = await addDocuments(app.context, [{ title: "First" }]);
      const more = { organizations: [1], isAdministrator: true };
      const owner = await addPerson(app.context, { username: "owner", ...more });
      for (const { status } of await askAll(app, owner, id)) expect([200, 201]).toContain(status);

      if (how === "silent") proxy.fallSilent();
      else await postgres.end("crash");
      for (let round = 0; round < 2; round++) {
        // Without a limit, the requests would wait forever.
        for (const told of await askAll(app, owner, id)) {
          expect(told).toMatchObject(unavailable);
          expect(Number(told.headers.get("retry-after"))).toBeGreaterThan(0);
        }
      }
      const refused = (): number =>
        app.logged
          .filter(({ msg }) => msg === "Requests were refused")
          .reduce((sum, { requests }) => sum + Number(requests), 0);
      await expect.poll(refused).toBe(52);
      expect(app.logged.filter(({ status, msg }) => status === 503 && msg === "request")).toEqual([]);
      for (let time = 0; time < 3; time++) {
        for (const headers of [{}, owner.headers, { cookie: "sessionid=none" }])
          expect((await app.fetch("/livez", { headers })).status).toBe(200);
      }
      expect((await app.fetch("/readyz", { headers: owner.headers })).status).toBe(503);
      expect(app.logged.filter(({ msg }) => msg === "The database cannot be reached")).toHaveLength(1);

      if (how === "silent") proxy.speakAgain();
      else await postgres.startAgain();
      await expect.poll(async () => (await app.fetch("/readyz")).status).toBe(200);
      expect(await sendAs(app, owner, "PATCH", `/api/documents/${id}/`, { title: "Other" })).toMatchObject({
        status: 200,
      });
      expect(app.logged.filter(({ msg }) => msg === "The database answers again")).toHaveLength(1);
    },
  );

  it("and silent does not delay /readyz by as long as a request may wait for it", async () => {
    await using app = await startAppOn({ ...config, databaseConnectLimitSeconds: 3600 });
    expect((await app.fetch("/readyz")).status).toBe(200);
    proxy.fallSilent();
    for (const asked of [1, 2]) {
      for (const answer of await Promise.all(Array.from({ length: asked }, () => app.fetch("/readyz")))) {
        expect([answer.status, await answer.json()]).toEqual([
          503,
          { status: "not ready", database: "does not answer", files: "ok" },
        ]);
      }
    }
    proxy.speakAgain();
    await expect.poll(async () => (await app.fetch("/readyz")).status).toBe(200);
  });

  it.each(["silent", "refusing"])("and %s is waited for at the start, which logs it", async (how) => {
    const waiting = Promise.withResolvers<void>();
    const write = (line: string): void => {
      if (line.includes("Waiting for the database")) waiting.resolve();
    };
    if (how === "silent") proxy.fallSilent();
    else await postgres.end("crash");
    const { signal } = new AbortController();
    const opening = openContext(config, pino({ level: "info" }, { write }), { signal });
    await waiting.promise;
    if (how === "silent") proxy.speakAgain();
    else await postgres.startAgain();
    const context = await opening;
    await expect(context.database.ping()).resolves.toBeUndefined();
    await context.close();
  });

  it("is not waited for longer than the setting says, nor after a signal to stop", async () => {
    await postgres.end("fast");
    const log = pino({ level: "silent" });
    const stop = new AbortController();
    const open = (databaseWaitSeconds: number) =>
      openContext({ ...config, databaseWaitSeconds }, log, { signal: stop.signal });
    await expect(open(1)).rejects.toThrow("PostgreSQL cannot be reached");
    const opening = open(3600);
    stop.abort();
    await expect(opening).rejects.toThrow("abort");
    await postgres.startAgain();
  });

  it("but refuses the password is no reason to wait", async () => {
    const databaseUrl = new URL(config.databaseUrl ?? "");
    databaseUrl.pathname = "/no_such_database";
    const { signal } = new AbortController();
    const opening = openContext({ ...config, databaseUrl: databaseUrl.href }, pino({ level: "silent" }), {
      signal,
    });
    await expect(opening).rejects.toMatchObject({ cause: { code: "3D000" } });
  });
});

describe.runIf(hasPostgres)("a statement of a request on PostgreSQL", () => {
  it("has a time limit, and gives 503 beyond it", async () => {
    await using app = await startTestApp("postgres", { QUIRE_DATABASE_STATEMENT_LIMIT_SECONDS: "1" });
    const [id = 0] = await addDocuments(app.context, [{}]);
    const owner = await addPerson(app.context, { username: "owner", isAdministrator: true });
    const other = await openContext(app.context.config, pino({ level: "silent" }));
    const told = await other.database.write(async (writer) => {
      await writer.updateTable("documents").set({ title: "Locked" }).where("id", "=", id).execute();
      return sendAs(app, owner, "PATCH", `/api/documents/${id}/`, { title: "Other" });
    });
    expect(told).toMatchObject({ status: 503 });
    expect(told.headers.get("retry-after")).toBe("10");
    await other.close();
    expect((await sendAs(app, owner, "GET", `/api/documents/${id}/`)).body.title).toBe("Locked");
  });
});
