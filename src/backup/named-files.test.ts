import { setImmediate } from "node:timers/promises";
import pino from "pino";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Context, openContext } from "../context.ts";
import type { FileStore } from "../files/file-store.ts";
import { documentFileKey } from "../files/keys.ts";
import { runFileKey } from "../resources/addons/run-files.ts";
import { addRunsWithFiles } from "../testing/addon-runs.ts";
import { keyOfFile, never } from "../testing/backups.ts";
import { addDocuments } from "../testing/factories.ts";
import { addPerson } from "../testing/people.ts";
import { type TestStorage, testStorage } from "../testing/test-app.ts";
import { WrongContentError } from "./hashes.ts";
import { type CopiedFile, type FileTarget, type Moment, atOneMoment, doubtAbout } from "./named-files.ts";

/** A file with no content of its own: what matters is which version is copied, and when. */
const copyOf = (key: string, version: string): CopiedFile => ({
  key,
  version,
  sha1: `sha1 of ${version}`,
  sha256: `sha256 of ${version}`,
  size: 10,
});

const read = async ({ files: { count, bytes, read: readAll }, faults }: Moment) => ({
  files: (await Array.fromAsync(readAll())).map(({ key, version }) => `${key} ${version}`),
  count,
  bytes,
  faults,
});

describe("copying the files of one moment", () => {
  let storage: TestStorage;
  let context: Context;
  /** The versions of the files in the service, by key. */
  let versions: Map<string, string>;
  /** The copied files, in the order of copying. */
  let copied: string[];
  /** Called before a file is copied. */
  let onCopy: (key: string, version: string) => unknown;

  beforeEach(async () => {
    storage = await testStorage("sqlite");
    context = await openContext(storage.config, pino({ level: "silent" }));
    versions = new Map();
    copied = [];
    onCopy = () => undefined;
  });

  afterEach(async () => {
    await context.close();
    await storage[Symbol.asyncDispose]();
  });

  const files = {
    stat: async (key: string) => {
      const version = versions.get(key);
      return version === undefined ? null : { version, size: 10, modifiedAt: new Date(0) };
    },
  } as FileStore;

  const target: FileTarget = {
    async copy(key, { version }) {
      await onCopy(key, version);
      if (versions.get(key) === undefined) return null;
      copied.push(`${key} ${version}`);
      return copyOf(key, version);
    },
  };

  async function addReadable(
    count: number,
    changes: { original_extension?: string } = {},
  ): Promise<number[]> {
    const row = { slug: "a", status: "readable", ...changes } as const;
    const ids = await addDocuments(
      context,
      Array.from({ length: count }, () => row),
    );
    for (const id of ids) versions.set(keyOfFile(id), "1");
    return ids;
  }

  /** Changes a document, as each write does. */
  const revise = (id: number) =>
    context.database.write((writer) =>
      writer.updateTable("documents").set({ title: "Another title" }).where("id", "=", id).execute(),
    );

  const copyAll = (
    work: (moment: Moment) => Promise<unknown> = read,
    { signal = never, progress = (): void => undefined }: Partial<Parameters<typeof atOneMoment>[2]> = {},
  ) => atOneMoment({ database: context.database, files }, target, { signal, progress }, work);

  /** The same with a change before each moment that is chosen, which is given its number. */
  const copyAtMoments = (beforeMoment: (number: number) => unknown) => {
    const { database } = context;
    let moments = 0;
    const atMoments: typeof database.atOneMoment = async (work) => {
      await beforeMoment((moments += 1));
      return database.atOneMoment(work);
    };
    const watched = { reader: database.reader, atOneMoment: atMoments } as typeof database;
    const options = { signal: never, progress: () => undefined };
    return atOneMoment({ database: watched, files }, target, options, read);
  };

  it("copies each file once, and gives them in order of the documents", async () => {
    const ids = await addReadable(20);
    const steps: [number, number][] = [];
    const result = await copyAll(read, { progress: (done, total) => steps.push([done, total]) });
    const expected = ids.map((id) => `${keyOfFile(id)} 1`);
    expect(result).toEqual({ files: expected, count: 20, bytes: 200, faults: [] });
    expect(copied.toSorted()).toEqual(expected.toSorted());
    expect(steps).toEqual(ids.map((_id, index) => [index + 1, 20]));
  });

  it("copies the original and the PDF of a document", async () => {
    const [id = 0] = await addReadable(1, { original_extension: "docx" });
    const original = documentFileKey(id, "a", "docx");
    versions.set(original, "1");
    expect(await copyAll()).toMatchObject({ files: [`${original} 1`, `${keyOfFile(id)} 1`], count: 2 });
  });

  it("gives files in order of the documents, whichever is copied first", async () => {
    const ids = await addReadable(8);
    onCopy = (key) => (key === keyOfFile(ids.at(-1)!) ? undefined : setImmediate());
    expect(await copyAll()).toMatchObject({ files: ids.map((id) => `${keyOfFile(id)} 1`) });
    expect(copied[0]).toBe(`${keyOfFile(ids.at(-1)!)} 1`);
    expect(copied).toHaveLength(8);
  });

  it("copies the files of runs of add-ons once, after those of documents, without those that are gone", async () => {
    const [id = 0] = await addReadable(1);
    const uuids = [1, 2, 3].map((number) => `0194c6f0-7c1e-4a5b-8d2e-00000000000${number}`);
    await addRunsWithFiles(context.database, (await addPerson(context, { username: "mara" })).id, uuids);
    const [first = "", gone = "", last = ""] = uuids.map((uuid) => runFileKey(uuid, "a.csv"));
    for (const key of [first, last]) versions.set(key, "1");
    const expected = [keyOfFile(id), first, last].map((key) => `${key} 1`);
    expect(await copyAll()).toEqual({ files: expected, count: 3, bytes: 30, faults: [] });
    expect(copied).toEqual(expected);
    expect(versions.has(gone)).toBe(false);
  });

  it("copies the files of runs before it chooses a moment", async () => {
    const uuid = "0194c6f0-7c1e-4a5b-8d2e-000000000001";
    await addRunsWithFiles(context.database, (await addPerson(context, { username: "mara" })).id, [uuid]);
    versions.set(runFileKey(uuid, "a.csv"), "1");
    const before: string[][] = [];
    await copyAtMoments(() => before.push([...copied]));
    expect(before).toEqual([[`${runFileKey(uuid, "a.csv")} 1`]]);
  });

  it("copies again what has changed since, takes what is new and leaves out what is gone", async () => {
    const [gone = 0, changed = 0, last = 0] = await addReadable(3);
    let isChanged = false;
    onCopy = async (key) => {
      if (key !== keyOfFile(last) || isChanged) return;
      isChanged = true;
      await context.database.write((writer) =>
        writer.deleteFrom("documents").where("id", "=", gone).execute(),
      );
      versions.set(keyOfFile(changed), "2");
      await revise(changed);
      await addReadable(1);
    };
    const result = await copyAll();
    const expected = [`${keyOfFile(changed)} 2`, `${keyOfFile(last)} 1`, `${keyOfFile(last + 1)} 1`];
    expect(result).toEqual({ files: expected, count: 3, bytes: 30, faults: [] });
    expect(copied.filter((one) => one === `${keyOfFile(last)} 1`)).toHaveLength(1);
  });

  it("copies files that documents have only at the moment", async () => {
    const [mirrored = 0, other = 0] = await addReadable(2);
    const setAddress = (asset_url: string | null) =>
      context.database.write((writer) =>
        writer.updateTable("documents").set({ asset_url }).where("id", "=", mirrored).execute(),
      );
    await setAddress("https://files.example.org/");
    const result = await copyAtMoments(async () => {
      expect(copied).toEqual([`${keyOfFile(other)} 1`]);
      await setAddress(null);
      await addReadable(1);
    });
    const expected = [mirrored, other, other + 1].map((id) => `${keyOfFile(id)} 1`);
    expect(result).toEqual({ files: expected, count: 3, bytes: 30, faults: [] });
    expect(copied).toHaveLength(3);
  });

  it("chooses another moment if a document whose file is missing has changed since", async () => {
    const [id = 0, other = 0] = await addReadable(2);
    versions.delete(keyOfFile(id));
    let moments = 0;
    const { database } = context;
    const atMoments: typeof database.atOneMoment = async (work) =>
      database.atOneMoment(async (reader) => {
        moments += 1;
        // The file arrives after the first moment, in which it could not be copied.
        if (moments === 1) await revise(id);
        if (moments === 2) versions.set(keyOfFile(id), "2");
        return work(reader);
      });
    const watched = { reader: database.reader, atOneMoment: atMoments } as typeof database;
    let works = 0;
    const result = await atOneMoment(
      { database: watched, files },
      target,
      { signal: never, progress: () => undefined },
      (moment) => {
        works += 1;
        return read(moment);
      },
    );
    const expected = [`${keyOfFile(id)} 2`, `${keyOfFile(other)} 1`];
    expect(result).toEqual({ files: expected, count: 2, bytes: 20, faults: [] });
    expect([moments, works]).toEqual([2, 1]);
  });

  it("names the documents whose files are missing", async () => {
    const [missing = 0, there = 0] = await addReadable(2);
    versions.delete(keyOfFile(missing));
    const faults = [`document ${missing}: its file is missing`];
    expect(await copyAll()).toEqual({ files: [`${keyOfFile(there)} 1`], count: 1, bytes: 10, faults });
  });

  it.each([1, 2, 4])("tries again if a file is replaced while it is copied, %s times", async (times) => {
    const [id = 0] = await addReadable(1);
    onCopy = (key, version) => {
      if (Number(version) > times) return;
      versions.set(key, String(Number(version) + 1));
      throw new Error("The file has changed");
    };
    expect(await copyAll()).toMatchObject({ files: [`${keyOfFile(id)} ${times + 1}`] });
  });

  it("gives up when a file is replaced for the fifth time, cannot be read, or is gone", async () => {
    const [id = 0] = await addReadable(1);
    let copies = 0;
    onCopy = (key, version) => {
      copies += 1;
      versions.set(key, String(Number(version) + 1));
      throw new Error("The file has changed");
    };
    await expect(copyAll()).rejects.toThrow("The file has changed");
    expect(copies).toBe(5);

    copies = 0;
    onCopy = () => {
      copies += 1;
      throw new WrongContentError("Something else came");
    };
    await expect(copyAll()).rejects.toThrow("Something else came");
    expect(copies).toBe(5);

    copies = 0;
    onCopy = () => {
      copies += 1;
      throw new Error("The disk is broken");
    };
    await expect(copyAll()).rejects.toThrow("The disk is broken");
    expect(copies).toBe(1);

    onCopy = (key) => {
      versions.delete(key);
      throw new Error("There is no such file");
    };
    expect(await copyAll()).toMatchObject({ count: 0, faults: [`document ${id}: its file is missing`] });
  });

  it("ends when it is told to, before the next file and in the last look", async () => {
    await addReadable(20);
    const ended = new AbortController();
    onCopy = () => ended.abort(new Error("Enough"));
    await expect(copyAll(read, { signal: ended.signal })).rejects.toThrow("Enough");
    expect(copied.length).toBeLessThan(20);

    const late = new AbortController();
    onCopy = () => undefined;
    const progress = (done: number): void => {
      if (done === 20) late.abort(new Error("Enough"));
    };
    let isWorked = false;
    const work = async () => {
      isWorked = true;
    };
    await expect(copyAll(work, { signal: late.signal, progress })).rejects.toThrow("Enough");
    expect(isWorked).toBe(false);
  });
});

describe("a doubt about copies", () => {
  const document = { id: 7, keys: ["a.docx", "a.pdf"], sha1: null, isFileExpected: true };
  const [original, pdf] = [
    { key: "a.docx", sha1: "1" },
    { key: "a.pdf", sha1: "2" },
  ];

  it.each([
    ["there is a file", document, [original], null],
    ["no file is expected", { ...document, isFileExpected: false }, [], null],
    ["a file is expected", document, [], "document 7: its file is missing"],
    ["the PDF is as it was read", { ...document, sha1: "2" }, [original, pdf], null],
    [
      "a PDF that has no original is as it was read",
      { ...document, keys: ["a.pdf"], sha1: "2" },
      [pdf],
      null,
    ],
    [
      "the PDF is another",
      { ...document, sha1: "1" },
      [original, pdf],
      "document 7: its PDF has changed since it was read",
    ],
    ["the PDF is missing", { ...document, sha1: "1" }, [original], "document 7: its PDF is missing"],
    [
      "all is missing",
      { ...document, sha1: "1", isFileExpected: false },
      [],
      "document 7: its file is missing",
    ],
  ])("arises if it should: %s", (_name, given, copies, doubt) => {
    expect(doubtAbout(given, copies)).toBe(doubt);
  });
});
