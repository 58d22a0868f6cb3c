import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { FairReadings } from "./fair-readings.ts";

const { signal } = new AbortController();

function lineOf() {
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const readings = new FairReadings({
    async read(_borrow, read) {
      await new Promise<void>((resolve) => ends.push(resolve));
      return read(undefined as never);
    },
  });
  const ask = (asker: string, until = signal): Promise<unknown> =>
    readings.of(asker, until).read(
      async () => null,
      async () => begun.push(asker),
    );
  const endAll = async (): Promise<void> => {
    for (let end = ends.shift(); end !== undefined; end = ends.shift()) {
      end();
      await setImmediate();
    }
  };
  return { ask, begun, endAll };
}

describe("the line before PDFs that are being looked at", () => {
  it("has places for others, however much one asks for", async () => {
    const { ask, begun, endAll } = lineOf();
    const greedy = Array.from({ length: 84 }, () =>
      ask("greedy").then(
        () => 200,
        (error) => error.status,
      ),
    );
    const other = ask("other");
    await setImmediate();
    await endAll();
    await other;
    expect((await Promise.all(greedy)).filter((status) => status === 503)).toHaveLength(84 - 16);
    expect(begun.filter((one) => one === "greedy")).toHaveLength(16);
    expect(begun.at(-1)).toBe("other");
  });

  it("goes on without who has hung up", async () => {
    const { ask, begun, endAll } = lineOf();
    const leaving = new AbortController();
    const staying = [ask("one"), ask("two")];
    const gone = Array.from({ length: 10 }, () =>
      ask("three", leaving.signal).catch((error) => error.status),
    );
    const last = ask("four");
    leaving.abort();
    expect(new Set(await Promise.all(gone))).toEqual(new Set([503]));
    await setImmediate();
    await endAll();
    await Promise.all([...staying, last]);
    expect(begun).toEqual(["one", "two", "four"]);
  });
});
