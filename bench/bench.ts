import { rmSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Child } from "./child.ts";
import {
  type Bench,
  type Measure,
  frontAndFar,
  hotPage,
  notModified,
  randomCursors,
  asViewer,
  rareVisibility,
} from "./comparisons.ts";
import type { Pace } from "./contest.ts";
import { findOrMakeDataSet, removeUnfinished } from "./data-sets.ts";
import { importRate, startToFirstAnswer } from "./facts.ts";
import { type Ground, type GroundName, type GroundSizes, openGround } from "./grounds.ts";
import type { Aim, Comparison, Fact } from "./report.ts";
import { viewers } from "./sample-documents.ts";

export const letters = ["a", "b", "c", "d", "e", "f", "g", "h", "i"] as const;
export type Letter = (typeof letters)[number];

export interface Plan extends GroundSizes {
  wanted: ReadonlySet<Letter>;
  records: number;
  starts: number;
  pace: Pace;
}

export interface Outcome {
  comparisons: Comparison[];
  facts: Fact[];
}

interface Case {
  letter: Letter;
  on: GroundName;
  what: string;
  measure: Measure;
  aim: Aim | null;
}

const hotAim: Aim = { is: "at least", value: 0.6 };
const randomAim: Aim = { is: "at least", value: 0.25 };
const farAim: Aim = { is: "at most", value: 1.1 };
const viewerAim: Aim = { is: "at most", value: 3 };
const memoryAim: Aim = { is: "below", value: 200 };

const cases: readonly Case[] = [
  { letter: "a", on: "small", what: "one page", measure: hotPage, aim: hotAim },
  { letter: "b", on: "small", what: "random cursors", measure: randomCursors, aim: randomAim },
  { letter: "d", on: "small", what: "one page, 304", measure: notModified, aim: hotAim },
  { letter: "c", on: "large", what: "far end against front", measure: frontAndFar, aim: farAim },
  { letter: "b", on: "large", what: "random cursors", measure: randomCursors, aim: null },
  { letter: "f", on: "rare", what: "1 in 1,000 public against all", measure: rareVisibility, aim: null },
  { letter: "i", on: "rare", what: "who sees 10 more", measure: asViewer(viewers.rare), aim: viewerAim },
  { letter: "i", on: "rare", what: "who sees every second", measure: asViewer(viewers.half), aim: viewerAim },
  { letter: "i", on: "rare", what: "who sees all", measure: asViewer(viewers.all), aim: viewerAim },
  { letter: "e", on: "postgres", what: "one page", measure: hotPage, aim: hotAim },
  { letter: "e", on: "postgres", what: "random cursors", measure: randomCursors, aim: randomAim },
  { letter: "e", on: "postgres", what: "far end against front", measure: frontAndFar, aim: farAim },
  { letter: "e", on: "postgres", what: "one page, 304", measure: notModified, aim: hotAim },
];

/** Measures what is wanted, one after the other. `say` hears what is going on. */
export async function runBench(plan: Plan, say: (text: string) => void): Promise<Outcome> {
  const outcome: Outcome = { comparisons: [], facts: [] };
  const note = (fact: Fact): void => {
    say(`${fact.letter}  ${fact.what}: ${fact.value.toFixed(2)} ${fact.unit}`);
    outcome.facts.push(fact);
  };
  const scratch = await mkdtemp(path.join(tmpdir(), "quire-bench-"));
  // The processes that are measured end with this one.
  process.once("SIGINT", () => {
    rmSync(scratch, { recursive: true, force: true });
    removeUnfinished();
    process.exit(130);
  });
  const bench = { load: new Child("load-generator.ts"), bare: new Child("bare-server.ts"), pace: plan.pace };
  try {
    for (const on of ["small", "large", "rare", "postgres"] as const) {
      const wanted = cases.filter((one) => one.on === on && plan.wanted.has(one.letter));
      if (wanted.length === 0) continue;
      const ground = await openGround(on, plan, scratch, say);
      try {
        const compared = await compareOn(bench, ground, wanted, say);
        outcome.comparisons.push(...compared);
        note(memoryOf(ground, compared));
      } finally {
        await ground.close();
      }
    }
    if (plan.wanted.has("g")) {
      const set = await findOrMakeDataSet({ documents: plan.largeDocuments, publicEvery: 1 }, say);
      note(await startToFirstAnswer(set, plan.starts));
    }
    if (plan.wanted.has("h")) note(await importRate(plan.records));
  } finally {
    await Promise.all([bench.load.stop(), bench.bare.stop()]);
    await rm(scratch, { recursive: true, force: true });
    removeUnfinished();
  }
  return outcome;
}

async function compareOn(
  bench: Bench,
  { name, target, beside }: Ground,
  wanted: readonly Case[],
  say: (text: string) => void,
): Promise<Comparison[]> {
  const compared: Comparison[] = [];
  for (const { letter, what, measure, aim } of wanted) {
    const { result, ratioOf } = await measure(bench, target, beside ?? target);
    say(`${letter}  ${what} (${name}): ${result.rateRatio.toFixed(2)}`);
    compared.push({ letter, what: `${what} (${name})`, aim, result, ratioOf });
  }
  return compared;
}

function memoryOf({ name }: Ground, compared: readonly Comparison[]): Fact {
  const most = Math.max(...compared.map(({ result }) => result.residentBytes));
  return {
    letter: [...new Set(compared.map(({ letter }) => letter))].join(" "),
    what: `resident memory (${name})`,
    value: most / 1e6,
    unit: "MB",
    aim: memoryAim,
  };
}
