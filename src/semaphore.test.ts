import { setImmediate } from "node:timers/promises";
import { array, assert, asyncProperty, constantFrom, integer, nat, record } from "fast-check";
import { describe, expect, it } from "vitest";
import {
  LocalSemaphores,
  type Permits,
  type Release,
  Semaphore,
  type Share,
  TooBusyError,
} from "./semaphore.ts";
import { RemoteSemaphores, SemaphoreClient } from "./shared-semaphores.ts";
import { runs } from "./testing/runs.ts";

const shareOf = (name: string, more: Omit<Share, "name"> = {}): Share[] => [{ name, ...more }];

/** Semaphores as another process sees them, and a function that ends that process. */
function sharedSemaphores(semaphores = new LocalSemaphores()): { remote: RemoteSemaphores; end: () => void } {
  const remote: RemoteSemaphores = new RemoteSemaphores((request) =>
    client.receive(structuredClone(request)),
  );
  const client = new SemaphoreClient(semaphores, (response) => remote.receive(structuredClone(response)));
  return { remote, end: () => client.end() };
}

type NewSemaphore = (permits: number, maxWaiting?: number) => Permits;
const kinds: [string, NewSemaphore][] = [
  ["a semaphore", (permits, maxWaiting) => new Semaphore(permits, maxWaiting)],
  ["a semaphore of another process", (...limits) => sharedSemaphores().remote.open("any", ...limits)],
];

describe.each(kinds)("%s", (_kind, newSemaphore) => {
  it("grants permits in order of arrival, and limits how many requests wait", async () => {
    const semaphore = newSemaphore(1, 2);
    const began: string[] = [];
    const release = await semaphore.acquire();
    const waiting = ["first", "second"].map(async (name) => {
      const releaseThis = await semaphore.acquire();
      began.push(name);
      releaseThis();
    });
    await expect(semaphore.acquire()).rejects.toThrow(TooBusyError);
    expect(began).toEqual([]);
    release();
    release();
    await Promise.all(waiting);
    expect(began).toEqual(["first", "second"]);
    (await semaphore.acquire())();
  });

  it("limits how many permits one party holds or waits for, so that others get theirs", async () => {
    const semaphore = newSemaphore(1, 10);
    const greedy = shareOf("greedy", { maxRequests: 2 });
    const release = await semaphore.acquire(greedy);
    const second = semaphore.acquire(greedy);
    await expect(semaphore.acquire(greedy)).rejects.toThrow(TooBusyError);
    const other = semaphore.acquire(shareOf("other"));
    release();
    (await other)();
    (await second)();
    (await semaphore.acquire(greedy))();
  });

  it("alternates between persons, and between the documents of a person", async () => {
    const semaphore = newSemaphore(1);
    const began: string[] = [];
    const release = await semaphore.acquire();
    const ask = async (person: string, document: string): Promise<void> => {
      const releaseThis = await semaphore.acquire([{ name: person }, { name: document }]);
      began.push(`${person} ${document}`);
      await setImmediate();
      releaseThis();
    };
    const all = [
      ...["a", "a", "a", "b"].map((document) => ask("one", document)),
      ...["c", "c"].map((document) => ask("two", document)),
    ];
    release();
    await Promise.all(all);
    expect(began).toEqual(["one a", "two c", "one b", "two c", "one a", "one a"]);
  });

  it("tells each holder once that another request waits for its share", async () => {
    const semaphore = newSemaphore(Infinity);
    const told: string[] = [];
    const lock = (who: string, name: string): Promise<Release> =>
      semaphore.acquire([{ name, maxHeld: 1 }], { onWanted: () => void told.push(who) });
    const release = await lock("first", "file");
    (await lock("stranger", "other file"))();
    expect(told).toEqual([]);
    const second = lock("second", "file");
    const third = lock("third", "file");
    await setImmediate();
    expect(told).toEqual(["first"]);
    release();
    const releaseSecond = await second;
    expect(told).toEqual(["first", "second"]);
    releaseSecond();
    (await third)();
    expect(told).toEqual(["first", "second"]);
  });

  it("never grants a permit to a request that has left the queue", async () => {
    const semaphore = newSemaphore(1, 1);
    const one = shareOf("one", { maxRequests: 2 });
    const release = await semaphore.acquire(one);
    const leaving = new AbortController();
    const left = semaphore.acquire(one, { signal: leaving.signal });
    await expect(semaphore.acquire(shareOf("other"))).rejects.toThrow(TooBusyError);
    leaving.abort(new Error("gone"));
    await expect(left).rejects.toThrow("gone");
    await expect(semaphore.acquire(one, { signal: leaving.signal })).rejects.toThrow("gone");
    const next = semaphore.acquire(one);
    release();
    (await next)();
  });

  it("never exceeds its permits or a share, and leaves no permit free that a request waits for", async () => {
    const step = record({
      person: constantFrom("p1", "p2", "p3"),
      document: constantFrom("d1", "d2"),
      action: constantFrom("acquire", "release", "leave"),
      index: nat(20),
    });
    await assert(
      asyncProperty(integer({ min: 1, max: 4 }), array(step, { maxLength: 60 }), (permits, steps) =>
        run(newSemaphore(permits), permits, steps),
      ),
      {
        numRuns: runs(200),
      },
    );
  });
});

describe("semaphores that processes share", () => {
  it("limit all processes together, and release the permits of a process that has ended", async () => {
    const all = new LocalSemaphores();
    const [one, other] = [sharedSemaphores(all), sharedSemaphores(all)];
    const [here, there] = [one.remote.open("work", 1, 1), other.remote.open("work", 1, 1)];
    await here.acquire();
    const waiting = there.acquire();
    await expect(all.open("work", 1, 1).acquire()).rejects.toThrow(TooBusyError);
    one.end();
    (await waiting)();
    (await all.open("work", 1, 1).acquire())();
  });
});

async function run(
  semaphore: Permits,
  permits: number,
  steps: { person: string; document: string; action: string; index: number }[],
): Promise<void> {
  const held: { names: string[]; release: Release }[] = [];
  const waiting: { names: string[]; leaving: AbortController }[] = [];
  const limits = new Map([
    ...["p1", "p2", "p3"].map((name) => [name, Math.max(1, permits - 1)] as const),
    ...["d1", "d2"].map((name) => [name, 1] as const),
  ]);
  const mayHold = (names: string[]): boolean =>
    names.every((name) => held.filter((one) => one.names.includes(name)).length < (limits.get(name) ?? 0));
  for (const { person, document, action, index } of steps) {
    if (action === "acquire") {
      const leaving = new AbortController();
      const one = { names: [person, document], leaving };
      waiting.push(one);
      const shares = one.names.map((name) => ({ name, maxHeld: limits.get(name) ?? 0 }));
      void (async () => {
        try {
          held.push({
            names: one.names,
            release: await semaphore.acquire(shares, { signal: leaving.signal }),
          });
        } catch {
          // The request has left the queue.
        }
        waiting.splice(waiting.indexOf(one), 1);
      })();
    } else if (action === "release") held.splice(index % (held.length || 1), 1)[0]?.release();
    else waiting[index % (waiting.length || 1)]?.leaving.abort();
    await setImmediate();
    expect(held.length).toBeLessThanOrEqual(permits);
    for (const [name, limit] of limits)
      expect(held.filter((one) => one.names.includes(name)).length).toBeLessThanOrEqual(limit);
    const couldBegin = waiting.filter(({ names }) => held.length < permits && mayHold(names));
    expect(couldBegin).toEqual([]);
  }
  while (held.length > 0 || waiting.length > 0) {
    held.pop()?.release();
    await setImmediate();
  }
}
