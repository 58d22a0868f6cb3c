import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { metricIn } from "../testing/metrics-text.ts";
import { type MetricsPart, MetricsParts } from "./metrics-parts.ts";
import type { Measurements } from "./metrics.ts";

const measured = (requests: number, running: number): Measurements => [
  {
    name: "requests",
    help: "Requests.",
    type: "counter",
    aggregator: "sum",
    values: [{ labels: {}, value: requests }],
  },
  {
    name: "running",
    help: "Running.",
    type: "gauge",
    aggregator: "sum",
    values: [{ labels: {}, value: running }],
  },
];

/** A process that answers at once, or not at all. */
class Process {
  readonly part: MetricsPart;
  requests = 0;

  constructor(parts: MetricsParts) {
    this.part = parts.add(() => this.part.receive(measured(this.requests, 1)));
  }
}

const others = (): Promise<Measurements> => Promise.resolve(measured(0, 10));
const nothing = (): Promise<Measurements> => Promise.resolve([]);

describe("the metrics of several processes", () => {
  it("are those of all processes together", async () => {
    const parts = new MetricsParts({ measurements: () => Promise.resolve(measured(5, 1)) }, others);
    for (const requests of [1, 2]) new Process(parts).requests = requests;
    const page = await parts.page();
    expect(metricIn(page, "requests")).toBe(8);
    expect(metricIn(page, "running")).toBe(13);
  });

  it("show a process that does not answer as it was when it last did", async () => {
    const parts = new MetricsParts({ measurements: nothing }, nothing);
    parts.add(() => undefined).receive(measured(3, 1));
    expect(metricIn(await parts.page(), "requests")).toBe(3);
  });

  it("never count fewer requests than before, whichever processes begin and end", async () => {
    const step = fc.oneof(
      fc.record({ does: fc.constant("begin" as const) }),
      fc.record({ does: fc.constant("end" as const), which: fc.nat(5) }),
      fc.record({ does: fc.constant("answer" as const), which: fc.nat(5), requests: fc.nat(9) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        const parts = new MetricsParts({ measurements: nothing }, nothing);
        const running: Process[] = [];
        let total = 0;
        for (const next of steps) {
          if (next.does === "begin") running.push(new Process(parts));
          const which = "which" in next ? next.which % Math.max(1, running.length) : 0;
          const process = running[which];
          if (next.does === "answer" && process !== undefined) {
            process.requests += next.requests;
            total += next.requests;
          }
          if (next.does === "end" && process !== undefined) {
            // A process that ends says what it has counted.
            process.part.receive(measured(process.requests, 1));
            parts.end(process.part);
            running.splice(which, 1);
          }
          const page = await parts.page();
          expect(metricIn(page, "requests")).toBe(total);
          expect(metricIn(page, "running")).toBe(running.length);
        }
      }),
      { numRuns: 50 },
    );
  });
});
