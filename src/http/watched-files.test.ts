import { describe, expect, it } from "vitest";
import { WatchedFiles } from "./watched-files.ts";

describe("the files in health checks", () => {
  const never = new Promise<never>(() => undefined);

  function watchedStore() {
    const clock = { milliseconds: 0 };
    const store = { failure: null as string | null, asked: 0, silent: false };
    const lines: unknown[] = [];
    const files = {
      ping: async () => {
        store.asked++;
        if (store.silent) await never;
        if (store.failure !== null) throw new Error(store.failure);
      },
    };
    const log = {
      error: (...line: unknown[]) => void lines.push(line),
      info: (...line: unknown[]) => void lines.push(line),
    };
    return { clock, store, lines, watched: new WatchedFiles(files, log, () => clock.milliseconds) };
  }

  it("are asked at most every ten seconds, in the background", async () => {
    const { clock, store, watched } = watchedStore();
    expect(await Promise.all([watched.answer(never), watched.answer(never)])).toEqual([true, true]);
    store.failure = "away";
    clock.milliseconds = 9999;
    expect([await watched.answer(never), store.asked]).toEqual([true, 1]);
    clock.milliseconds = 10_000;
    expect([await watched.answer(never), store.asked]).toEqual([true, 2]);
    expect([await watched.answer(never), store.asked]).toEqual([false, 2]);
    store.silent = true;
    clock.milliseconds = 20_000;
    expect([await watched.answer(never), await watched.answer(never), store.asked]).toEqual([
      false,
      false,
      3,
    ]);
    clock.milliseconds = 40_000;
    expect([await watched.answer(never), store.asked]).toEqual([false, 3]);
  });

  it("are logged once when they go, and once when they are back", async () => {
    const { clock, store, lines, watched } = watchedStore();
    const askAt = async (seconds: number, failure: string | null): Promise<void> => {
      store.failure = failure;
      clock.milliseconds = seconds * 1000;
      await watched.answer(never);
      await watched.answer(never);
    };
    await askAt(0, null);
    await askAt(10, "it does not answer");
    await askAt(20, "it does not answer");
    await askAt(30, null);
    expect(lines).toEqual([
      [{ reason: "it does not answer" }, "The files cannot be reached"],
      ["The files can be reached again"],
    ]);
  });

  it("count as away if they have no answer in time", async () => {
    const { store, watched } = watchedStore();
    store.silent = true;
    expect(await watched.answer(Promise.reject(new Error("late")))).toBe(false);
  });
});
