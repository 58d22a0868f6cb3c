import { describe, expect, it } from "vitest";
import { type ReadBatch, recordsOf } from "./read-batch.ts";
import type { SourceRecord } from "./read-source.ts";
import { readSource } from "./source-reader.ts";

const options = { engine: "sqlite", ownAssets: "" } as const;

const recordsIn = (read: readonly SourceRecord[] | ReadBatch): readonly SourceRecord[] =>
  "staged" in read ? recordsOf(read) : read;

const lines = (count: number): Buffer =>
  Buffer.from(
    Array.from(
      { length: count },
      (_, index) => `${JSON.stringify({ id: index + 1, title: "A report", source: "é".repeat(900) })}\n`,
    ).join(""),
  );

async function* chunksOf(bytes: Buffer, size: number): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
}

describe("the reader of a source", () => {
  it.each([10, 2000])("reads %i records in their order, with their positions", async (count) => {
    const read = await Array.fromAsync(readSource(chunksOf(lines(count), 100_000), options));
    const records = read.flatMap(recordsIn);
    expect(records.map((record) => record.read?.values.id)).toEqual(
      Array.from({ length: count }, (_, index) => index + 1),
    );
    expect(records.at(-1)).toMatchObject({ line: count, record: null, fault: null });
  });

  it.each([10, 2000])("throws an error of reading after the %i records before it", async (count) => {
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield* chunksOf(lines(count), 100_000);
      throw new Error("unplugged");
    }
    let taken = 0;
    const reading = (async () => {
      for await (const records of readSource(broken(), options)) taken += recordsIn(records).length;
    })();
    await expect(reading).rejects.toThrow("unplugged");
    expect(taken).toBe(count);
  });

  it("closes a source of which only the beginning is wanted", async () => {
    let isClosed = false;
    async function* endless(): AsyncGenerator<Uint8Array> {
      try {
        for (;;) yield lines(500);
      } finally {
        isClosed = true;
      }
    }
    for await (const records of readSource(endless(), options)) if (recordsIn(records).length > 0) break;
    expect(isClosed).toBe(true);
  });
});
