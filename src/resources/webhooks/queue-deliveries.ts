import type { Context } from "../../context.ts";
import { timestampIn } from "../../http/text/timestamp.ts";
import type { Follower } from "../events/after-commits.ts";
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

/** Has webhooks told of what this process commits. */
export const webhookFollower: Follower = {
  isWanted: hasWebhooks,
  queue: queueDeliveries,
  gatherMilliseconds: 20,
};
