import { Organization, User } from "./person.ts";
import {
  type Static,
  Type,
  dateTime,
  enumeration,
  expandable,
  id,
  nullable,
  oneOf,
  pageNumber,
  uri,
} from "./shape.ts";

/** Who may see a note, besides its author. */
export const noteAccess = ["public", "organization", "private"] as const;
export type NoteAccess = (typeof noteAccess)[number];

const coordinate = nullable(
  Type.Number({
    minimum: 0,
    maximum: 1,
    description: "a part of the page's width or height; null for a note about the whole page",
  }),
);

export const Note = Type.Object(
  {
    id: id(),
    user: expandable(User, "its author's id; the author, if expanded"),
    organization: oneOf(
      [id(), Organization, Type.Null()],
      "the id of the one that was its author's active one; the organization, if expanded",
    ),
    page_number: pageNumber(),
    access: enumeration(noteAccess),
    edit_access: Type.Boolean({ description: "whether you may change the note" }),
    title: Type.String(),
    content: Type.String({ description: "as it was sent" }),
    content_html: Type.String({ description: "as HTML that a page may show as it is" }),
    x1: coordinate,
    x2: coordinate,
    y1: coordinate,
    y2: coordinate,
    created_at: dateTime(),
    updated_at: dateTime(),
  },
  { $id: "Note" },
);
export type Note = Static<typeof Note>;

/** A note in a list of notes of several documents. */
export const LocatedNote = Type.Object(
  {
    ...Note.properties,
    document: id("the id of its document"),
    document_title: Type.String(),
    canonical_url: uri("where the note is open in its document"),
  },
  { $id: "LocatedNote" },
);
export type LocatedNote = Static<typeof LocatedNote>;
