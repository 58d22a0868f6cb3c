import { globSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeWorkFolder, removeAbandonedWork, workPurposes } from "./work-folders.ts";

async function makeOld(folder: string): Promise<void> {
  await writeFile(path.join(folder, "document.pdf"), "%PDF-");
  const lastWeek = new Date(Date.now() - 7 * 24 * 3600 * 1000);
  await utimes(folder, lastWeek, lastWeek);
}

describe("temporary folders", () => {
  let parent: string;
  beforeEach(async () => {
    parent = await mkdtemp(path.join(tmpdir(), "quire-test-"));
  });
  afterEach(() => rm(parent, { recursive: true }));

  it.each(workPurposes)("of a killed %s are removed, and not those of a running one", async (purpose) => {
    await makeOld((await makeWorkFolder(purpose, parent)).path);
    const young = await makeWorkFolder(purpose, parent);
    await removeAbandonedWork(parent);
    expect(await readdir(parent)).toEqual([path.basename(young.path)]);
    await writeFile(young.file("document.pdf"), "%PDF-");
    await young[Symbol.asyncDispose]();
    expect(await readdir(parent)).toEqual([]);
  });

  it("of another process that runs stay, however old they look", async () => {
    const [running, ended] = ["quire-document-1-aaaaaa", "quire-document-4194305-aaaaaa"];
    for (const name of [running, ended]) {
      await mkdir(path.join(parent, name));
      await makeOld(path.join(parent, name));
    }
    await removeAbandonedWork(parent);
    expect(await readdir(parent)).toEqual([running]);
  });

  it("of other programs stay", async () => {
    for (const name of ["quire-other-a", "spool-a", "quire-spool"]) {
      await mkdir(path.join(parent, name));
      await makeOld(path.join(parent, name));
    }
    await removeAbandonedWork(parent);
    expect(await readdir(parent)).toHaveLength(3);
  });

  it("are made in one place, so that each is removed", () => {
    const sources = globSync("**/*.ts", { cwd: import.meta.dirname }).filter(
      (file) => !/\.test\.ts$|^(?:testing|desk|viewer)\//.test(file),
    );
    const making = sources.filter((file) =>
      /\bmkdtemp(?:Sync)?\b/.test(readFileSync(path.join(import.meta.dirname, file), "utf8")),
    );
    expect(making).toEqual(["work-folders.ts"]);
  });
});
