import { type Static, Type, dateTime, enumeration, id, nullable, uri, uuid } from "./shape.ts";

export const eventTypes = [
  "document.created",
  "document.changed",
  "document.access_changed",
  "document.file_changed",
  "document.processed",
  "document.failed",
  "document.deleted",
  "document.restored",
  "note.created",
  "note.changed",
  "note.deleted",
  "section.created",
  "section.changed",
  "section.deleted",
  "project.created",
  "project.changed",
  "project.deleted",
  "project.document_added",
  "project.document_changed",
  "project.document_removed",
  "project.member_added",
  "project.member_changed",
  "project.member_removed",
  "search.found",
] as const;
export type EventType = (typeof eventTypes)[number];

/** Something that happened. It names what it is about; the rest is read from there. */
export const Event = Type.Object(
  {
    id: id("identifies the event; the order of the events is that of the feed"),
    at: dateTime("when the change was made"),
    type: enumeration(eventTypes),
    document: nullable(id("the document that it is about")),
    project: nullable(id("the project that it is about")),
    note: nullable(id("the note that it is about")),
    section: nullable(id("the section that it is about")),
    user: nullable(id("the collaborator of the project that it is about")),
    search: nullable(uuid("your saved search that has found the document")),
  },
  { $id: "Event" },
);
export type Event = Static<typeof Event>;

export const EventFeed = Type.Object(
  {
    next: uri("where the feed goes on: now if there is more, otherwise later"),
    has_more: Type.Boolean({ description: "whether more has happened already" }),
    results: Type.Array(Event),
  },
  { $id: "EventFeed" },
);
export type EventFeed = Static<typeof EventFeed>;
