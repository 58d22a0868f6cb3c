import type { Context } from "../../context.ts";
import type { Follower } from "../events/after-commits.ts";
import { hasAlerts, isAnyBehind, queueMatching } from "./alert-store.ts";

/** Queues the job that compares searches, if any has not been compared with the newest event. */
export async function queueIfBehind({ database, jobs }: Pick<Context, "database" | "jobs">): Promise<void> {
  if (!(await isAnyBehind(database))) return;
  await database.write((writer) => queueMatching(writer));
  jobs.notify();
}

/** Queues it in any case: rights change without an event, and the time of a mail comes. */
export async function queueAlerts({ database, jobs }: Pick<Context, "database" | "jobs">): Promise<void> {
  if (!(await hasAlerts(database))) return;
  await database.write((writer) => queueMatching(writer));
  jobs.notify();
}

/** Has searches compared with what this process commits. */
export const alertFollower: Follower = {
  isWanted: hasAlerts,
  queue: queueIfBehind,
  gatherMilliseconds: 500,
};
