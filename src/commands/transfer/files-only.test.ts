import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { expect, it } from "vitest";
import { documentFileKey } from "../../files/keys.ts";
import { type CommandRun, runCommandLine } from "../../testing/command-runs.ts";
import { addDocuments } from "../../testing/factories.ts";
import { emptyStorage, startAppOn, testStorage } from "../../testing/test-app.ts";
import { backup } from "./backup.ts";
import { restore } from "./restore.ts";

const quire = (line: string, data: string): Promise<CommandRun> =>
  runCommandLine([backup, restore], line, { QUIRE_DATA: data });

it("files are backed up without the database, and restored beside it", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "quire-files-only-"));
  await using storage = await testStorage("sqlite");
  try {
    await using app = await startAppOn(storage.config);
    const { files } = app.context;
    const ids = await addDocuments(
      app.context,
      Array.from({ length: 3 }, () => ({ slug: "a", page_count: 0 })),
    );
    const keyAt = (index: number): string => documentFileKey(ids[index] ?? 0, "a", "pdf");
    const put = (index: number, text: string): Promise<void> =>
      files.put(keyAt(index), Readable.from([Buffer.from(text)]));
    for (const index of ids.keys()) await put(index, `file ${index}`);
    const { data } = storage.config;
    const repository = path.join(folder, "backups");

    const first = await quire(`backup --files-only ${repository}`, data);
    expect(first).toMatchObject({ code: 0 });
    expect(first.stdout).toMatch(/^Backup \S+: as of \S+Z, without the database, 3 files \(18 bytes\)\./);
    const again = await quire(`backup --files-only ${repository}`, data);
    expect(again.stdout).toMatch(/New: 0 files, /);
    expect(await quire(`restore --verify ${repository}`, data)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/is whole: 0 rows, 3 files/) as string,
    });

    await using empty = await emptyStorage("sqlite");
    const refused = await quire(`restore ${repository}`, empty.config.data);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain("has files alone. Restore the database by its own tools");

    await files.delete(keyAt(0));
    await put(1, "FILE 1");
    const untouched = await files.stat(keyAt(2));
    const restored = await quire(`restore --files-only ${repository}`, data);
    expect(restored).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Restored the files of backup \S+: 0 rows, 3 files/) as string,
    });
    for (const index of ids.keys())
      expect(String(await buffer((await files.read(keyAt(index))) ?? Readable.from([])))).toBe(
        `file ${index}`,
      );
    expect(await files.stat(keyAt(2))).toEqual(untouched);
    expect((await quire(`restore --files-only --verify ${repository}`, data)).stderr).toContain(
      "--files-only: not with --verify",
    );
  } finally {
    await rm(folder, { recursive: true });
  }
});
