import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ResponseReader } from "./response-reader.ts";

function readInChunks(text: string, sizes: readonly number[]): [number, number][] {
  const answers: [number, number][] = [];
  const reader = new ResponseReader((status, bytes) => answers.push([status, bytes]));
  const bytes = Buffer.from(text, "latin1");
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const size = sizes[turn % sizes.length] ?? bytes.length;
    reader.take(bytes.subarray(at, at + size));
    at += size;
  }
  return answers;
}

const answer = fc.oneof(
  fc.constant({ text: 'HTTP/1.1 304 Not Modified\r\netag: "a"\r\nContent-Length: 7\r\n\r\n', is: [304, 0] }),
  fc.constant({ text: "HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n", is: [404, 0] }),
  fc.integer({ min: 1, max: 300 }).map((length) => ({
    text: `HTTP/1.1 200 OK\r\nContent-Length: ${length}\r\nvary: Accept\r\n\r\n${"\r\n\r\n".repeat(100).slice(0, length)}`,
    is: [200, length],
  })),
);

describe("a response reader", () => {
  it("counts every answer, however the bytes are cut", () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 1 });
    fc.assert(
      fc.property(fc.array(answer, { minLength: 1, maxLength: 8 }), sizes, (answers, chunkSizes) => {
        const read = readInChunks(answers.map(({ text }) => text).join(""), chunkSizes);
        expect(read).toEqual(answers.map(({ is }) => is));
      }),
    );
  });

  it("refuses an answer without a length", () => {
    expect(() => readInChunks("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n", [200])).toThrow(
      "unknown length",
    );
  });
});
