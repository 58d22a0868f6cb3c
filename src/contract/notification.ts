import { type Static, Type, dateTime, enumeration, id, nullable, uri } from "./shape.ts";

/** A project was shared, a note names the person, the work on documents has ended or failed. */
export const notificationKinds = ["shared", "mentioned", "processed", "failed"] as const;
export type NotificationKind = (typeof notificationKinds)[number];

/** Something that a person is told of. */
export const Notification = Type.Object(
  {
    id: id(),
    kind: enumeration(notificationKinds, "`processed` and `failed`: the work on a document has ended"),
    created_at: dateTime("when it happened last"),
    is_new: Type.Boolean({ description: "whether you have not marked it as read" }),
    count: Type.Integer({ minimum: 1, description: "how often it happened before you read it" }),
    by: nullable(id("the user who did it; null if nobody did")),
    by_name: nullable(Type.String({ description: "the name of that user" })),
    title: Type.String({ description: "of the project, or of the latest document" }),
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
