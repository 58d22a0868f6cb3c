import { readFile } from "node:fs/promises";
import { buffer } from "node:stream/consumers";
import * as fc from "fast-check";
import { afterEach, beforeEach, expect, it } from "vitest";
import { servedTypeOf } from "./content-types.ts";
import type { FileStore } from "./file-store.ts";
import { FileKeyError } from "./keys.ts";

/** An empty store for one test; `remove` closes it and deletes everything. */
export interface StoreUnderTest {
  store: FileStore;
  remove: () => Promise<void>;
}

/** The tests that every file store has to pass; call it inside `describe`. */
export function itKeepsTheFileStoreContract(openEmpty: () => Promise<StoreUnderTest>): void {
  let store: FileStore;
  let remove: () => Promise<void>;

  beforeEach(async () => {
    ({ store, remove } = await openEmpty());
  });

  afterEach(() => remove());

  const put = (key: string, ...parts: string[]) => store.put(key, bytesOf(parts));

  async function textAt(key: string, start?: number, end?: number): Promise<string | null> {
    const range = start === undefined || end === undefined ? undefined : { start, end };
    const stream = await store.read(key, range);
    return stream === null ? null : String(await buffer(stream));
  }

  it("returns the stored bytes and their size", async () => {
    const before = Date.now();
    await put("documents/1/report.pdf", "one ", "and ", "two");
    expect(await textAt("documents/1/report.pdf")).toBe("one and two");
    const found = await store.stat("documents/1/report.pdf");
    expect(found?.size).toBe(11);
    // A store's clock may be coarse.
    expect(found?.modifiedAt.getTime()).toBeGreaterThan(before - 5000);
  });

  it("returns any bytes unchanged", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.uint8Array({ maxLength: 3000 }), { maxLength: 5 }), async (parts) => {
        await store.put("documents/1/any.bin", bytesOf(parts));
        const stream = await store.read("documents/1/any.bin");
        expect(stream === null ? null : await buffer(stream)).toEqual(Buffer.concat(parts));
      }),
      { numRuns: 20 },
    );
  });

  it("stores a file from its path", async () => {
    await store.put("documents/1/contract.ts", import.meta.filename);
    expect(await textAt("documents/1/contract.ts")).toContain("takes a file by its path");
  });

  it("returns a range of a file, both ends included", async () => {
    await put("documents/1/digits.txt", "0123456789");
    expect(await textAt("documents/1/digits.txt", 0, 0)).toBe("0");
    expect(await textAt("documents/1/digits.txt", 3, 5)).toBe("345");
    expect(await textAt("documents/1/digits.txt", 8, 99)).toBe("89");
  });

  it("reports missing files", async () => {
    await put("documents/1/report.pdf", "here");
    for (const key of ["documents/2/report.pdf", "documents/1", "documents/1/report.pdf/page"]) {
      expect(await store.stat(key)).toBeNull();
      expect(await store.read(key)).toBeNull();
      await store.delete(key);
    }
    expect(await textAt("documents/1/report.pdf")).toBe("here");
  });

  it("replaces a file while readers of the first one finish", async () => {
    await put("documents/1/report.pdf", "first");
    const earlier = await store.read("documents/1/report.pdf");
    await put("documents/1/report.pdf", "second, and longer");
    expect(await textAt("documents/1/report.pdf")).toBe("second, and longer");
    expect(earlier === null ? null : String(await buffer(earlier))).toBe("first");
  });

  it("keeps the existing file if a source fails", async () => {
    await put("documents/1/report.pdf", "first");
    await expect(store.put("documents/1/report.pdf", failingAfter("sec"))).rejects.toThrow(
      "the source failed",
    );
    await expect(store.put("documents/1/other.pdf", failingAfter("oth"))).rejects.toThrow(
      "the source failed",
    );
    await expect(store.put("documents/1/other.pdf", "/no such folder/file")).rejects.toThrow("ENOENT");
    expect(await textAt("documents/1/report.pdf")).toBe("first");
    expect(await store.stat("documents/1/other.pdf")).toBeNull();
  });

  it("keeps one complete file of several stored simultaneously under one key", async () => {
    const texts = Array.from({ length: 8 }, (_, index) => String(index).repeat(100_000));
    await Promise.all(texts.map((text) => put("documents/1/report.pdf", text.slice(0, 5), text.slice(5))));
    expect(texts).toContain(await textAt("documents/1/report.pdf"));
  });

  it("deletes existing and missing files", async () => {
    await put("documents/1/report.pdf", "here");
    await store.delete("documents/1/report.pdf");
    await store.delete("documents/1/report.pdf");
    expect(await store.stat("documents/1/report.pdf")).toBeNull();
    await put("documents/1/report.pdf", "again");
    expect(await textAt("documents/1/report.pdf")).toBe("again");
  });

  it("removes a folder with all its files, and nothing beside it", async () => {
    await put("documents/1/report.pdf", "one");
    await put("documents/1/pages/report-p1.txt", "page");
    await put("documents/12/report.pdf", "another");
    await store.deleteFolder("documents/1");
    await store.deleteFolder("documents/1");
    await store.deleteFolder("documents/12/report.pdf");
    expect(await store.stat("documents/1/report.pdf")).toBeNull();
    expect(await store.stat("documents/1/pages/report-p1.txt")).toBeNull();
    expect(await textAt("documents/12/report.pdf")).toBe("another");
    await put("documents/1/report.pdf", "again");
    expect(await textAt("documents/1/report.pdf")).toBe("again");
  });

  async function borrowed(key: string): Promise<{ text: string; version: string } | null> {
    await using file = await store.borrow(key);
    return file && { text: await readFile(file.path, "utf8"), version: file.version };
  }

  it("lends files by their path", async () => {
    await put("documents/1/report.pdf", "one");
    await put("documents/1/empty.txt");
    expect(await borrowed("documents/1/report.pdf")).toMatchObject({ text: "one" });
    expect(await borrowed("documents/1/report.pdf")).toMatchObject({ text: "one" });
    expect(await borrowed("documents/1/empty.txt")).toMatchObject({ text: "" });
    expect(await borrowed("documents/1/other.pdf")).toBeNull();
    await store.delete("documents/1/report.pdf");
    expect(await borrowed("documents/1/report.pdf")).toBeNull();
  });

  it("gives a replacement of the same length another version, and lends it", async () => {
    const versions = new Set<string | undefined>();
    for (const text of ["one", "two", "six"]) {
      await put("documents/1/report.pdf", text);
      const found = await store.stat("documents/1/report.pdf");
      expect(await borrowed("documents/1/report.pdf")).toEqual({ text, version: found?.version });
      expect(found?.version).toMatch(/^[\w.-]{1,100}$/);
      versions.add(found?.version);
    }
    expect(versions.size).toBe(3);
  });

  it("returns the bytes of the requested version, or null", async () => {
    await put("documents/1/report.pdf", "first, and longer");
    const first = await store.stat("documents/1/report.pdf");
    const read = async (version = "", start = 0): Promise<string | null> => {
      const stream = await store.read("documents/1/report.pdf", { start, end: 99 }, version);
      return stream === null ? null : String(await buffer(stream));
    };
    expect(await read(first?.version)).toBe("first, and longer");
    expect(await read(first?.version, 11)).toBe("longer");
    await put("documents/1/report.pdf", "second");
    const second = await store.stat("documents/1/report.pdf");
    expect([await read(first?.version), await read(first?.version, 11)]).toEqual([null, null]);
    expect(await read(second?.version)).toBe("second");
    await store.delete("documents/1/report.pdf");
    expect(await read(second?.version)).toBeNull();
  });

  it("lends one file to many borrowers at once", async () => {
    const text = "0123456789".repeat(20_000);
    await put("documents/1/report.pdf", text);
    const files = await Promise.all(Array.from({ length: 10 }, () => store.borrow("documents/1/report.pdf")));
    const [first, ...others] = files;
    await first?.[Symbol.asyncDispose]();
    for (const file of others) {
      expect(file && (await readFile(file.path, "utf8"))).toBe(text);
      await file?.[Symbol.asyncDispose]();
    }
  });

  it("signs addresses, if it supports them, with the type of the file", async () => {
    await put("documents/1/report.html", "<script>");
    const servedAs = servedTypeOf("html");
    const address = await store.signedAddress("documents/1/report.html", servedAs, 60);
    if (address === null) return;
    const answer = await fetch(address);
    expect([answer.status, await answer.text()]).toEqual([200, "<script>"]);
    expect(answer.headers.get("content-type")).toBe(servedAs.contentType);
    expect(answer.headers.get("content-disposition")).toBe("attachment");
    const altered = address.replace("report.html", "report.pdf");
    expect((await fetch(altered)).status).toBeGreaterThanOrEqual(400);
  });

  it("lists subfolders, once each", async () => {
    expect(await namesBelow("documents")).toEqual([]);
    for (const key of ["documents/1/a.pdf", "documents/1/original/a.csv", "documents/22/b.pdf"])
      await put(key, "x");
    expect((await namesBelow("documents")).toSorted()).toEqual(["1", "22"]);
    expect(await namesBelow("documents/1")).toEqual(["original"]);
    await store.deleteFolder("documents/1");
    expect(await namesBelow("documents")).toEqual(["22"]);
  });

  async function namesBelow(key: string): Promise<string[]> {
    const names: string[] = [];
    for await (const name of store.folders(key)) names.push(name);
    return names;
  }

  it("lists the names of files directly below a key", async () => {
    for (const key of [
      "documents/1/a.pdf",
      "documents/1/b.pdf",
      "documents/1/original/a.csv",
      "documents/12/c.pdf",
    ])
      await put(key, "x");
    const names = await Array.fromAsync(store.names("documents/1"));
    expect(names.toSorted()).toEqual(["a.pdf", "b.pdf"]);
    expect(await Array.fromAsync(store.names("documents"))).toEqual([]);
    expect(await Array.fromAsync(store.names("documents/3"))).toEqual([]);
  });

  it("lists all files below a key with their sizes, at any depth", async () => {
    const before = Date.now();
    for (const [key, text] of [
      ["documents/1/a.pdf", "one"],
      ["documents/1/original/a.csv", "twenty"],
      ["documents/12/c.pdf", "x"],
    ] as const)
      await put(key, text);
    const listed = await Array.fromAsync(store.list("documents/1"));
    expect(listed.map(({ key, size }) => `${key} ${size}`).toSorted()).toEqual([
      "documents/1/a.pdf 3",
      "documents/1/original/a.csv 6",
    ]);
    for (const { modifiedAt } of listed) expect(modifiedAt.getTime()).toBeGreaterThan(before - 5000);
    expect((await Array.fromAsync(store.list("documents"))).length).toBe(3);
    expect(await Array.fromAsync(store.list("documents/3"))).toEqual([]);
  });

  it("reports when a file was last stored below a folder", async () => {
    expect(await store.changedAt("documents/1")).toBeNull();
    const before = Date.now();
    await put("documents/1/original/a.csv", "x");
    await put("documents/12/b.pdf", "x");
    const changedAt = await store.changedAt("documents/1");
    expect(changedAt?.getTime()).toBeGreaterThan(before - 5000);
    expect(changedAt?.getTime()).toBeLessThan(Date.now() + 5000);
    await store.deleteFolder("documents/1");
    expect(await store.changedAt("documents/1")).toBeNull();
  });

  it("accepts names as long as the longest slug, and keeps them distinct", async () => {
    const slug = "a".repeat(255);
    await put(`documents/1/${slug}.pdf`, "one");
    await put(`documents/1/${slug}.txt`, "two");
    expect(await textAt(`documents/1/${slug}.pdf`)).toBe("one");
    expect(await textAt(`documents/1/${slug}.txt`)).toBe("two");
  });

  it.each([
    "",
    "/",
    "/etc/passwd",
    "..",
    "documents/../../x",
    "documents//x",
    "documents/",
    "./x",
    ".incoming/x",
  ])("refuses the key %j", async (key) => {
    await expect(put(key, "x")).rejects.toThrow(FileKeyError);
    await expect(store.stat(key)).rejects.toThrow(FileKeyError);
    await expect(store.read(key)).rejects.toThrow(FileKeyError);
    await expect(store.delete(key)).rejects.toThrow(FileKeyError);
    await expect(store.deleteFolder(key)).rejects.toThrow(FileKeyError);
    await expect(store.changedAt(key)).rejects.toThrow(FileKeyError);
    await expect(store.borrow(key)).rejects.toThrow(FileKeyError);
    await expect(store.signedAddress(key, servedTypeOf("pdf"), 60)).rejects.toThrow(FileKeyError);
  });

  it("responds while it is usable", async () => {
    await expect(store.ping()).resolves.toBeUndefined();
  });
}

async function* bytesOf(parts: Iterable<string | Uint8Array>): AsyncGenerator<Uint8Array> {
  for (const part of parts) yield Buffer.from(part);
}

async function* failingAfter(part: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(part);
  throw new Error("the source failed");
}
