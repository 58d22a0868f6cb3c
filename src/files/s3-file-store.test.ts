import { access, mkdir, mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import path from "node:path";
import { buffer } from "node:stream/consumers";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { isOutOfRoom } from "../errors.ts";
import { type S3Server, startS3Server } from "../testing/s3-server.ts";
import { itKeepsTheFileStoreContract } from "./file-store-contract.ts";
import { FilesUnavailableError } from "./files-unavailable.ts";
import { LocalCopies } from "./local-copies.ts";
import { S3FileStore } from "./s3-file-store.ts";
import type { S3Settings } from "./s3-settings.ts";

let server: S3Server;
let folder: string;
beforeAll(async () => {
  server = await startS3Server();
});
afterAll(() => server[Symbol.asyncDispose]());
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "quire-copies-"));
  server.broken = false;
  server.asked.length = 0;
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const settings = (overrides: Partial<S3Settings> = {}): S3Settings => ({
  bucket: "quire-test",
  endpoint: server.url,
  region: "us-east-1",
  accessKeyId: "S3RVER",
  secretAccessKey: "S3RVER",
  pathStyle: true,
  prefix: null,
  copies: path.join(folder, "copies"),
  copiesBytes: 1000,
  ...overrides,
});

const key = "documents/1/report.pdf";

async function* chunks(count: number, size = 1024 * 1024, endsWith?: Error): AsyncGenerator<Uint8Array> {
  for (let index = 0; index < count; index++) yield Buffer.alloc(size, index);
  if (endsWith !== undefined) throw endsWith;
}

async function* text(value: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(value);
}

const numbered = (index: number): string => `documents/1/${index}.txt`;

const fetched = (): number => server.asked.filter((line) => line.startsWith("GET documents")).length;
const copies = async (): Promise<number> => {
  const files = await readdir(path.join(folder, "copies"), { recursive: true, withFileTypes: true });
  return files.filter((file) => file.isFile()).length;
};

describe.each([null, "archive/quire"])("an S3 file store below %j", (prefix) => {
  itKeepsTheFileStoreContract(async () => {
    const store = await S3FileStore.open(settings({ prefix, copiesBytes: 100_000 }));
    return {
      store,
      async remove() {
        await store.deleteFolder("documents");
        await store.close();
      },
    };
  });
});

describe("the objects of an S3 file store", () => {
  let store: S3FileStore;
  beforeEach(async () => {
    store = await S3FileStore.open(settings());
  });
  afterEach(async () => {
    server.broken = false;
    await store.deleteFolder("documents");
    await store.close();
  });

  it("are at their keys, below the configured folder if there is one", async () => {
    const below = await S3FileStore.open(settings({ prefix: "a/b" }));
    await store.put(key, text("one"));
    await below.put(key, text("two"));
    expect(await server.keys()).toEqual(["a/b/documents/1/report.pdf", "documents/1/report.pdf"]);
    await below.deleteFolder("documents/1");
    expect(await server.keys()).toEqual(["documents/1/report.pdf"]);
    await below.close();
  });

  it("are complete after a multipart upload, which leaves no parts", async () => {
    await store.put(key, chunks(20));
    expect((await store.stat(key))?.size).toBe(20 * 1024 * 1024);
    const stream = await store.read(key, { start: 17 * 1024 * 1024 - 1, end: 17 * 1024 * 1024 });
    expect(stream && [...(await buffer(stream))]).toEqual([16, 17]);
    expect(server.asked.filter((line) => line.startsWith("PUT"))).toHaveLength(3);
    expect(await server.unfinished()).toBe(0);
  });

  it("remain when the source of a replacement fails in a later part, and no parts remain", async () => {
    await store.put(key, text("first"));
    const failure = new Error("the source failed");
    await expect(store.put(key, chunks(20, 1024 * 1024, failure))).rejects.toBe(failure);
    expect(await server.unfinished()).toBe(0);
    const stream = await store.read(key);
    expect(stream && String(await buffer(stream))).toBe("first");
  });

  it("are all removed with their folder, however many there are", async () => {
    // The server lists at most 100 at once.
    const pages = Array.from({ length: 101 }, (_, page) => `documents/2/pages/p${page}.gif`);
    await Promise.all(pages.map((page) => store.put(page, text("x"))));
    expect(await server.keys()).toHaveLength(101);
    await store.deleteFolder("documents/2");
    expect(await server.keys()).toEqual([]);
  });

  it("are listed in order, from any folder on", async () => {
    const names = ["1/b.pdf", "1/images/a.gif", "10/a.pdf", "100/a.pdf", "2/a.pdf", "20/a.pdf", "9/a.pdf"];
    const keys = names.map((name) => `documents/${name}`);
    for (const named of keys.toReversed()) await store.put(named, text("x"));
    const after: [string | null, number][] = [
      [null, 0],
      ["1", 2],
      ["10", 3],
      ["100", 4],
      ["150", 4],
      ["9", 7],
    ];
    for (const [latest, first] of after) {
      const listed = await Array.fromAsync(store.listInOrder("documents", latest));
      expect(listed.flat()).toEqual(keys.slice(first));
    }
  });

  it("are unavailable, not absent, while the server is unavailable", async () => {
    await store.put(key, text("first"));
    server.broken = true;
    const actions = [
      () => store.put(key, text("second")),
      () => store.stat(key),
      () => store.read(key),
      () => store.borrow(key),
      () => store.delete(key),
      () => store.deleteFolder("documents/1"),
      () => store.ping(),
    ];
    for (const action of actions) await expect(action()).rejects.toThrow(FilesUnavailableError);
    server.broken = false;
    const stream = await store.read(key);
    expect(stream && String(await buffer(stream))).toBe("first");
  });

  it("fail when the server breaks off: a partial response never counts as the whole file", async () => {
    await store.put(key, chunks(20));
    const stream = await store.read(key);
    await expect(
      (async () => {
        for await (const _chunk of stream ?? []) {
          server.broken = true;
          server.breakOff();
        }
      })(),
    ).rejects.toThrow(/aborted|reset|hang up/i);
  });
});

describe("opening an S3 file store", () => {
  it.each([
    ["secretAccessKey", "wrong", /QUIRE_S3_SECRET_ACCESS_KEY does not belong to the key/],
    ["accessKeyId", "wrong", /does not know the key of QUIRE_S3_ACCESS_KEY_ID/],
    ["bucket", "no-such-bucket", /bucket no-such-bucket at http.*: there is no such bucket/],
    ["endpoint", "http://127.0.0.1:1", /bucket quire-test at http:\/\/127.0.0.1:1: .*ECONNREFUSED/],
  ] as const)("fails with what is wrong with its %s", async (name, value, message) => {
    const opening = S3FileStore.open(settings({ [name]: value }));
    await expect(opening).rejects.toThrow(message);
    await expect(opening).rejects.not.toThrow(/S3RVER/);
  });
});

describe("the copies of an S3 file store", () => {
  let store: S3FileStore;
  beforeEach(async () => {
    store = await S3FileStore.open(settings());
  });
  afterEach(async () => {
    server.broken = false;
    await store.deleteFolder("documents");
    await store.close();
  });

  const borrowed = async (name: string): Promise<string | null> => {
    await using file = await store.borrow(name);
    return file && (await readFile(file.path, "utf8"));
  };

  it("are fetched once for simultaneous and for repeated borrowers", async () => {
    await store.put(key, text("x".repeat(900)));
    const all = await Promise.all(Array.from({ length: 20 }, () => borrowed(key)));
    expect(new Set(all)).toEqual(new Set(["x".repeat(900)]));
    await borrowed(key);
    expect(fetched()).toBe(1);
  });

  it("are not used after their file was replaced or removed", async () => {
    await store.put(key, text("one"));
    expect(await borrowed(key)).toBe("one");
    const other = await S3FileStore.open(settings({ copies: path.join(folder, "other") }));
    await other.put(key, text("two"));
    expect(await borrowed(key)).toBe("two");
    await other.delete(key);
    expect(await borrowed(key)).toBeNull();
    await other.close();
  });

  it("stay within their limit, keeping recently used and lent ones", async () => {
    for (let index = 0; index < 5; index++) await store.put(numbered(index), text(String(index).repeat(400)));
    const lent = await store.borrow(numbered(0));
    for (const index of [1, 2, 1, 3]) await borrowed(numbered(index));
    expect(await copies()).toBe(2);
    expect(lent && (await readFile(lent.path, "utf8"))).toBe("0".repeat(400));
    await lent?.[Symbol.asyncDispose]();
    await lent?.[Symbol.asyncDispose]();
    const before = fetched();
    await borrowed(numbered(3));
    expect(fetched()).toBe(before);
    await borrowed(numbered(2));
    expect(fetched()).toBe(before + 1);
    expect(await copies()).toBe(2);
  });

  it("are removed on return if they exceed the limit", async () => {
    await store.put(key, text("x".repeat(5000)));
    expect(await borrowed(key)).toHaveLength(5000);
    expect(await copies()).toBe(0);
  });

  it("are lent and returned even if one cannot be removed, which is retried", async () => {
    for (const index of [0, 1, 2]) await store.put(numbered(index), text(String(index).repeat(900)));
    const lent = await store.borrow(numbered(0));
    const copyPath = lent?.path ?? "";
    await lent?.[Symbol.asyncDispose]();
    await rm(copyPath);
    await mkdir(copyPath);
    expect(await borrowed(numbered(1))).toBe("1".repeat(900));
    await rm(copyPath, { recursive: true });
    await writeFile(copyPath, "");
    expect(await borrowed(numbered(2))).toBe("2".repeat(900));
    await expect(access(copyPath)).rejects.toThrow("ENOENT");
  });

  it("are removed at once when their file is replaced or removed, even lent ones and those of other processes", async () => {
    const other = await S3FileStore.open(settings());
    for (const remove of [
      () => store.put(key, text("two")),
      () => store.delete(key),
      () => store.deleteFolder("documents/1"),
    ]) {
      await store.put(key, text("one"));
      await store.put(numbered(1), text("another"));
      const lent = await store.borrow(key);
      for (const [one, name] of [
        [store, numbered(1)],
        [other, key],
      ] as const) {
        await (await one.borrow(name))?.[Symbol.asyncDispose]();
      }
      expect(await copies()).toBe(3);
      await remove();
      expect(await copies()).toBe(remove.toString().includes("deleteFolder") ? 0 : 1);
      await lent?.[Symbol.asyncDispose]();
      await store.deleteFolder("documents");
    }
    await other.close();
  });

  it("report a full disk as such, not as an unavailable store", async () => {
    await store.put(key, text("one"));
    const full = Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
    const borrowing = vi.spyOn(LocalCopies.prototype, "borrow").mockRejectedValueOnce(full);
    const failure = await store.borrow(key).catch((error: unknown) => error);
    borrowing.mockRestore();
    expect([isOutOfRoom(failure), failure instanceof FilesUnavailableError]).toEqual([true, false]);
  });

  it("are fetched again after a failure, and after their removal", async () => {
    await store.put(key, text("one"));
    server.broken = true;
    await expect(borrowed(key)).rejects.toThrow(FilesUnavailableError);
    server.broken = false;
    expect(await borrowed(key)).toBe("one");
    await rm(path.join(folder, "copies"), { recursive: true });
    expect(await borrowed(key)).toBe("one");
  });

  it("of an ended process are removed by the next one, those of others are not", async () => {
    const left = (name: string): string => path.join(folder, "copies", name);
    const dead = [`${hostname()}+${process.pid}+1+a`, `${hostname()}+4194999+1+a`];
    const alive = [`${hostname()}+1+1+a`, "another-machine+4194999+1+a"];
    for (const name of [...dead, ...alive]) await mkdir(left(name));
    await store.put(key, text("one"));
    await using lent = await store.borrow(key);
    const second = await S3FileStore.open(settings());
    for (const name of dead) await expect(access(left(name))).rejects.toThrow("ENOENT");
    for (const name of alive) await access(left(name));
    expect(lent && (await readFile(lent.path, "utf8"))).toBe("one");
    await second.close();
    await store.close();
    expect((await readdir(path.join(folder, "copies"))).toSorted()).toEqual(alive.toSorted());
    await store.close();
    store = await S3FileStore.open(settings());
  });
});
