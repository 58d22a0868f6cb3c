import { once } from "node:events";
import { createGzip, gzipSync } from "node:zlib";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../testing/runs.ts";
import { sha256Of } from "./hashes.ts";
import { type StoredRow, compressRows, readRows } from "./rows-text.ts";

const line = (values: readonly unknown[]): string => `${JSON.stringify(values)}\n`;

async function* iterated(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

const read = (content: string, rows: number): Promise<StoredRow[]> =>
  readRows(iterated(gzipSync(content)), { sha256: sha256Of(content), rows, name: "rows" });

describe("the text of rows", () => {
  // Texts that are longer than what is uncompressed at once, with many characters that JSON escapes.
  const text = fc
    .tuple(
      fc.string({ unit: fc.constantFrom('"', "\\", "\n", "a", "é", "[", ",", "{"), minLength: 1 }),
      fc.nat(20_000),
    )
    .map(([unit, times]) => unit.repeat(times));
  const value = fc.oneof(
    fc.constant(null),
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    text,
  );

  it("gives back the rows that were written", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(value, value), { maxLength: 8 }), async (rows) => {
        const written = [line(["one", "two"]), ...rows.map(line)].join("");
        const found = await readRows(iterated(await compressRows(written)), {
          sha256: sha256Of(written),
          rows: rows.length,
          name: "rows",
        });
        const expected = JSON.parse(JSON.stringify(rows)) as [unknown, unknown][];
        expect(found).toEqual(expected.map(([one, two]) => ({ one, two })));
      }),
      { numRuns: runs(50) },
    );
  });

  it.each([
    ["nothing", "", 1],
    ["no row", line(["a"]), 1],
    ["a row too many", line(["a"]) + line([1]) + line([2]), 1],
    ["a value too many", line(["a"]) + line([1, 2]), 1],
    ["a list", line(["a"]) + line([[1]]), 1],
    ["an object", line(["a"]) + line([{ a: 1 }]), 1],
    ["a truth value", line(["a"]) + line([true]), 1],
    ["something else than a list", `${line(["a"])}{"a":1}\n`, 1],
    ["a line that does not end", `${line(["a"])}[1]`, 1],
    ["a text that does not end", `${line(["a"])}["b\n`, 1],
    ["more rows than Quire writes", line(["a"]) + line([1]).repeat(10_001), 10_001],
    ["more columns than Quire has", line(Array(1001).fill("a")), 0],
    ["a very long name of a column", line(["a".repeat(70_000)]), 0],
  ])("is refused if it has %s", async (_, content, rows) => {
    await expect(read(content, rows)).rejects.toThrow(/^rows(?: has|: )/);
  });

  it("is refused if its hash is another one, or if it is not compressed", async () => {
    const content = line(["a"]) + line([1]);
    const right = { sha256: sha256Of(content), rows: 1, name: "rows" };
    await expect(readRows(iterated(gzipSync(content)), { ...right, sha256: sha256Of("b") })).rejects.toThrow(
      "its content has changed",
    );
    await expect(readRows(iterated(Buffer.from(content)), right)).rejects.toThrow("cannot be uncompressed");
    const failing = async function* failing(): AsyncGenerator<Uint8Array> {
      yield gzipSync(content).subarray(0, 5);
      throw new Error("the store is away");
    };
    await expect(readRows(failing(), right)).rejects.toThrow("the store is away");
  });

  const megabyte = 1024 * 1024;

  it.each([
    ["zeros", "", "\0"],
    ["empty lines", line(["a"]), "\n"],
    ["rows", line(["a"]), line([1])],
    ["nested lists", `${line(["a"])}[`, "[],"],
    ["numbers", `${line(["a"])}[`, "0,"],
    ["a name of a column", '["', "a"],
  ])("is refused at its beginning if it goes on for gigabytes with %s", async (_, start, unit) => {
    let uncompressed = 0;
    const endless = async function* endless(): AsyncGenerator<Uint8Array> {
      const gzip = createGzip({ level: 1 });
      gzip.write(start);
      for (;;) {
        const piece = Buffer.from(unit.repeat(Math.floor(megabyte / unit.length)));
        uncompressed += piece.length;
        if (!gzip.write(piece))
          await once(gzip, "drain", { signal: AbortSignal.timeout(30_000) }).catch(() => undefined);
        for (let bytes = gzip.read() as Buffer | null; bytes !== null; bytes = gzip.read() as Buffer | null)
          yield bytes;
      }
    };
    await expect(readRows(endless(), { sha256: sha256Of(""), rows: 1, name: "rows" })).rejects.toThrow(
      /a line cannot be read|more than 1 rows/,
    );
    expect(uncompressed).toBeLessThan(64 * megabyte);
  });

  it("is refused if a single text has more than a page may have", async () => {
    const content = line(["a"]) + line(["a".repeat(megabyte)]);
    const expected = { sha256: sha256Of(content), rows: 1, name: "rows" };
    const bytes = gzipSync(content);
    expect(await readRows(iterated(bytes), expected)).toHaveLength(1);
    await expect(readRows(iterated(bytes), { ...expected, maxBytes: megabyte })).rejects.toThrow(
      "rows is too long",
    );
  });
});
