import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Context } from "../context.ts";
import type { FileStore } from "../files/file-store.ts";
import { openFilesAt } from "../files/open-files.ts";
import {
  addBackup,
  addFiles,
  bytesOf,
  differencesIn,
  makeOlder,
  objectKeys,
  silentProgress,
} from "../testing/backups.ts";
import { type TestApp, startTestApp } from "../testing/test-app.ts";
import { ObjectsVanishedError } from "./back-up.ts";
import { LockedError, LostLockError, RepositoryLock } from "./locks.ts";
import { Repository } from "./repository.ts";

const keepOne = { last: 1, daily: null, weekly: null, monthly: null, yearly: null };

describe("backups into one repository at the same time", () => {
  let folder: string;
  let app: TestApp;
  let context: Context;
  let store: FileStore;
  let repository: Repository;
  let ids: number[];

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "quire-at-once-"));
    app = await startTestApp("sqlite");
    ({ context } = app);
    ids = await addFiles(context, 3);
    store = await openFilesAt(context.config, { folder });
    repository = await Repository.open(store);
  });
  afterEach(async () => {
    await app[Symbol.asyncDispose]();
    await rm(folder, { recursive: true });
  });

  async function deleteDocument(id: number): Promise<void> {
    await context.database.write((writer) => writer.deleteFrom("documents").where("id", "=", id).execute());
    await context.files.deleteFolder(`documents/${id}`);
  }

  async function expectWhole(): Promise<void> {
    const names = await repository.names();
    expect(names.length).toBeGreaterThan(0);
    for (const name of names)
      expect(await differencesIn(repository, await repository.manifest(name))).toEqual([]);
  }

  /** The same repository, except that `action` runs when a backup lists its objects just before its manifest. */
  async function interruptedBy(action: () => Promise<unknown>): Promise<Repository> {
    let lists = 0;
    const list: FileStore["list"] = async function* listed(key) {
      if (key === "files" && (lists += 1) === 2) await action();
      yield* store.list(key);
    };
    return Repository.open(new Proxy(store, { get: (target, name) => overridden(target, name, { list }) }));
  }

  it("are refused, except for one", async () => {
    await addBackup(context, repository);
    await makeOlder(folder, 25);
    await deleteDocument(ids[0] ?? 0);
    const both = await Promise.allSettled(
      [1, 2].map(() => addBackup(context, repository, { policy: keepOne })),
    );
    expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    const refused = both.find((outcome) => outcome.status === "rejected");
    expect(refused?.reason).toBeInstanceOf(LockedError);
    await expectWhole();
    expect(await readdir(path.join(folder, "locks"))).toEqual([]);
  });

  it("are refused while one is under way, which then has everything", async () => {
    const others: Promise<unknown>[] = [];
    const progress = {
      ...silentProgress,
      rows: () => {
        if (others.length === 0)
          others.push(addBackup(context, repository, { policy: keepOne }).catch((error: unknown) => error));
      },
    };
    await addBackup(context, repository, { progress });
    expect(await Promise.all(others)).toEqual([expect.any(LockedError)]);
    await expectWhole();
  });

  async function removeLocks(): Promise<void> {
    for (const name of await readdir(path.join(folder, "locks"))) await store.delete(`locks/${name}`);
  }

  it("do not finish if another run has taken the lock over and removed content, and that run is whole", async () => {
    await addBackup(context, repository);
    await makeOlder(folder, 25);
    await deleteDocument(ids[0] ?? 0);
    const interrupted = await interruptedBy(async () => {
      await removeLocks();
      await deleteDocument(ids[1] ?? 0);
      await addBackup(context, repository, { policy: keepOne });
    });
    await expect(addBackup(context, interrupted)).rejects.toThrow(ObjectsVanishedError);
    expect((await repository.names()).length).toBe(1);
    await expectWhole();
  });

  it("do not finish after the lock was lost", async () => {
    await expect(addBackup(context, await interruptedBy(removeLocks))).rejects.toThrow(LostLockError);
    expect(await repository.names()).toEqual([]);
    await addBackup(context, repository);
    await expectWhole();
  });

  it("do not finish without objects that someone has removed meanwhile", async () => {
    const [first] = [await addBackup(context, repository)];
    const interrupted = await interruptedBy(async () => {
      const [key = ""] = await objectKeys(repository, "files");
      await store.delete(key);
    });
    await expect(addBackup(context, interrupted)).rejects.toThrow(ObjectsVanishedError);
    expect(await repository.names()).toEqual([first?.name]);
    expect((await addBackup(context, repository)).pruning.incomplete).toEqual([]);
    await expectWhole();
  });

  it("keep content younger than a day that no backup needs, because a run may be about to need it", async () => {
    await addBackup(context, repository);
    await makeOlder(folder, 25);
    const old = "files/00/".concat("0".repeat(64));
    const young = "files/ff/".concat("f".repeat(64));
    await store.put(old, bytesOf("old"));
    await makeOlder(path.join(folder, "files/00"), 25);
    await store.put(young, bytesOf("young"));
    await store.put("files/00/notes.txt", bytesOf("not an object"));
    await addBackup(context, repository, { policy: keepOne });
    const left = await objectKeys(repository, "files");
    expect([left.includes(old), left.includes(young)]).toEqual([false, true]);
    expect(left).toContain("files/00/notes.txt");
  });

  it("remove nothing while a restore reads", async () => {
    const { name } = await addBackup(context, repository);
    await using reader = await RepositoryLock.acquire(store, { kind: "read", command: "quire restore" });
    const { pruning } = await addBackup(context, repository, { policy: keepOne });
    expect(pruning).toMatchObject({
      removed: [],
      postponed: expect.stringMatching(/^quire restore has been reading since/) as string,
    });
    expect(await repository.names()).toContain(name);
    await reader[Symbol.asyncDispose]();
    expect((await addBackup(context, repository, { policy: keepOne })).pruning.removed).toContain(name);
  });
});

/** A member of an object, or the one that overrides it. */
function overridden(target: object, name: string | symbol, members: object): unknown {
  const found: unknown = Reflect.get(Object.hasOwn(members, name) ? members : target, name);
  return typeof found === "function" ? (found as () => unknown).bind(target) : found;
}
