import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { DatabaseSettings } from "../../src/database/database.ts";
import { openDatabase } from "../../src/database/open-database.ts";
import { createThrowawayDatabase, startPostgres } from "../../src/testing/postgres.ts";
import { Chance } from "../chance.ts";
import { afterOwnIds } from "../fill-postgres.ts";
import { startQuire } from "../quire-server.ts";
import { Followers, tallyFollowed } from "./followers.ts";
import { type Population, populate } from "./population.ts";
import { Tally } from "./tally.ts";
import { sendWalkers } from "./walkers.ts";
import type { ActionCounts } from "./writer.ts";
import { startWriters } from "./writers.ts";

export type Engine = "sqlite" | "postgres";

export interface OwnWalks {
  documents: number;
  seconds: number;
  interrupt: AbortSignal;
  /** Whether it is the feed of events that is followed. */
  isOfEvents: boolean;
}

export interface WalkedWhileWriting {
  tally: { readonly isProof: boolean; toString(): string };
  writes: ActionCounts;
}

const writersAtOnce = { walks: 2, events: 8 };

/** Starts a server, walks it while writers change its documents, and removes it with its data. */
export async function walkOwnServer(
  engine: Engine,
  { documents, ...walks }: OwnWalks,
): Promise<WalkedWhileWriting> {
  const dataFolder = await mkdtemp(path.join(tmpdir(), "quire-walk-"));
  const postgres = engine === "postgres" ? await startPostgres() : null;
  try {
    const throwaway = postgres === null ? null : await createThrowawayDatabase(postgres.url);
    const settings = { dataFolder, databaseUrl: throwaway?.url ?? null };
    const writers = walks.isOfEvents ? writersAtOnce.events : writersAtOnce.walks;
    const population = await makePopulation(settings, documents, writers);
    const server = await startQuire(settings);
    try {
      const run = walks.isOfEvents ? followWithWriters : walkWithWriters;
      return await run(server.url, settings, population, walks);
    } finally {
      await server.process.stop();
      await throwaway?.drop();
    }
  } finally {
    await postgres?.stop();
    await rm(dataFolder, { recursive: true, force: true });
  }
}

async function makePopulation(
  settings: DatabaseSettings,
  documents: number,
  writers: number,
): Promise<Population> {
  const database = await openDatabase(settings);
  try {
    const population = await populate(database, new Chance(Date.now()), documents, writers);
    await afterOwnIds(database);
    return population;
  } finally {
    await database.close();
  }
}

async function walkWithWriters(
  url: string,
  settings: DatabaseSettings,
  population: Population,
  walks: Pick<OwnWalks, "seconds" | "interrupt">,
): Promise<WalkedWhileWriting> {
  const tally = new Tally();
  const standing = [...population.pillars, ...population.edited.flat()];
  const writers = await startWriters(settings, population);
  try {
    const walking = sendWalkers({ ...walks, url, standing }, (ordering, verdict) => {
      if (verdict === undefined) tally.addBrokenOff();
      else tally.add(ordering, verdict, verdict.missing.length);
    });
    await Promise.race([walking, writers.failure]);
    return { tally, writes: await writers.stop() };
  } finally {
    await writers.dismiss();
  }
}

async function followWithWriters(
  url: string,
  settings: DatabaseSettings,
  population: Population,
  { seconds, interrupt }: Pick<OwnWalks, "seconds" | "interrupt">,
): Promise<WalkedWhileWriting> {
  const followers = await Followers.start(url);
  const writers = await startWriters(settings, population);
  try {
    const over = wait(seconds * 1000, undefined, { signal: interrupt }).catch(() => undefined);
    await Promise.race([over, writers.failure]);
    const writes = await writers.stop();
    const due = { standing: population.edited.flat(), startId: followers.startId };
    const { isProof, text } = await tallyFollowed(settings, due, await followers.stop());
    return { tally: { isProof, toString: () => text }, writes };
  } finally {
    await writers.dismiss();
  }
}
