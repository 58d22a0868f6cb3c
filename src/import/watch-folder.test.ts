import { appendFile, mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import pino from "pino";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Context, openContext } from "../context.ts";
import { addPerson } from "../testing/people.ts";
import { type TestStorage, engines, testStorage } from "../testing/test-app.ts";
import { type WorkFolder, makeWorkFolder } from "../work-folders.ts";
import { FileImport } from "./import-files.ts";
import { findOwner, noChoice } from "./owner.ts";
import { ImportReport } from "./report.ts";
import { FolderWatch } from "./watch-folder.ts";

describe.each(engines)("watching a folder, with %s", (engine) => {
  let storage: TestStorage;
  let context: Context;
  let folder: WorkFolder;
  beforeAll(async () => {
    storage = await testStorage(engine);
    context = await openContext(storage.config, pino({ level: "silent" }));
    await addPerson(context, { username: "keeper", password: "any" });
    folder = await makeWorkFolder("document");
  });
  afterAll(async () => {
    await context.close();
    await storage[Symbol.asyncDispose]();
    await folder[Symbol.asyncDispose]();
  });

  const { signal } = new AbortController();

  /** Watches as a process does that has just started, and looks as often as this. */
  async function watched<T>(
    use: (look: () => Promise<number>, report: ImportReport) => Promise<T>,
  ): Promise<T> {
    const quiet = { update: () => undefined, note: () => undefined, finish: () => undefined };
    const report = new ImportReport(quiet);
    const owner = () => findOwner(context.database, noChoice);
    const files = new FileImport(context, { owner, access: null, signal, report });
    const watch = new FolderWatch(context, folder.path, { files, report, language: null });
    try {
      return await use(() => watch.look(signal), report);
    } finally {
      await files.close();
    }
  }

  const titles = async (): Promise<string[]> => {
    const rows = await context.database.reader
      .selectFrom("documents")
      .select("title")
      .orderBy("id")
      .execute();
    return rows.map(({ title }) => title);
  };

  it("takes in what has stopped growing, once, across restarts and deletions", async () => {
    const growing = folder.file("growing.txt");
    await mkdir(folder.file("in"));
    await writeFile(growing, "a");
    await writeFile(path.join(folder.file("in"), "ready.txt"), "ready");
    await writeFile(folder.file("broken.pdf"), "no PDF");
    await watched(async (look, report) => {
      expect(await look()).toBe(0);
      await appendFile(growing, "b");
      expect(await look()).toBe(2);
      expect([report.added, report.failed, await titles()]).toEqual([1, 1, ["ready"]]);
      expect(await look()).toBe(1);
      expect([await look(), await titles()]).toEqual([0, ["ready", "growing"]]);
    });
    await context.database.write((writer) =>
      writer.deleteFrom("documents").where("title", "=", "ready").execute(),
    );
    await watched(async (look) => {
      expect([await look(), await look(), await titles()]).toEqual([0, 0, ["growing"]]);
      await appendFile(growing, "c");
      expect([await look(), await look(), await titles()]).toEqual([0, 1, ["growing", "growing"]]);
    });
  });

  it("finishes after a crash between the document and the note about its file", async () => {
    await rm(folder.file("growing.txt"));
    await context.database.write((writer) => writer.deleteFrom("watched_files").execute());
    const before = await titles();
    await writeFile(folder.file("again.txt"), "abc");
    await watched(async (look, report) => {
      await look();
      await look();
      expect([report.known, await titles()]).toEqual([1, [...before, "ready"]]);
    });
  });
});
