import { type FileHandle, mkdtemp, open, readdir, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { itKeepsTheFileStoreContract } from "./file-store-contract.ts";
import { LocalFileStore } from "./local-file-store.ts";

const makeFolder = () => mkdtemp(path.join(tmpdir(), "quire-files-"));

describe("a local file store", () => {
  itKeepsTheFileStoreContract(async () => {
    const folder = await makeFolder();
    const store = await LocalFileStore.open(path.join(folder, "not yet there"));
    return {
      store,
      async remove() {
        await store.close();
        await rm(folder, { recursive: true });
      },
    };
  });
});

/** Counts the syncs of files and folders. */
async function countSyncs(): Promise<{ count: () => number; restore: () => void }> {
  const handle = await open(import.meta.filename);
  const prototype = Object.getPrototypeOf(handle) as FileHandle;
  await handle.close();
  const spy = vi.spyOn(prototype, "sync");
  return { count: () => spy.mock.calls.length, restore: () => spy.mockRestore() };
}

describe("the folder of a local file store", () => {
  let folder: string;

  beforeEach(async () => {
    folder = await makeFolder();
  });

  afterEach(() => rm(folder, { recursive: true }));

  it("holds each file at its key and nothing unfinished, even after failed sources", async () => {
    const store = await LocalFileStore.open(folder);
    await store.put("documents/1/report.pdf", import.meta.filename);
    await store.put("documents/1/original/report.xlsx", import.meta.filename);
    await expect(store.put("documents/1/broken.pdf", "/no such folder/file")).rejects.toThrow("ENOENT");
    const files = await readdir(folder, { recursive: true });
    expect(files.toSorted()).toEqual([
      ".incoming",
      "documents",
      "documents/1",
      "documents/1/original",
      "documents/1/original/report.xlsx",
      "documents/1/report.pdf",
    ]);
  });

  it("is cleared of files that a crash left unfinished, but not of arriving ones", async () => {
    await LocalFileStore.open(folder);
    const twoHoursAgo = Date.now() / 1000 - 2 * 3600;
    await writeFile(path.join(folder, ".incoming", "left over"), "half a fi");
    await utimes(path.join(folder, ".incoming", "left over"), twoHoursAgo, twoHoursAgo);
    await writeFile(path.join(folder, ".incoming", "arriving"), "half a fi");
    await LocalFileStore.open(folder);
    expect(await readdir(path.join(folder, ".incoming"))).toEqual(["arriving"]);
  });

  it("is the only state: a store that is opened again has the same files", async () => {
    const earlier = await LocalFileStore.open(folder);
    await earlier.put("documents/1/report.pdf", import.meta.filename);
    const found = await earlier.stat("documents/1/report.pdf");
    const later = await LocalFileStore.open(folder);
    expect(found?.size).toBe((await stat(import.meta.filename)).size);
    expect(await later.stat("documents/1/report.pdf")).toEqual(found);
  });

  it("syncs a file and each folder that may be new, and of a file that can be made again only its bytes", async () => {
    const store = await LocalFileStore.open(folder);
    const syncs = await countSyncs();
    try {
      const after = async (key: string, options?: { isRemakeable: boolean }): Promise<number> => {
        const before = syncs.count();
        await store.put(key, import.meta.filename, options);
        return syncs.count() - before;
      };
      // The file, documents/1, documents, and the store's own folder.
      expect(await after("documents/1/report.pdf")).toBe(4);
      expect(await after("documents/2/report.pdf")).toBe(3);
      expect(await after("documents/2/original/report.xlsx")).toBe(4);
      expect(await after("documents/2/images/abc/p1-small.gif", { isRemakeable: true })).toBe(1);
      // Another process may have made the folder and not have synced it yet.
      expect(await after("documents/2/images/report.pdf")).toBe(4);
      const another = await LocalFileStore.open(folder);
      const before = syncs.count();
      await another.put("documents/1/report.pdf", import.meta.filename);
      expect(syncs.count() - before).toBe(4);
    } finally {
      syncs.restore();
    }
  });

  it("fails to respond once it is removed", async () => {
    const store = await LocalFileStore.open(path.join(folder, "store"));
    await rm(path.join(folder, "store"), { recursive: true });
    await expect(store.ping()).rejects.toThrow("ENOENT");
  });
});
