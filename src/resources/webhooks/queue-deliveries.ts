import type { Context } from "../../context.ts";
import { logUnlessAway } from "../../database/database-unavailable.ts";
import { timestampIn } from "../../http/text/timestamp.ts";
import { removeDeliveriesBefore } from "./delivery-store.ts";
import { findBehind, hasWebhooks, queueDelivery } from "./store.ts";

/** Queues a job for each webhook that has not looked at the newest event yet. */
export async function queueDeliveries({ database, jobs }: Pick<Context, "database" | "jobs">): Promise<void> {
  const behind = await findBehind(database);
  if (behind.length === 0) return;
  await database.write(async (writer) => {
    for (const id of behind) await queueDelivery(writer, id);
  });
  jobs.notify();
}

/** Removes what was delivered, or given up, as long ago as events that are removed. */
export async function removeOldDeliveries({
  config,
  database,
}: Pick<Context, "config" | "database">): Promise<void> {
  const moment = timestampIn(-config.eventDays * secondsOfDay);
  await database.write((writer) => removeDeliveriesBefore(writer, moment));
}

const secondsOfDay = 24 * 60 * 60;
const gatherMilliseconds = 20;
/** Where nobody has a webhook, the database is asked for one this seldom. */
const noneMilliseconds = 250;

/**
 * Has webhooks told of what this process commits, soon afterwards. What other programs write, and what a process wrote
 * that was killed at that moment, is found by the schedule.
 */
export function deliverAfterCommits(context: Pick<Context, "database" | "jobs" | "log">): void {
  const { database, log } = context;
  let [isWaiting, noneUntil] = [false, 0];
  const look = async (): Promise<void> => {
    isWaiting = false;
    try {
      if (await hasWebhooks(database)) await queueDeliveries(context);
      else noneUntil = Date.now() + noneMilliseconds;
    } catch (error) {
      logUnlessAway(log, error, "Looking for webhooks failed");
    }
  };
  database.afterCommit(() => {
    if (isWaiting) return;
    isWaiting = true;
    setTimeout(() => void look(), Math.max(gatherMilliseconds, noneUntil - Date.now())).unref();
  });
}
