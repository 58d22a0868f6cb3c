import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import pino from "pino";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { KeptImages } from "./kept-images.ts";

describe("stored page images", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "quire-images-"));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const logged: string[] = [];
  const log = pino({ write: (line: string) => void logged.push(line) });
  const keptIn = (folder: string, limitBytes: number): KeptImages => new KeptImages(folder, limitBytes, log);
  const folderOf = (document: number, name: string): string =>
    path.join(folder, "documents", String(document), name);

  async function keep(document: number, name: string, bytes: number, usedHoursAgo: number): Promise<void> {
    const file = folderOf(document, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, Buffer.alloc(bytes));
    const used = Date.now() / 1000 - usedHoursAgo * 3600;
    await utimes(file, used, used - 1000 * 3600);
  }

  it("are removed when there are too many, least recently used first", async () => {
    await keep(1, "a.pdf", 5000, 9000);
    await keep(1, "images/one/p1-large.gif", 400, 3);
    await keep(1, "images/two/p1-large.gif", 400, 1);
    await keep(2, "images/one/p1-large.gif", 400, 2);
    await keep(2, "original/a.docx", 5000, 9000);
    await keptIn(folder, 1200).sweep();
    expect(await readdir(folderOf(1, "images/one"))).toEqual(["p1-large.gif"]);
    await keptIn(folder, 1100).sweep();
    expect(await readdir(folderOf(1, "images/one"))).toEqual([]);
    expect(await readdir(folderOf(1, "images/two"))).toEqual(["p1-large.gif"]);
    expect(await readdir(folderOf(2, "images/one"))).toEqual(["p1-large.gif"]);
    expect([await readdir(folderOf(1, "")), await readdir(folderOf(2, "original"))]).toEqual([
      ["a.pdf", "images"],
      ["a.docx"],
    ]);
  });

  it("are swept whenever a tenth of the space has been filled", async () => {
    const images = keptIn(folder, 1000);
    await keep(1, "images/one/p1-large.gif", 1500, 1);
    await images.note(100);
    expect(await readdir(folderOf(1, "images/one"))).toHaveLength(1);
    await images.note(1);
    expect(await readdir(folderOf(1, "images/one"))).toHaveLength(0);
  });

  it("may be absent", async () => {
    await keptIn(path.join(folder, "nowhere"), 1000).sweep();
    expect(logged).toEqual([]);
  });
});
