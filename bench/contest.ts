import { answersPerSecond } from "./load.ts";
import { median } from "./statistics.ts";

/** Measures for some seconds, in the round with this number. Resolves to answers per second. */
export type Side = (round: number, pace: Pace) => Promise<number>;

/** A server, and the requests of one round. */
export interface ServerSide {
  port: number;
  /** The paths for the round with this number. The rounds of both sides have the same numbers. */
  paths: (round: number) => readonly string[];
  headers?: Readonly<Record<string, string>>;
}

export interface ContestResult {
  /** Medians, in answers per second. */
  baseline: number;
  measured: number;
  /** Measured over baseline, for each pair. Higher is better. */
  ratio: { median: number; min: number; max: number };
}

export interface Pace {
  pairs: number;
  /** A whole number, for one side of a pair. */
  seconds: number;
  connections: number;
}

/** A server under the load of the bench's client. */
export function serverSide({ port, paths, headers }: ServerSide): Side {
  return (round, pace) =>
    answersPerSecond({
      ...pace,
      port,
      paths: paths(round),
      headers: { accept: "application/json", ...headers },
    });
}

/**
 * Measures two sides in turn, so that other load on the machine affects both. The side that begins alternates. The
 * first pair is not counted, because code is compiled and caches are filled during it.
 */
export async function contest(pace: Pace, baseline: Side, measured: Side): Promise<ContestResult> {
  const pairs: { baseline: number; measured: number }[] = [];
  for (let round = 0; round <= pace.pairs; round++) {
    const rates = { baseline: 0, measured: 0 };
    const sides = [["baseline", baseline] as const, ["measured", measured] as const];
    for (const [name, side] of round % 2 === 0 ? sides : sides.toReversed()) {
      rates[name] = await side(round, pace);
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
