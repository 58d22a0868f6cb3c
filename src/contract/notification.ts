import { type Static, Type, dateTime, enumeration, id, nullable, uri } from "./shape.ts";

/**
 * What people are told of. `processed`, `redacted` and `failed` are the ends of work on documents of their own;
 * `annotated`, `opened` and `finished` are what others do with documents that they own or work on in a project.
 */
export const notificationKinds = [
  "shared",
  "mentioned",
  "processed",
  "failed",
  "redacted",
  "annotated",
  "opened",
  "finished",
  "stopped",
] as const;
export type NotificationKind = (typeof notificationKinds)[number];

/** Told on the page alone, by mail too, or not at all. */
export const noticeChoices = ["page", "mail", "off"] as const;
export type NoticeChoice = (typeof noticeChoices)[number];

/** What holds until a person chooses. */
export const defaultNotices: Readonly<Record<NotificationKind, NoticeChoice>> = {
  shared: "mail",
  mentioned: "mail",
  processed: "page",
  failed: "mail",
  redacted: "page",
  annotated: "page",
  opened: "page",
  finished: "page",
  stopped: "mail",
};

/** Something that a person is told of. */
export const Notification = Type.Object(
  {
    id: id(),
    kind: enumeration(notificationKinds, "what has happened"),
    created_at: dateTime("when it happened last"),
    is_new: Type.Boolean({ description: "whether you have not marked it as read" }),
    count: Type.Integer({ minimum: 1, description: "how often it happened before you read it" }),
    by: nullable(id("the user who did it; null if nobody did")),
    by_name: nullable(Type.String({ description: "the name of that user" })),
    title: Type.String({ description: "of the project or of the latest document; the name of the webhook" }),
    canonical_url: uri("of the page that it is about"),
  },
  { $id: "Notification" },
);
export type Notification = Static<typeof Notification>;

/** What a person is told of, the newest first. */
export const Notifications = Type.Object(
  {
    unread: Type.Integer({ minimum: 0, description: "how many you have not marked as read" }),
    results: Type.Array(Notification, { description: "at most 100; without what you may no longer see" }),
  },
  { $id: "Notifications" },
);
export type Notifications = Static<typeof Notifications>;

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
export const mailKinds = [
  "invitation",
  "reset",
  ...Object.values(noticeMails),
  "search alert",
  "message",
] as const;
