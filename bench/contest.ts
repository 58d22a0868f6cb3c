import { answersPerSecond } from "./load.ts";
import { median } from "./statistics.ts";

/** A server, and what it is asked in one round. */
export interface Side {
  port: number;
  /** Paths for a round of this number: the rounds of both sides have the same numbers. */
  paths: (round: number) => readonly string[];
  headers?: Readonly<Record<string, string>>;
}

export interface ContestResult {
  /** Medians, in answers per second. */
  baseline: number;
  measured: number;
  /** Of measured over baseline, pair by pair. More is better. */
  ratio: { median: number; min: number; max: number };
}

export interface Pace {
  pairs: number;
  /** A whole number, of one side of a pair. */
  seconds: number;
  connections: number;
}

/**
 * Measures two sides in turn, so that whatever else the machine does meets both. The side that begins changes from pair
 * to pair. A first pair is not counted: it compiles, and fills caches.
 */
export async function contest(pace: Pace, baseline: Side, measured: Side): Promise<ContestResult> {
  const pairs: { baseline: number; measured: number }[] = [];
  for (let round = 0; round <= pace.pairs; round++) {
    const rates = { baseline: 0, measured: 0 };
    const sides = [["baseline", baseline] as const, ["measured", measured] as const];
    for (const [name, side] of round % 2 === 0 ? sides : sides.toReversed()) {
      rates[name] = await answersPerSecond({
        ...pace,
        port: side.port,
        paths: side.paths(round),
        headers: { accept: "application/json", ...side.headers },
      });
    }
    if (round > 0) pairs.push(rates);
  }
  const ratios = pairs.map((pair) => pair.measured / pair.baseline);
  return {
    baseline: median(pairs.map((pair) => pair.baseline)),
    measured: median(pairs.map((pair) => pair.measured)),
    ratio: { median: median(ratios), min: Math.min(...ratios), max: Math.max(...ratios) },
  };
}
