import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Database } from "../database/database.ts";
import { openOn } from "../testing/job-queue.ts";
import { JobSimulation, type Step, createEffects } from "../testing/job-simulation.ts";
import { runs } from "../testing/runs.ts";
import { maxHow } from "../testing/simulated-worker.ts";
import { type TestEngine, type TestStorage, engines, testStorage } from "../testing/test-app.ts";

const workers = 3;
const stepsInRun = 500;

const job = fc.record({ kind: fc.constantFrom("read", "send"), subject: fc.nat(3) });
const worker = fc.nat(workers - 1);
const how = fc.nat(maxHow);
const which = fc.array(fc.nat(11), { minLength: 1, maxLength: 6 });

const weighted: fc.WeightedArbitrary<Step>[] = [
  {
    weight: 12,
    arbitrary: fc.record({
      what: fc.constant("ask"),
      job,
      owner: fc.constantFrom(null, 1, 2),
      afterSeconds: fc.constantFrom(0, 0, 0, 30),
      tells: fc.nat(workers),
    }),
  },
  { weight: 3, arbitrary: fc.record({ what: fc.constantFrom("cancel", "remove"), job }) },
  { weight: 70, arbitrary: fc.record({ what: fc.constant("proceed"), which, how }) },
  {
    weight: 12,
    arbitrary: fc.record({ what: fc.constant("pass"), seconds: fc.constantFrom(0.5, 1, 5, 20, 61, 256) }),
  },
  { weight: 1, arbitrary: fc.record({ what: fc.constantFrom("kill", "stop"), worker }) },
  { weight: 2, arbitrary: fc.record({ what: fc.constantFrom("suspend", "continue", "continue"), worker }) },
  { weight: 2, arbitrary: fc.constant({ what: "look" }) },
];
/** SQLite has one writer at a time: its transactions cannot happen at once. */
const together: fc.WeightedArbitrary<Step> = { weight: 6, arbitrary: fc.constant({ what: "together" }) };

function steps(engine: TestEngine): fc.Arbitrary<Step[]> {
  const step = fc.oneof(...weighted, ...(engine === "postgres" ? [together] : []));
  return fc.array(step, { minLength: 1, maxLength: stepsInRun, size: "max" });
}

describe.each(engines)("the queue on %s", (engine) => {
  let storage: TestStorage;
  let databases: Database[];
  beforeAll(async () => {
    storage = await testStorage(engine);
    databases = await Promise.all(Array.from({ length: workers + 1 }, () => openOn(storage)));
    await createEffects(databases[0] as Database);
  });
  afterAll(async () => {
    for (const database of databases) await database.close();
    await storage[Symbol.asyncDispose]();
  });

  it("gives each request one effect, while its workers die, stall, fail and overtake each other", async () => {
    await fc.assert(
      fc.asyncProperty(steps(engine), async (all) => {
        const simulation = await JobSimulation.begin(databases);
        for (const one of all) await simulation.take(one);
        expect(await simulation.end()).toEqual({ queued: [], servedTwice: [], neverServed: [] });
      }),
      { numRuns: runs(engine === "sqlite" ? 25 : 5), interruptAfterTimeLimit: runs(60_000) },
    );
  });
});
