import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { LocalFileStore } from "../../files/local-file-store.ts";
import { RepositoryLock } from "../../backup/locks.ts";
import { addFiles, keyOfFile } from "../../testing/backups.ts";
import { type CommandRun, runCommandLine } from "../../testing/command-runs.ts";
import { addPerson, beginSession } from "../../testing/people.ts";
import { type TestApp, type TestStorage, engines, startAppOn, testStorage } from "../../testing/test-app.ts";
import { backup } from "./backup.ts";

describe.each(engines)("the backups of a server on %s", (engine) => {
  let folder: string;
  let storage: TestStorage;
  let app: TestApp;
  let headers: Record<string, string>;
  let ids: number[];

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "quire-recorded-"));
    storage = await testStorage(engine);
    app = await startAppOn(storage.config);
    ids = await addFiles(app.context, 2);
    const boss = await addPerson(app.context, { username: "boss", isAdministrator: true, password: "any" });
    headers = { ...(await beginSession(app.context, boss)) };
  });
  afterEach(async () => {
    await app[Symbol.asyncDispose]();
    await storage[Symbol.asyncDispose]();
    await rm(folder, { recursive: true });
  });

  function run(name: string): Promise<CommandRun> {
    const { data, databaseUrl } = storage.config;
    const database = databaseUrl === null ? {} : { QUIRE_DATABASE_URL: databaseUrl };
    return runCommandLine([backup], `backup ${path.join(folder, name)}`, { QUIRE_DATA: data, ...database });
  }

  const json = async (address: string): Promise<Record<string, unknown>> =>
    (await (await app.fetch(address, { headers })).json()) as Record<string, unknown>;

  it("are recorded: the moment of the last good one, and what was wrong with the last run", async () => {
    expect(await json("/readyz")).toEqual({
      status: "ok",
      database: "ok",
      files: "ok",
      last_backup: "never",
    });
    expect((await json("/api/admin/health/"))["backups"]).toEqual([]);
    const before = new Date().toISOString();
    expect(await run("one")).toMatchObject({ code: 0 });
    const { last_backup, backup_age_seconds } = await json("/readyz");
    expect(Date.parse(String(last_backup))).toBeGreaterThanOrEqual(Date.parse(before));
    expect(backup_age_seconds).toMatch(/^\d+$/);
    const one = { repository: path.join(folder, "one"), good_at: last_backup, problem: null };
    expect(await json("/api/admin/health/")).toMatchObject({ backups: [one] });

    await writeFile(path.join(folder, "file"), "");
    expect(await run("file")).toMatchObject({ code: 1 });
    await app.context.files.delete(keyOfFile(ids[0] ?? 0));
    expect(await run("two")).toMatchObject({ code: 1 });
    const { backups } = await json("/api/admin/health/");
    expect(backups).toMatchObject([
      { repository: path.join(folder, "file"), good_at: null, problem: expect.any(String) as string },
      one,
      {
        repository: path.join(folder, "two"),
        good_at: expect.any(String) as string,
        problem: `document ${ids[0]}: its file is missing`,
      },
    ]);
  });

  it("are not changed by a run that finds another one under way", async () => {
    await run("one");
    const { backups } = await json("/api/admin/health/");
    const store = await LocalFileStore.open(path.join(folder, "one"));
    await using _lock = await RepositoryLock.acquire(store, { kind: "write", command: "quire backup" });
    expect((await run("one")).stderr).toMatch(/^quire: quire backup has been using the repository since /);
    expect((await json("/api/admin/health/"))["backups"]).toEqual(backups);
  });
});
