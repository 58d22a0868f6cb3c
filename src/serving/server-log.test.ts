import { describe, expect, it, vi } from "vitest";
import { LineBlocks } from "./server-log.ts";

function open() {
  const written: string[] = [];
  return {
    written,
    blocks: new LineBlocks({ write: (text) => written.push(text), flushSync: () => undefined }, 4096),
  };
}

describe("the log of a server process", () => {
  it.each([
    ["x", 10],
    ["文", 500],
  ])("is written in blocks of whole lines, each of at most 4096 bytes (%s)", (letter, maxBlocks) => {
    const { written, blocks } = open();
    const lines = Array.from({ length: 500 }, (_, index) => `${index} ${letter.repeat(index % 60)}\n`);
    for (const line of lines) blocks.write(line);
    blocks.flushSync();
    expect(written.join("")).toBe(lines.join(""));
    for (const block of written) {
      expect(Buffer.byteLength(block)).toBeLessThanOrEqual(4096);
      expect(block.endsWith("\n")).toBe(true);
    }
    expect(written.length).toBeLessThanOrEqual(maxBlocks);
  });

  it("is written within a second", () => {
    vi.useFakeTimers();
    try {
      const { written, blocks } = open();
      blocks.write("a\n");
      blocks.write("b\n");
      expect(written).toEqual([]);
      vi.advanceTimersByTime(1000);
      expect(written).toEqual(["a\nb\n"]);
    } finally {
      vi.useRealTimers();
    }
  });
});
