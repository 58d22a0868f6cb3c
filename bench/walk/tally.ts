import { table } from "../report.ts";
import type { Verdict } from "./ledger.ts";
import { orderings } from "./orderings.ts";

interface Counts {
  walks: number;
  pages: number;
  rows: number;
  repeats: number;
  misses: number;
  misplaced: number;
}

/** The results of all walks, by ordering. */
export class Tally {
  readonly #byOrdering = new Map<string, Counts>(orderings.map(({ name }) => [name, none()]));
  #brokenOff = 0;

  add(ordering: string, verdict: Verdict, misses: number): void {
    const counts = this.#byOrdering.get(ordering) ?? none();
    counts.walks += 1;
    counts.misses += misses;
    for (const name of ["pages", "rows", "repeats", "misplaced"] as const) counts[name] += verdict[name];
    this.#byOrdering.set(ordering, counts);
  }

  addBrokenOff(): void {
    this.#brokenOff += 1;
  }

  /** Whether there were walks, and nothing is wrong with any of them. */
  get isProof(): boolean {
    const { walks, repeats, misses, misplaced } = this.#sum();
    return walks > 0 && repeats + misses + misplaced === 0;
  }

  toString(): string {
    const names: readonly (keyof Counts)[] = ["walks", "pages", "rows", "repeats", "misses", "misplaced"];
    const lines = [...this.#byOrdering, ["all", this.#sum()] as const];
    const cells = lines.map(([ordering, counts]) =>
      [ordering].concat(names.map((name) => String(counts[name]))),
    );
    const brokenOff =
      this.#brokenOff === 0 ? "" : `${this.#brokenOff} walks were broken off, and are not counted.\n`;
    return table(["ordering", ...names], cells) + brokenOff;
  }

  #sum(): Counts {
    const sum = none();
    for (const counts of this.#byOrdering.values()) {
      for (const name of Object.keys(sum) as (keyof Counts)[]) sum[name] += counts[name];
    }
    return sum;
  }
}

function none(): Counts {
  return { walks: 0, pages: 0, rows: 0, repeats: 0, misses: 0, misplaced: 0 };
}
