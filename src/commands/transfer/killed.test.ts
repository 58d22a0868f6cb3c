import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { type FSWatcher, watch } from "node:fs";
import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import pino from "pino";
import { describe, expect, it } from "vitest";
import type { Config } from "../../config.ts";
import { openContext } from "../../context.ts";
import { documentFileKey } from "../../files/keys.ts";
import { examineDocuments } from "../../resources/documents/processing/examine-documents.ts";
import { addDocuments } from "../../testing/factories.ts";
import { emptyStorage, startAppOn, testStorage } from "../../testing/test-app.ts";

const main = path.join(import.meta.dirname, "../../main.ts");
const count = 100;

function start({ data, databaseUrl }: Config, args: readonly string[]): ChildProcess {
  const database = databaseUrl === null ? {} : { QUIRE_DATABASE_URL: databaseUrl };
  const env = { PATH: process.env["PATH"], QUIRE_DATA: data, ...database };
  return spawn(process.execPath, [main, ...args], { env, stdio: ["ignore", "pipe", "pipe"] });
}

/** Runs a command of the program to its end. */
async function quire(
  config: Config,
  ...args: string[]
): Promise<{ code: number; out: string; errors: string }> {
  const child = start(config, args);
  const [out, errors, [code]] = await Promise.all([
    text(child.stdout as NonNullable<typeof child.stdout>),
    text(child.stderr as NonNullable<typeof child.stderr>),
    once(child, "exit") as Promise<[number]>,
  ]);
  return { code, out, errors };
}

/** Runs a command, and kills it as soon as it has created a file whose path below this folder matches. */
async function kill(
  config: Config,
  { folder, file }: { folder: string; file: RegExp },
  ...args: string[]
): Promise<void> {
  await mkdir(folder, { recursive: true });
  const child = start(config, args);
  const watcher: FSWatcher = watch(folder, { recursive: true }, (_, name) => {
    if (name !== null && file.test(name)) child.kill("SIGKILL");
  });
  const [, signal] = (await once(child, "exit")) as [number | null, string | null];
  watcher.close();
  expect(signal).toBe("SIGKILL");
}

async function addService(config: Config): Promise<void> {
  const context = await openContext(config, pino({ level: "silent" }));
  const contents = Array.from({ length: count }, (_, index) => `the file ${index}`);
  const ids = await addDocuments(
    context,
    contents.map((content) => ({ slug: "a", file_hash: createHash("sha1").update(content).digest("hex") })),
  );
  for (const [index, id] of ids.entries()) {
    const content = Buffer.from(contents[index] ?? "");
    await context.files.put(
      documentFileKey(id, "a", "pdf"),
      (async function* bytes() {
        yield content;
      })(),
    );
  }
  await context.close();
}

async function differencesOf(config: Config): Promise<string[]> {
  const context = await openContext(config, pino({ level: "silent" }));
  try {
    const found = await Array.fromAsync(examineDocuments(context, { hashes: true }));
    // Documents of this test have no texts.
    return found.map(({ what }) => what).filter((what) => !what.includes("the text of 0"));
  } finally {
    await context.close();
  }
}

describe("commands that are killed", () => {
  it("backup and restore leave nothing that counts as complete or can start, and continue in the next run", async () => {
    const target = await mkdtemp(path.join(tmpdir(), "quire-killed-"));
    await using from = await testStorage("sqlite");
    await using to = await emptyStorage("postgres");
    try {
      await addService(from.config);
      await kill(from.config, { folder: target, file: /^files\/\w\w\/\w{64}$/ }, "backup", target);
      expect(await readdir(target)).not.toContain("backups");
      expect(await readdir(target)).toContain("unfinished.json");
      const refused = await quire(to.config, "restore", target);
      expect(refused).toMatchObject({ code: 1, errors: "quire: The only backup there has not finished\n" });
      const again = await quire(from.config, "backup", target);
      expect(again).toMatchObject({ code: 0, out: expect.stringContaining(`${count} files`) as string });
      expect(await readdir(target)).not.toContain("unfinished.json");

      const files = path.join(to.config.data, "files");
      await kill(to.config, { folder: files, file: /documents\/\d+\/a\.pdf$/ }, "restore", target);
      await expect(startAppOn(to.config)).rejects.toThrow(/The database is incomplete: quire restore/);
      expect(await quire(to.config, "restore", target)).toMatchObject({ code: 0 });
      expect(await differencesOf(to.config)).toEqual([]);
    } finally {
      await rm(target, { recursive: true });
    }
  });

  it("export and import of an archive leave nothing that counts as complete, and continue in the next run", async () => {
    const target = await mkdtemp(path.join(tmpdir(), "quire-killed-"));
    await using from = await testStorage("postgres");
    await using to = await testStorage("sqlite");
    try {
      await addService(from.config);
      const file = /^data\/documents\/\d+\/a\.pdf$/;
      await kill(from.config, { folder: target, file }, "export", "--archive", target);
      expect(await readdir(target)).not.toContain("bagit.txt");
      const refused = await quire(to.config, "import", "--archive", target);
      expect(refused.code).toBe(1);
      expect(refused.errors).toContain("the export of this archive has not finished. Run it again");
      const again = await quire(from.config, "export", "--archive", target);
      expect(again).toMatchObject({
        code: 0,
        out: expect.stringContaining(`${count} documents in`) as string,
      });

      const files = path.join(to.config.data, "files");
      await kill(
        to.config,
        { folder: files, file: /documents\/\d+\/a\.pdf$/ },
        "import",
        "--archive",
        target,
      );
      const imported = await quire(to.config, "import", "--archive", target);
      expect(imported.code).toBe(0);
      const summary = /([\d,]+) documents in(?:, (\d+) known already)?/.exec(imported.errors) ?? [];
      expect(Number(summary[1]) + Number(summary[2] ?? 0)).toBe(count);
      expect(await differencesOf(to.config)).toEqual([]);
    } finally {
      await rm(target, { recursive: true });
    }
  });
});
