import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it } from "vitest";
import { type CommandRun, runCommandLine } from "../../testing/command-runs.ts";
import { emptyStorage, testStorage } from "../../testing/test-app.ts";
import { backup } from "./backup.ts";
import { keyFile } from "./key-file.ts";
import { restore } from "./restore.ts";

const secret = "a-secret-that-signs-sessions-and-is-long-enough";

const quire = (line: string, environment: Record<string, string>): Promise<CommandRun> =>
  runCommandLine([backup, restore, keyFile], line, environment);

it("a backup and a restore name what they need and do not have, but never its value", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "quire-beside-"));
  try {
    await using service = await testStorage("sqlite");
    const key = path.join(folder, "backup.key");
    await quire(`key-file ${key}`, {});
    const repository = path.join(folder, "backups");
    const settings = {
      QUIRE_SECRET: secret,
      QUIRE_URL: "https://docs.example.org",
      QUIRE_BACKUP_KEY_FILE: key,
    };
    const added = await quire(`backup ${repository}`, { QUIRE_DATA: service.config.data, ...settings });
    expect(added.stdout).toContain("keep QUIRE_SECRET elsewhere too");
    expect(added.stdout).toContain(`without the key in ${key}, it cannot be restored`);

    const names = /had these settings: .*QUIRE_URL.*QUIRE_SECRET.*QUIRE_BACKUP_KEY_FILE/;
    await using first = await emptyStorage("sqlite");
    const without = await quire(`restore --key-file ${key} ${repository}`, { QUIRE_DATA: first.config.data });
    expect(without.stdout).toContain("set the same QUIRE_SECRET before you start Quire");
    expect(without.stdout).toMatch(names);
    await using second = await emptyStorage("sqlite");
    const complete = await quire(`restore ${repository}`, { QUIRE_DATA: second.config.data, ...settings });
    expect(complete.code).toBe(0);
    expect(complete.stdout).not.toContain("set the same QUIRE_SECRET");
    expect(complete.stdout).toMatch(names);
    for (const { stdout, stderr } of [added, without, complete])
      expect(stdout + stderr).not.toContain(secret);

    await using third = await emptyStorage("sqlite");
    const refused = await quire(`restore ${repository}`, { QUIRE_DATA: third.config.data });
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(
        "name their key file with --key-file or QUIRE_BACKUP_KEY_FILE",
      ) as string,
    });
  } finally {
    await rm(folder, { recursive: true });
  }
});
