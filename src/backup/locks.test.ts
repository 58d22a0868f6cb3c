import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import * as fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { FileStore } from "../files/file-store.ts";
import { LocalFileStore } from "../files/local-file-store.ts";
import { bytesOf } from "../testing/backups.ts";
import { runs } from "../testing/runs.ts";
import { type LockKind, LockedError, LostLockError, RepositoryLock, defaultTimes } from "./locks.ts";

describe("the lock of a repository", () => {
  let folder: string;
  let store: LocalFileStore;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "quire-locks-"));
    store = await LocalFileStore.open(folder);
  });
  afterEach(() => rm(folder, { recursive: true }));

  const times = { ...defaultTimes, withdrawalMilliseconds: 0 };
  const acquire = (kind: LockKind, command = "quire backup"): Promise<RepositoryLock> =>
    RepositoryLock.acquire(store, { kind, command, times });

  const lockFiles = async (): Promise<string[]> =>
    (await readdir(path.join(folder, "locks"))).map((name) => path.join(folder, "locks", name));

  /** Writes a lock that another process has left behind. */
  async function leaveLock(changes: object): Promise<void> {
    const lock = await acquire("write");
    const [file = ""] = await lockFiles();
    const text = await readFile(file, "utf8");
    await lock[Symbol.asyncDispose]();
    await writeFile(file, JSON.stringify({ ...(JSON.parse(text) as object), ...changes }));
  }

  it("admits one run that writes, and any number that read", async () => {
    await using writer = await acquire("write");
    await expect(acquire("write")).rejects.toThrow(LockedError);
    await expect(acquire("write")).rejects.toThrow(/^quire backup has been using the repository since /);
    expect(await writer.findReader()).toBeNull();
    await using _first = await acquire("read", "quire restore");
    await using _second = await acquire("read", "quire restore");
    expect(await writer.findReader()).toMatch(/^quire restore has been reading since /);
    await writer.confirm();
    expect((await lockFiles()).length).toBe(3);
  });

  it("excludes a run whose own lock was stored before the holder stored its lock again", async () => {
    await leaveLock({ machine: "another" });
    const [file = ""] = await lockFiles();
    const later = new Date(Date.now() + 60_000);
    await utimes(file, later, later);
    const patient = { ...times, withdrawalMilliseconds: 3_600_000 };
    const acquiring = RepositoryLock.acquire(store, {
      kind: "write",
      command: "quire backup",
      times: patient,
    });
    await expect(acquiring).rejects.toThrow(LockedError);
  });

  it("is free again when its run has ended", async () => {
    await (await acquire("write"))[Symbol.asyncDispose]();
    expect(await lockFiles()).toEqual([]);
    await using _next = await acquire("write");
  });

  it("does not count if its process on this machine has ended", async () => {
    const child = spawn(process.execPath, ["--version"], { stdio: "ignore" });
    const { pid } = child;
    await once(child, "exit");
    await leaveLock({ process: pid });
    await using _lock = await acquire("write");
    expect((await lockFiles()).length).toBe(1);
  });

  it("does not count if another process has had the id of this one before", async () => {
    await leaveLock({ started: 1 });
    await using _lock = await acquire("write");
    expect((await lockFiles()).length).toBe(1);
  });

  it("counts for a quarter of an hour if its process is on another machine", async () => {
    await leaveLock({ machine: "another", process: 1 });
    await expect(acquire("write")).rejects.toThrow("expires within 15 minutes");
    const [file = ""] = await lockFiles();
    const expired = new Date(Date.now() - 901_000);
    await utimes(file, expired, expired);
    await using _lock = await acquire("write");
  });

  it("is ignored if it is not a lock, until it is as old as an expired one", async () => {
    await store.put("locks/other.json", bytesOf("{"));
    await using _lock = await acquire("write");
    expect((await lockFiles()).length).toBe(2);
  });

  it("is lost if someone removes it, or if another run has taken it over", async () => {
    await using first = await acquire("write");
    const [file = ""] = await lockFiles();
    const text = await readFile(file, "utf8");
    await rm(file);
    await expect(first.confirm()).rejects.toThrow(LostLockError);
    expect(first.signal.aborted).toBe(true);
    await using second = await acquire("write");
    const other = path.join(folder, "locks", "00000000-0000-0000-0000-000000000000.json");
    const changes = { machine: "another", is_held: false };
    await writeFile(other, JSON.stringify({ ...(JSON.parse(text) as object), ...changes }));
    await second.confirm();
    await writeFile(other, JSON.stringify({ ...(JSON.parse(text) as object), ...changes, is_held: true }));
    await expect(second.confirm()).rejects.toThrow(LostLockError);
  });

  it("never has two holders, in whatever order the requests of several runs reach the store", async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), fc.integer({ min: 2, max: 4 }), async (scheduler, count) => {
        const shared = memoryStore(scheduler);
        let holders = 0;
        let admitted = 0;
        const run = async (): Promise<void> => {
          try {
            const lock = await RepositoryLock.acquire(shared, {
              kind: "write",
              command: "quire backup",
              times,
            });
            holders += 1;
            admitted += 1;
            expect(holders).toBe(1);
            await scheduler.schedule(Promise.resolve());
            await lock.confirm();
            expect(holders).toBe(1);
            holders -= 1;
            await lock[Symbol.asyncDispose]();
          } catch (error) {
            if (!(error instanceof LockedError)) throw error;
          }
        };
        const all = Promise.all(Array.from({ length: count }, run));
        await scheduler.waitFor(all);
        expect(admitted).toBeGreaterThan(0);
      }),
      { numRuns: runs(100) },
    );
  });
});

/** A store in memory, of which each request takes effect in its turn. Its clock is as coarse as that of S3. */
function memoryStore(scheduler: fc.Scheduler): FileStore {
  const files = new Map<string, string>();
  const modifiedAt = new Date(0);
  const inTurn = async <T>(action: () => T): Promise<T> => {
    await scheduler.schedule(Promise.resolve());
    return action();
  };
  const store: Partial<FileStore> = {
    put: async (key, source) => {
      const text = Buffer.concat(await Array.fromAsync(source as AsyncIterable<Uint8Array>)).toString();
      await inTurn(() => files.set(key, text));
    },
    stat: (key) => inTurn(() => (files.has(key) ? { size: 1, modifiedAt, version: "1" } : null)),
    read: (key) =>
      inTurn(() => {
        const text = files.get(key);
        return text === undefined ? null : bytesOf(text);
      }) as never,
    list: async function* list(folder) {
      const keys = await inTurn(() => [...files.keys()]);
      for (const key of keys) if (key.startsWith(`${folder}/`)) yield { key, size: 1, modifiedAt };
    },
    delete: (key) => inTurn(() => void files.delete(key)),
  };
  return store as FileStore;
}
