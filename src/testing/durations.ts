import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { BaseSequencer, type Reporter, type TestModule, type TestSpecification } from "vitest/node";

/*
 * Seconds for each test file, by its path from the root of the repository. `npm run test:durations` measures them and
 * writes tests/durations.json. Every run reads it and starts the longest files first: otherwise one of them starts
 * last, and all workers but one wait for it. `npm run test:quick` takes the short ones.
 */
type Durations = Record<string, number>;

const root = path.join(import.meta.dirname, "../..");
const durationsFile = path.join(root, "tests/durations.json");

export function readDurations(): Durations {
  return JSON.parse(readFileSync(durationsFile, "utf8")) as Durations;
}

const nameOf = (moduleId: string): string => path.relative(root, moduleId);

/** The slowest test files first. A file that nobody has measured may be long. */
function slowestFirst(files: readonly TestSpecification[]): TestSpecification[] {
  const durations = readDurations();
  const secondsOf = ({ moduleId }: TestSpecification): number => durations[nameOf(moduleId)] ?? Infinity;
  return files.toSorted((left, right) => {
    const [first, second] = [secondsOf(left), secondsOf(right)];
    return first === second ? 0 : second - first;
  });
}

/** Starts the longest test files first. */
export class LongestFirst extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return Promise.resolve(slowestFirst(files));
  }
}

/** Starts the shortest test files first, for runs that end with the first failure. */
export class QuickestFirst extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return Promise.resolve(slowestFirst(files).toReversed());
  }
}

/** Writes the durations of the files that ran. Those of other files stay, as long as the files exist. */
export class DurationsReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const measured = modules.map((module): [string, number] => {
      const { collectDuration, duration } = module.diagnostic();
      return [nameOf(module.moduleId), Math.max(0.1, Math.round((collectDuration + duration) / 100) / 10)];
    });
    const all = Object.entries({ ...readDurations(), ...Object.fromEntries(measured) })
      .filter(([name]) => existsSync(path.join(root, name)))
      .toSorted(([left], [right]) => (left < right ? -1 : 1));
    writeFileSync(durationsFile, `${JSON.stringify(Object.fromEntries(all), null, 2)}\n`);
  }
}

/** The reporters of a run: `TEST_DURATIONS=write` adds the one that writes durations. */
export const reporters = [
  "default",
  ...(process.env["TEST_DURATIONS"] === "write" ? [new DurationsReporter()] : []),
];
