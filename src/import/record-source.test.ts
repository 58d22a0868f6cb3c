import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Candidate, positionOf, readCandidates } from "./record-source.ts";

async function* inPieces(bytes: Buffer, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function read(text: string | Buffer, size = 7, limitBytes?: number): Promise<Candidate[]> {
  const found: Candidate[] = [];
  for await (const some of readCandidates(inPieces(Buffer.from(text), size), limitBytes)) found.push(...some);
  return found;
}

const valuesIn = async (text: string | Buffer, size?: number): Promise<unknown[]> =>
  (await read(text, size)).map(({ value, fault }) => fault ?? value);
const namesIn = async (text: string): Promise<string[]> =>
  (await read(text)).map((found) => positionOf("x", found));

const records = [
  { id: 1, title: 'a "quoted" \\ [title] {' },
  { id: 2, data: { tags: ["x,y", "]"] } },
  { id: 3 },
];
const page = { next: null, previous: null, results: records };

describe("a source of records", () => {
  it.each([
    ["one on each line", records.map((record) => `${JSON.stringify(record)}\n`).join("")],
    [
      "one on each line, the last without its end",
      records.map((record) => JSON.stringify(record)).join("\r\n"),
    ],
    ["blank lines between", records.map((record) => `\n  \n${JSON.stringify(record)}\n`).join("")],
    ["an array", JSON.stringify(records)],
    ["an array laid out", JSON.stringify(records, null, 2)],
    ["a page", JSON.stringify(page)],
    ["a page laid out", `\n${JSON.stringify(page, null, "\t")}\n`],
    ["a page wrapped by hand", `{"next":null,\n"results":${JSON.stringify(records)}}`],
    [
      "a page on each line",
      `{"results":[${JSON.stringify(records[0])}]}\n{"results":${JSON.stringify(records.slice(1))}}\n`,
    ],
    ["after a byte order mark", `\ufeff${JSON.stringify(records)}`],
  ])("may be %s, however it arrives", async (_, text) => {
    for (const size of [1, 2, 7, 10_000]) expect(await valuesIn(text, size)).toEqual(records);
  });

  it("may be empty", async () => {
    expect(await valuesIn("")).toEqual([]);
    expect(await valuesIn("\n \n")).toEqual([]);
    expect(await valuesIn("[]")).toEqual([]);
    expect(await valuesIn(" [ \n ] ")).toEqual([]);
    expect(await valuesIn(`{"results":[]}`)).toEqual([]);
  });

  it("may be one record over several lines", async () => {
    expect(await valuesIn(JSON.stringify(records[0], null, 2))).toEqual([records[0]]);
  });

  it("counts positions from 1, blank lines included", async () => {
    expect(await namesIn(`{"id":1}\n\n{"id":2}\nnonsense\n{"results":[{},{}]}`)).toEqual([
      "x, line 1",
      "x, line 3",
      "x, line 4",
      "x, line 5, record 1",
      "x, line 5, record 2",
    ]);
    expect(await namesIn(`[{},{}]`)).toEqual(["x, record 1", "x, record 2"]);
    expect(await namesIn(JSON.stringify(page, null, 1))).toEqual([
      "x, record 1",
      "x, record 2",
      "x, record 3",
    ]);
  });

  it("continues after a broken line, even the first", async () => {
    const found = await read(Buffer.from(`{"id":1,"title":"cut\n{"id":2}\n{"id":\xff}\nnull\n`, "latin1"));
    expect(found.map(({ value, fault }) => fault ?? value)).toEqual([
      expect.stringContaining("not JSON"),
      { id: 2 },
      "not UTF-8",
      null,
    ]);
  });

  it("continues after a broken element", async () => {
    expect(await valuesIn(`[{"id":1}, {"id":}, , {"id":2}]`)).toEqual([
      { id: 1 },
      expect.stringContaining("not JSON"),
      expect.stringContaining("not JSON"),
      { id: 2 },
    ]);
  });

  it("reports an array that does not end, and text after an array", async () => {
    expect(await valuesIn(`[{"id":1},{"id":2`)).toEqual([{ id: 1 }, "the array does not end"]);
    expect(await valuesIn(`[{"id":1}] "x"`)).toEqual([{ id: 1 }, "something follows the array"]);
    expect(await valuesIn(`[1][2]`)).toEqual([1, "something follows the array"]);
  });

  it("skips values that are too long", async () => {
    const long = JSON.stringify({ title: "x".repeat(200) });
    const limit = 100;
    const faults = async (text: string) =>
      (await read(text, 7, limit)).map(({ value, fault }) => (fault === null ? value : "too long"));
    expect(await faults(`{"id":1}\n${long}\n{"id":2}\n`)).toEqual([{ id: 1 }, "too long", { id: 2 }]);
    expect(await faults(`${long}\n{"id":2}\n`)).toEqual(["too long", { id: 2 }]);
    expect(await faults(`[{"id":1},${long},{"id":2}]`)).toEqual([{ id: 1 }, "too long", { id: 2 }]);
    expect(await faults(JSON.stringify(JSON.parse(long), null, 1))).toEqual(["too long"]);
  });

  it("always returns the elements of an array, whatever they are and however the chunks are cut", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.jsonValue().filter((value) => value !== null)),
        fc.integer({ min: 1, max: 20 }),
        fc.constantFrom(undefined, 1, "\t"),
        async (values, size, space) => {
          const text = JSON.stringify(values, null, space);
          expect(await valuesIn(text, size)).toEqual(JSON.parse(text));
        },
      ),
    );
  });

  it("closes its source when the reader stops", async () => {
    let isClosed = false;
    async function* endless(): AsyncGenerator<Uint8Array> {
      try {
        for (;;) yield Buffer.from(`{"id":1}\n`);
      } finally {
        isClosed = true;
      }
    }
    for await (const some of readCandidates(endless())) if (some.length > 0) break;
    expect(isClosed).toBe(true);
  });
});
