import type { Context } from "../context.ts";
import type { Job, JobKind } from "../jobs/running-job.ts";
import { runAddon, runningFailed } from "../resources/addons/run-addon.ts";
import { runJob } from "../resources/addons/run-store.ts";
import { addonFollower } from "../resources/addons/start-events.ts";
import { followCommits } from "../resources/events/after-commits.ts";
import { type fetchMailsJob, mailInJobs } from "../resources/mailkeys/fetch-mails.ts";
import { alertJob } from "../resources/searches/alert-store.ts";
import { matchSearches } from "../resources/searches/match-searches.ts";
import { alertFollower } from "../resources/searches/queue-matching.ts";
import { webhookFollower } from "../resources/webhooks/queue-deliveries.ts";
import { webhookJob } from "../resources/webhooks/store.ts";

/** What follows the feed of events begins soon after a commit of this process. */
export function followAllCommits(context: Context): void {
  const followers = [webhookFollower, alertFollower];
  if (context.config.addonRunner !== null) followers.push(addonFollower);
  for (const follower of followers) followCommits(context, follower);
}

/** Its jobs, and those of add-ons and mail in, in separate slots, so that documents do not wait for them. */
export const followingJobs = (
  context: Context,
  common: (attemptsAtMost: number) => Omit<JobKind, "run">,
): Record<typeof alertJob | typeof fetchMailsJob | typeof runJob | typeof webhookJob, JobKind> => ({
  ...mailInJobs(context, common(3)),
  [runJob]: {
    run: (job: Job, signal: AbortSignal) => runAddon(context, job, signal),
    failed: (job: Job, reason: string) => runningFailed(context, job, reason),
    attemptsAtMost: 2,
    ownSlots: 2,
  },
  [webhookJob]: {
    run: async (job: Job, signal: AbortSignal) => {
      // It loads Node's own client of HTTP.
      const { deliverToWebhook } = await import("../resources/webhooks/deliver.ts");
      await deliverToWebhook(context, job, signal);
    },
    // What waits is sent after the next event, or by hand.
    ...common(6),
    ownSlots: 8,
  },
  [alertJob]: {
    run: (job: Job, signal: AbortSignal) => matchSearches(context, job, signal),
    // The schedule queues it again within a minute.
    ...common(4),
    ownSlots: 1,
  },
});
