import type { Context } from "../context.ts";
import { ScheduleRunner, type ScheduledWork } from "../jobs/schedule-runner.ts";
import type { Publisher } from "../resources/documents/record/publisher.ts";
import type { Branding } from "../resources/branding/branding.ts";
import { queueEmbedding } from "../resources/documents/embeddings/embed-documents.ts";
import { removeFilesOfDeleted } from "../resources/documents/record/remove-files.ts";
import { removeRunFiles, startAddons } from "../resources/addons/start-events.ts";
import { removeOldEvents } from "../resources/events/remove-old-events.ts";
import { queueEmptying } from "../resources/documents/trash/empty-trash.ts";
import { requestMeasuring } from "../resources/administration/measure-storage.ts";
import { queueFetching } from "../resources/mailkeys/fetch-mails.ts";
import { queueExtending } from "../resources/keeping/extend-holds.ts";
import { removeEndedProductions } from "../resources/productions/remove-productions.ts";
import { queueProposing } from "../resources/keeping/propose.ts";
import { queueAlerts } from "../resources/searches/queue-matching.ts";
import { queueDeliveries, removeOldDeliveries } from "../resources/webhooks/queue-deliveries.ts";
import { limitsStorage } from "../resources/documents/uploads/quotas.ts";
import { removeEndedAssistants } from "../resources/users/assistants/grant.ts";
import { ResumableUploads } from "../resources/documents/uploads/resumable-uploads.ts";

const hourSeconds = 3600;

/**
 * What happens by itself in each process that answers requests. Every process does all of it, because each row is cheap
 * when there is nothing to do and harmless when another process does the same. Longer work is queued as a job. A
 * read-only server only reads.
 */
export function scheduleOf(context: Context, publisher: Publisher, branding: Branding): ScheduleRunner {
  const uploads = new ResumableUploads(context, publisher);
  const reading: readonly ScheduledWork[] = [["read the branding", 0.25, () => branding.look()]];
  const table: readonly ScheduledWork[] = [
    ...reading,
    // As often as this, so that times which other processes have set are noticed within a quarter of a second.
    ["publish documents", 0.25, () => publisher.look()],
    // What this process has not committed itself.
    ["queue webhooks", 10, () => queueDeliveries(context)],
    ["compare saved searches", 60, () => queueAlerts(context)],
    ["extend legal holds", hourSeconds, () => queueExtending(context)],
    ["propose dispositions", 24 * hourSeconds, () => queueProposing(context)],
    ["empty the trash", hourSeconds, () => queueEmptying(context)],
    ["remove old events", hourSeconds, () => removeOldEvents(context)],
    ["remove old deliveries", hourSeconds, () => removeOldDeliveries(context)],
    ["remove unfinished uploads", hourSeconds, () => uploads.removeExpired()],
    ["remove files of deleted documents", hourSeconds, () => removeFilesOfDeleted(context)],
    ["remove files of productions", hourSeconds, () => removeEndedProductions(context)],
    ...(context.config.addonRunner === null
      ? []
      : ([
          ["start add-ons", 60, () => startAddons(context)],
          ["remove files of add-ons", hourSeconds, () => removeRunFiles(context)],
        ] as const)),
    ...(context.config.assistantSignIn === "off"
      ? []
      : [["remove ended assistants", hourSeconds, () => removeEndedAssistants(context)] as const]),
    ...(context.config.mailInImap === null
      ? []
      : [["fetch mails", 60, () => queueFetching(context)] as const]),
    ...(context.config.embeddingModel === null
      ? []
      : [["embed documents", 30, () => queueEmbedding(context)] as const]),
    ...(limitsStorage(context.config)
      ? [["measure the storage", hourSeconds, () => requestMeasuring(context)] as const]
      : []),
  ];
  return new ScheduleRunner(context.config.readOnly ? reading : table, context.log);
}
