import { Note } from "./note.ts";
import { Organization, User } from "./person.ts";
import { Project } from "./project.ts";
import {
  type Expanded,
  type Static,
  Type,
  dateTime,
  dictionary,
  enumeration,
  expandable,
  id,
  nullable,
  oneOf,
  pageNumber,
  uri,
  uriOrEmpty,
} from "./shape.ts";

export const Section = Type.Object(
  { id: id(), page_number: pageNumber("where it begins; the first page is 0"), title: Type.String() },
  { $id: "Section" },
);
export type Section = Static<typeof Section>;

/** The access levels of a document: they say who may see it once it is ready. */
export const accessLevels = ["public", "organization", "private", "invisible"] as const;
export type DocumentAccess = (typeof accessLevels)[number];

/** The processing states of a document's file: the values of `status` in the API. */
export const statuses = ["success", "readable", "pending", "error", "nofile", "deleted"] as const;
export type DocumentStatus = (typeof statuses)[number];

export const DocumentData = dictionary(Type.Array(Type.String()), {
  $id: "DocumentData",
  description: "free-form metadata: lists of texts by key",
});

/** The members of a record that search results do not have, or not in the same form. */
export const membersOfRecords = {
  id: id(),
  admin_noindex: Type.Boolean(),
  revision_control: Type.Boolean(),
};

/** The members of a document that a search shows the same as a record, in DocumentCloud's order. */
export const documentMembers = {
  access: enumeration(accessLevels),
  asset_url: uri("where the document's files are; ends in a slash"),
  canonical_url: uri("the document's page for people"),
  created_at: dateTime("UTC, ISO 8601 with microseconds and a trailing Z"),
  data: DocumentData,
  description: Type.String(),
  edit_access: Type.Boolean({ description: "whether you may change the document" }),
  file_hash: Type.String({ description: "SHA-1 of the file, 40 hexadecimal digits, or empty" }),
  noindex: Type.Boolean(),
  language: Type.String({ description: "three-letter code" }),
  organization: expandable(Organization, "its id; the organization, if expanded"),
  original_extension: Type.String(),
  page_count: Type.Integer({ minimum: 0 }),
  page_spec: Type.String({ description: "page sizes in points: <width>x<height>:<pages>;…" }),
  projects: Type.Array(oneOf([id(), Project]), { description: "their ids; the projects, if expanded" }),
  publish_at: nullable(dateTime()),
  published_url: uriOrEmpty(),
  related_article: uriOrEmpty(),
  slug: Type.String(),
  source: Type.String(),
  status: enumeration(statuses),
  title: Type.String(),
  updated_at: dateTime(),
  user: oneOf([id(), User, Type.Null()], "its owner's id; the user, if expanded"),
};

/** A document as the list and the record show it. */
export const Document = Type.Object(
  {
    ...membersOfRecords,
    ...documentMembers,
    notes: Type.Optional(Type.Array(Note, { description: "only if expanded" })),
    sections: Type.Optional(Type.Array(Section, { description: "only if expanded" })),
    presigned_url: Type.Optional(
      uri("where to PUT the file; only while the document has none, to those who may"),
    ),
  },
  { $id: "Document" },
);
export type Document = Static<typeof Document>;
export type DocumentWithParts = Expanded<Document, "notes" | "sections">;

export const DeletedDocument = Type.Object(
  {
    id: id("the document's id"),
    title: Type.String(),
    access: enumeration(accessLevels),
    status: enumeration(statuses, "the status that the document had"),
    page_count: Type.Integer({ minimum: 0 }),
    user: id("its owner"),
    organization: id(),
    deleted_at: dateTime(),
    deleted_by: id("the user who deleted it"),
    removed_at: dateTime("when it can no longer be brought back"),
  },
  { $id: "DeletedDocument" },
);
export type DeletedDocument = Static<typeof DeletedDocument>;

export const HistoryEntry = Type.Object(
  {
    id: id(),
    at: dateTime(),
    user: nullable(id("null: Quire itself, or a guest")),
    action: enumeration([
      "created",
      "changed",
      "published",
      "shared",
      "unshared",
      "redacted",
      "modified",
      "replaced",
      "deleted",
      "restored",
      "removed",
      "opened",
      "held",
      "released",
      "disposed",
    ]),
    changes: dictionary(Type.Object({ from: Type.Unknown(), to: Type.Unknown() })),
  },
  { $id: "HistoryEntry" },
);
export type HistoryEntry = Static<typeof HistoryEntry>;

/** A file that a document has already. */
export const Duplicate = Type.Object(
  {
    sha1: Type.String({ description: "40 hexadecimal digits" }),
    count: Type.Integer({ minimum: 1, description: "the documents with this file that you may see" }),
    document: id("the newest of them"),
    title: Type.String(),
    status: enumeration(statuses),
    canonical_url: uri("its page for people"),
  },
  { $id: "Duplicate" },
);
export type Duplicate = Static<typeof Duplicate>;

export const OutlineEntry = Type.Object(
  {
    title: Type.String({ description: "at most 500 characters" }),
    page_number: nullable(pageNumber("the first page is 0; null if the entry leads to no page")),
    level: Type.Integer({ minimum: 0, description: "0 at the top, 1 below an entry of level 0, and so on" }),
  },
  { $id: "OutlineEntry" },
);
export type OutlineEntry = Static<typeof OutlineEntry>;

/** Some rows of one sheet of an original that is a table. */
export const DocumentTable = Type.Object(
  {
    sheets: Type.Array(Type.String(), { description: "their names; a CSV file has one without a name" }),
    sheet: Type.Integer({ minimum: 0 }),
    offset: Type.Integer({ minimum: 0 }),
    rows: Type.Array(Type.Array(Type.String()), { description: "the cells of each row, as text" }),
    next: nullable(uri("the rows after these; null at the end")),
  },
  { $id: "DocumentTable" },
);
export type DocumentTable = Static<typeof DocumentTable>;

export const MailPerson = Type.Object({ name: Type.String(), address: Type.String() }, { $id: "MailPerson" });
export type MailPerson = Static<typeof MailPerson>;

const people = Type.Array(MailPerson);

/** The headers and attachments of an original that is a mail. */
export const DocumentMail = Type.Object(
  {
    from: people,
    to: people,
    cc: people,
    bcc: people,
    subject: Type.String(),
    date: Type.String({ description: "as the mail says it" }),
    headers: Type.Array(Type.Object({ name: Type.String(), value: Type.String() })),
    attachments: Type.Array(
      Type.Object({
        name: Type.String({ description: "empty if it has none" }),
        content_type: Type.String(),
        size: Type.Integer({ minimum: 0, description: "in bytes" }),
      }),
    ),
  },
  { $id: "DocumentMail" },
);
export type DocumentMail = Static<typeof DocumentMail>;
