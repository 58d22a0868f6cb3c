import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Progress } from "./progress.ts";
import type { Clock } from "./progress.ts";

/** A clock that the test advances, which runs the callbacks that are due. */
class HandClock implements Clock {
  #milliseconds = 0;
  readonly #due = new Map<object, { at: number; callback: () => void }>();

  nowMilliseconds = (): number => this.#milliseconds;

  after = (milliseconds: number, callback: () => void): (() => void) => {
    const key = {};
    this.#due.set(key, { at: this.#milliseconds + milliseconds, callback });
    return () => void this.#due.delete(key);
  };

  get waiting(): number {
    return this.#due.size;
  }

  pass(milliseconds: number): void {
    this.#milliseconds += milliseconds;
    for (const [key, { at, callback }] of this.#due) {
      if (at > this.#milliseconds) continue;
      this.#due.delete(key);
      callback();
    }
  }
}

function begin({
  isTTY = true,
  columns = 80,
  total,
}: { isTTY?: boolean; columns?: number; total?: number } = {}) {
  const clock = new HandClock();
  const writes: string[] = [];
  const stream = { isTTY, columns, write: (text: string) => writes.push(text) };
  const progress = new Progress(stream, { unit: "documents", total, clock });
  return { progress, clock, writes, stream };
}

const clear = "\r\x1b[K";

describe("progress on a terminal", () => {
  it("is a line with a bar, the rate, the time left and the name of what is being worked on", () => {
    const { progress, clock, writes } = begin({ total: 10_000 });
    progress.update(0, "first.pdf");
    clock.pass(10_000);
    progress.update(2500, "annual-report.pdf");
    expect(writes).toEqual([
      `${clear}[------------]  0 of 10,000 documents  first.pdf`,
      `${clear}[###---------]  2,500 of 10,000 documents  250/s  30s left  annual-report.pdf`,
    ]);
  });

  it("takes bar and time left from the share of the work that is done, if that is known and the total is not", () => {
    const { progress, clock, writes } = begin();
    clock.pass(10_000);
    progress.update(20_000, "records.ndjson", { share: 0.25 });
    expect(writes).toEqual([`${clear}[###---------]  20,000 documents  2,000/s  30s left  records.ndjson`]);
  });

  it("has no bar and no time left when the total is not known", () => {
    const { progress, clock, writes } = begin();
    clock.pass(4000);
    progress.update(1);
    expect(writes).toEqual([`${clear}1 documents  0.25/s`]);
  });

  it("gives long times in minutes and hours", () => {
    const { progress, clock, writes } = begin({ total: 1000 });
    clock.pass(1000);
    progress.update(1);
    clock.pass(9000);
    progress.update(1);
    expect(writes[0]).toContain("1/s  17m left");
    expect(writes[1]).toContain("0.1/s  2h 47m left");
  });

  it("redraws at most ten times a second, and always draws the last update", () => {
    const { progress, clock, writes } = begin();
    for (let done = 1; done <= 1000; done++) {
      clock.pass(1);
      progress.update(done, `${done}.pdf`);
    }
    expect(writes.length).toBeGreaterThan(8);
    expect(writes.length).toBeLessThanOrEqual(11);
    clock.pass(100);
    expect(writes.at(-1)).toContain("1000.pdf");
    const drawn = writes.length;
    clock.pass(100_000);
    expect(writes).toHaveLength(drawn);
  });

  it("writes a note above the line", () => {
    const { progress, writes } = begin();
    progress.update(3, "a.pdf");
    progress.note("b.pdf: is encrypted");
    expect(writes.slice(1)).toEqual([
      `${clear}b.pdf: is encrypted\n`,
      expect.stringMatching(/3 documents {2}a\.pdf$/),
    ]);
  });

  it("ends with the summary in place of the line, and draws no more", () => {
    const { progress, clock, writes } = begin();
    progress.update(1);
    progress.update(2);
    expect(clock.waiting).toBe(1);
    progress.finish("2 documents are in.");
    progress.finish();
    progress.update(3);
    progress.note("late");
    clock.pass(1000);
    expect(clock.waiting).toBe(0);
    expect(writes.slice(1)).toEqual([clear, "2 documents are in.\n", "late\n"]);
  });

  it("cuts a long name at its beginning", () => {
    const { progress, writes } = begin({ columns: 40 });
    progress.update(7, "/a/long/way/down/to/the/annual-report.pdf");
    expect(writes).toEqual([`${clear}7 documents  …/to/the/annual-report.pdf`]);
    expect(writes[0]?.length).toBe(clear.length + 39);
  });

  it("adapts to a terminal that becomes narrower", () => {
    const { progress, writes, stream, clock } = begin({ total: 100, columns: 100 });
    progress.update(7, "report.pdf");
    stream.columns = 12;
    clock.pass(100);
    progress.update(8, "report.pdf");
    expect(writes[1]).toBe(`${clear}[----------`);
  });

  it("never writes a control character from a name, or past the last column", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.integer({ min: 1, max: 120 }), (name, columns) => {
        const { progress, writes } = begin({ columns, total: 9 });
        progress.update(3, name);
        const line = (writes[0] ?? "").slice(clear.length);
        expect(line).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
        const wide = Array.from(line, (character) =>
          /\p{sc=Han}|\p{Emoji_Presentation}/u.test(character) ? 2 : 1,
        );
        expect(wide.reduce((sum, one) => sum + one, 0)).toBeLessThan(columns);
      }),
    );
  });

  it("keeps a name in a note from forging another line", () => {
    const { progress, writes } = begin({ isTTY: false });
    progress.note("evil\n\x1b[2Jdone.pdf: is broken");
    expect(writes).toEqual(["evil\u{fffd}\u{fffd}[2Jdone.pdf: is broken\n"]);
  });
});

describe("progress elsewhere", () => {
  it("is a plain line every five seconds, without names", () => {
    const { progress, clock, writes } = begin({ isTTY: false, total: 1000 });
    for (let done = 1; done <= 120; done++) {
      clock.pass(100);
      progress.update(done, "a.pdf");
    }
    expect(writes).toEqual([
      "50 of 1,000 documents, 10/s, 2m left\n",
      "100 of 1,000 documents, 10/s, 2m left\n",
    ]);
  });

  it("is only the summary if the action was short", () => {
    const { progress, writes } = begin({ isTTY: false });
    progress.update(1, "a.pdf");
    progress.finish("1 document is in.");
    expect(writes).toEqual(["1 document is in.\n"]);
  });
});
