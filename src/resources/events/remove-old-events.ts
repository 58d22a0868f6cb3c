import type { Context } from "../../context.ts";
import { timestampIn } from "../../http/text/timestamp.ts";
import { removeEventsBefore } from "./store.ts";

const secondsOfDay = 24 * 60 * 60;

/** Removes the events whose days are over. */
export async function removeOldEvents({
  config,
  database,
}: Pick<Context, "config" | "database">): Promise<void> {
  await removeEventsBefore(database, timestampIn(-config.eventDays * secondsOfDay));
}
