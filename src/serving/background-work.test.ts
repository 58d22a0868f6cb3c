import { rename, writeFile } from "node:fs/promises";
import path from "node:path";
import pino from "pino";
import { describe, expect, it, vi } from "vitest";
import { openContext } from "../context.ts";
import { enqueue, hasJobs } from "../jobs/queue.ts";
import { processJob } from "../resources/documents/file-facts-store.ts";
import { testStorage } from "../testing/test-app.ts";
import { BackgroundWork } from "./background-work.ts";

describe("BackgroundWork", () => {
  it("restarts its thread after the pauses of its backoff, and logs only the first failure", async () => {
    await using storage = await testStorage("sqlite");
    const logged: { level: number; msg: string }[] = [];
    const write = (line: string): void => void logged.push(JSON.parse(line) as (typeof logged)[number]);
    const log = pino({ level: "debug", base: null }, { write });
    const context = await openContext(storage.config, log);
    const { database } = context;
    const [folder, aside] = ["files", "aside"].map((name) => path.join(storage.config.data, name));
    if (folder === undefined || aside === undefined) throw new Error("no folder");
    await rename(folder, aside);
    await writeFile(folder, "no folder");
    await database.write((writer) => enqueue(writer, { kind: processJob, subject: 99 }));

    const hadThreadInPause: boolean[] = [];
    const backoff = {
      next: (): number => {
        // The pause has begun by then.
        queueMicrotask(() => {
          context.jobs.notify();
          hadThreadInPause.push(work.hasThread);
        });
        return 20;
      },
    };
    const work = new BackgroundWork(context, { backoff });
    work.start();
    const failures = () => logged.filter(({ msg }) => msg === "The thread that processes documents failed");
    try {
      await vi.waitFor(() => expect(failures().length).toBeGreaterThan(2), { timeout: 60_000 });
      expect(
        failures()
          .slice(0, 3)
          .map(({ level }) => level),
      ).toEqual([50, 20, 20]);
      expect(hadThreadInPause.slice(0, 2)).toEqual([false, false]);
      await rename(folder, `${aside}-file`);
      await rename(aside, folder);
      await vi.waitFor(async () => expect(await hasJobs(database.reader)).toBe(false), { timeout: 60_000 });
      expect(logged.at(-1)).toMatchObject({
        level: 30,
        msg: "The thread that processes documents works again",
      });
    } finally {
      await work.stop();
      await context.close();
    }
  });

  it.each(["QUIRE_PROCESSING_WORKERS=0", "QUIRE_READ_ONLY=on"])("lets jobs wait with %s", async (setting) => {
    const [name = "", value = ""] = setting.split("=");
    await using storage = await testStorage("sqlite", { [name]: value });
    const context = await openContext(storage.config, pino({ level: "silent" }));
    const work = new BackgroundWork(context);
    try {
      await context.database.write((writer) => enqueue(writer, { kind: processJob, subject: 99 }));
      work.start();
      context.jobs.notify();
      expect(work.hasThread).toBe(false);
    } finally {
      await work.stop();
      await context.close();
    }
  });

  it("ends its thread when it is idle, and starts one again when a job is queued", async () => {
    await using storage = await testStorage("sqlite");
    const context = await openContext(storage.config, pino({ level: "silent" }));
    const { database } = context;
    const work = new BackgroundWork(context, { idleSeconds: 1 });
    const ask = (): Promise<void> =>
      database.write((writer) => enqueue(writer, { kind: processJob, subject: 99 }));
    const done = (): Promise<void> =>
      vi.waitFor(async () => expect(await hasJobs(database.reader)).toBe(false), { timeout: 60_000 });
    try {
      for (const round of [1, 2]) {
        await ask();
        if (round === 1) work.start();
        await done();
        await vi.waitFor(() => expect(work.hasThread).toBe(false), { timeout: 60_000 });
      }
    } finally {
      await work.stop();
      await context.close();
    }
  });
});
