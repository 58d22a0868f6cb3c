import { describe, expect, it } from "vitest";
import { TooBusyError, Semaphore } from "./semaphore.ts";

describe("turns", () => {
  it("are given one after the other, and to no more than may wait", async () => {
    const turns = new Semaphore(1, 2);
    const began: string[] = [];
    const end = await turns.take();
    const waiting = ["first", "second"].map(async (name) => {
      const ended = await turns.take();
      began.push(name);
      ended();
    });
    await expect(turns.take()).rejects.toThrow(TooBusyError);
    expect(began).toEqual([]);
    end();
    await Promise.all(waiting);
    expect(began).toEqual(["first", "second"]);
    (await turns.take())();
  });

  it("leave some for others, whoever comes first", async () => {
    const turns = new Semaphore(1, 10, 2);
    const end = await turns.take("greedy");
    const second = turns.take("greedy");
    await expect(turns.take("greedy")).rejects.toThrow(TooBusyError);
    const other = turns.take("other");
    end();
    (await second)();
    (await other)();
    (await turns.take("greedy"))();
  });

  it("are not given to whoever has left the line", async () => {
    const turns = new Semaphore(1, 1, 2);
    const end = await turns.take("one");
    const leaving = new AbortController();
    const left = turns.take("one", leaving.signal);
    await expect(turns.take("other")).rejects.toThrow(TooBusyError);
    leaving.abort(new Error("gone"));
    await expect(left).rejects.toThrow("gone");
    await expect(turns.take("one", leaving.signal)).rejects.toThrow("gone");
    const next = turns.take("one");
    end();
    (await next)();
  });
});
