import type { Context } from "../../context.ts";
import type { Database } from "../../database/database.ts";
import { logUnlessAway } from "../../database/database-unavailable.ts";

/** Work that follows the feed: webhooks are told, saved searches compared. */
export interface Follower {
  /** Whether anybody wants it. */
  isWanted: (database: Database) => Promise<boolean>;
  /** Queues what is to be done, if anything is. */
  queue: (context: Pick<Context, "database" | "jobs">) => Promise<void>;
  /** How long it gathers what is committed. */
  gatherMilliseconds: number;
}

/** Where nobody wants it, the database is asked this seldom. */
const unwantedMilliseconds = 250;

/**
 * Queues work soon after a commit of this process. The schedule finds what other programs write, and what a
 * process wrote that ended at that moment.
 */
export function followCommits(
  context: Pick<Context, "database" | "jobs" | "log">,
  { isWanted, queue, gatherMilliseconds }: Follower,
): void {
  const { database, log } = context;
  let [isWaiting, unwantedUntil] = [false, 0];
  const look = async (): Promise<void> => {
    isWaiting = false;
    try {
      if (await isWanted(database)) await queue(context);
      else unwantedUntil = Date.now() + unwantedMilliseconds;
    } catch (error) {
      if (database.closing.aborted) return;
      logUnlessAway(log, error, "Queueing what follows a commit failed");
    }
  };
  database.afterCommit(() => {
    if (isWaiting) return;
    isWaiting = true;
    setTimeout(() => void look(), Math.max(gatherMilliseconds, unwantedUntil - Date.now())).unref();
  });
}
