import type { NotificationKind } from "./notification.ts";

/** The kinds of mails that tell of what the page of notifications shows, by the kind of the notification. */
export const noticeMails = {
  shared: "shared project",
  mentioned: "mentions",
  processed: "processed documents",
  failed: "failed documents",
  redacted: "redacted documents",
  annotated: "annotated documents",
  opened: "opened documents",
  finished: "finished documents",
  stopped: "stopped webhooks",
} as const satisfies Record<NotificationKind, string>;

/** What a mail is about. */
export const mailKinds = ["invitation", "reset", ...Object.values(noticeMails), "search alert"] as const;
