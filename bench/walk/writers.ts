import type { DatabaseSettings } from "../../src/database/database.ts";
import { Child } from "../child.ts";
import type { Population } from "./population.ts";
import type { ActionCounts, WriterWork } from "./writer.ts";

export interface Writers {
  /** Fails as soon as one of them ends. */
  failure: Promise<never>;
  /** Lets them finish what they have begun. Resolves to what all of them did together. */
  stop(): Promise<ActionCounts>;
  /** Ends them at once. */
  dismiss(): Promise<void>;
}

/** Starts a process for each part of the population, and waits until all of them write. */
export async function startWriters(
  settings: DatabaseSettings,
  { edited, drifters }: Population,
): Promise<Writers> {
  const children = drifters.map(() => new Child("walk/writer.ts"));
  const failure = Promise.race(children.map(ended));
  failure.catch(() => undefined);
  const dismiss = async (): Promise<void> => void (await Promise.all(children.map((child) => child.stop())));
  const works = drifters.map((own, number): WriterWork => {
    return { settings, seed: Date.now() + number, edited: edited[number] ?? [], drifters: own };
  });
  try {
    await Promise.all(children.map((child, number) => child.ask(works[number])));
  } catch (error) {
    await dismiss();
    throw error;
  }
  return {
    failure,
    async stop() {
      const counts = await Promise.all(children.map((child) => child.ask<ActionCounts>("stop")));
      return counts.reduce(together);
    },
    dismiss,
  };
}

async function ended(child: Child): Promise<never> {
  await child.end();
  throw new Error("A writer ended before its time");
}

function together(one: ActionCounts, other: ActionCounts): ActionCounts {
  const sums = Object.entries(one).map(([action, count]) => [
    action,
    count + other[action as keyof ActionCounts],
  ]);
  return Object.fromEntries(sums) as ActionCounts;
}
