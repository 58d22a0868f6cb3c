import { mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, expect, it, vi } from "vitest";
import { runCommandLine } from "../../testing/command-runs.ts";
import { testStorage } from "../../testing/test-app.ts";
import { backup } from "./backup.ts";

afterEach(() => vi.restoreAllMocks());

it("a backup that fills a disk names the folder, and what to free", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "quire-full-"));
  try {
    await using service = await testStorage("sqlite");
    const line = `backup ${folder}`;
    const environment = { QUIRE_DATA: service.config.data };
    expect((await runCommandLine([backup], line, environment)).code).toBe(0);
    const handle = await open(import.meta.filename);
    const prototype = Object.getPrototypeOf(handle) as typeof handle;
    await handle.close();
    // What a write to a full disk fails with: it names no file.
    const failure = Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
    vi.spyOn(prototype, "writeFile").mockRejectedValue(failure);
    expect(await runCommandLine([backup], line, environment)).toMatchObject({
      code: 1,
      stderr:
        `quire: ${folder}: the disk is full (ENOSPC)\n` +
        "  Free space there. The --keep options of quire backup remove old backups.\n",
    });
  } finally {
    await rm(folder, { recursive: true });
  }
});
