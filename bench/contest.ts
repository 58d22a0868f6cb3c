import type { Child } from "./child.ts";
import type { LoadJob, LoadResult } from "./load-generator.ts";
import { median } from "./statistics.ts";

/** A server, and what it is asked in one round. */
export interface Side {
  process: Child;
  port: number;
  /** Paths for a round of this number: the rounds of both sides have the same numbers. */
  paths: (round: number) => readonly string[];
  headers?: Readonly<Record<string, string>>;
  status?: number;
}

/** Medians of the rounds. */
export interface SideFigures {
  perSecond: number;
  /** Of the server, all its threads together. */
  cpuMicroseconds: number;
}

export interface ContestResult {
  baseline: SideFigures;
  measured: SideFigures;
  /** The median of what each round's pair gives: how many requests the measured side answers for one of the baseline. */
  rateRatio: number;
  /** The most that any round saw. */
  generatorShare: number;
  /** The most that the measured side had after any round. */
  residentBytes: number;
}

export interface Pace {
  rounds: number;
  roundSeconds: number;
  connections: number;
}

/**
 * Measures two sides by turns, so that whatever else the machine does meets both. A first round of each is not
 * counted: it compiles, and fills caches.
 */
export async function contest(
  load: Child,
  { rounds, roundSeconds, connections }: Pace,
  baseline: Side,
  measured: Side,
): Promise<ContestResult> {
  const taken: { baseline: Round; measured: Round }[] = [];
  for (let round = 0; round <= rounds; round++) {
    const job = { seconds: roundSeconds, connections, round };
    const pair = {
      baseline: await playRound(load, baseline, job),
      measured: await playRound(load, measured, job),
    };
    if (round > 0) taken.push(pair);
  }
  const both = taken.flatMap((pair) => [pair.baseline, pair.measured]);
  return {
    baseline: figures(taken.map((pair) => pair.baseline)),
    measured: figures(taken.map((pair) => pair.measured)),
    rateRatio: median(taken.map((pair) => pair.measured.perSecond / pair.baseline.perSecond)),
    generatorShare: Math.max(...both.map(({ generatorShare }) => generatorShare)),
    residentBytes: Math.max(...taken.map((pair) => pair.measured.residentBytes)),
  };
}

interface Round extends SideFigures {
  generatorShare: number;
  residentBytes: number;
}

async function playRound(
  load: Child,
  { process, port, paths, headers, status }: Side,
  { round, ...pace }: { seconds: number; connections: number; round: number },
): Promise<Round> {
  const job: LoadJob = {
    ...pace,
    port,
    paths: paths(round),
    headers: { accept: "application/json", ...headers },
    status: status ?? 200,
  };
  const before = await process.usage();
  const { requests, seconds, generatorShare } = await load.ask<LoadResult>(job);
  const after = await process.usage();
  return {
    perSecond: requests / seconds,
    cpuMicroseconds: (after.cpuMicroseconds - before.cpuMicroseconds) / requests,
    generatorShare,
    residentBytes: after.residentBytes,
  };
}

function figures(rounds: readonly Round[]): SideFigures {
  return {
    perSecond: median(rounds.map(({ perSecond }) => perSecond)),
    cpuMicroseconds: median(rounds.map(({ cpuMicroseconds }) => cpuMicroseconds)),
  };
}
