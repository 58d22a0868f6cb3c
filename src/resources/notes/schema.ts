import { Type } from "typebox";

const Coordinate = Type.Union([Type.Number(), Type.Null()], {
  description: "0 to 1, as a part of the page; null for a note about the whole page",
});
const Note = Type.Object({
  id: Type.Integer(),
  user: Type.Unknown({ description: "its author's id; the author, if expanded" }),
  organization: Type.Unknown({
    description: "the id of the one that was its author's active one; the organization, if expanded",
  }),
  page_number: Type.Integer({ description: "the first page is 0" }),
  access: Type.String({ description: "public, organization or private" }),
  edit_access: Type.Boolean({ description: "whether whoever asks may change the note" }),
  title: Type.String(),
  content: Type.String({ description: "as it was sent" }),
  content_html: Type.String({ description: "as HTML that a page may show as it is" }),
  x1: Coordinate,
  x2: Coordinate,
  y1: Coordinate,
  y2: Coordinate,
  created_at: Type.String(),
  updated_at: Type.String(),
});
const Detail = Type.Object({ detail: Type.String() });
const Faults = Type.Unknown({ description: "messages by field" });
const link = Type.Union([Type.String(), Type.Null()]);
const text = (description: string) => Type.Optional(Type.String({ description }));

const DocumentParameters = Type.Object({ id: Type.String({ description: "the document's id" }) });
const NoteParameters = Type.Object({
  id: Type.String({ description: "the document's id" }),
  note: Type.String({ description: "the note's id" }),
});
const members = {
  fields: text("only these members"),
  omit: text("without these members"),
};
const IfMatch = Type.Object({ "if-match": text("an ETag: 412 unless the note still has it") });
const refusals = { 403: Detail, 404: Detail };

export const listing = {
  summary: "The notes on a document that you may see, a page at a time",
  params: DocumentParameters,
  querystring: Type.Object({
    cursor: text("a place in the list, from next or previous"),
    per_page: text("notes on a page, 1 to 1000; 25 if not given"),
    page_number: text("of this page; the first is 0"),
    expand: text("user, organization"),
    ...members,
  }),
  response: {
    200: Type.Object({ next: link, previous: link, results: Type.Array(Note) }),
    400: Faults,
    404: Detail,
  },
};
export const creating = {
  summary: "Write a note on a document",
  params: DocumentParameters,
  response: { 201: Note, 400: Faults, ...refusals },
};
export const reading = {
  summary: "One note",
  params: NoteParameters,
  querystring: Type.Object({ expand: text("user, user.organization, organization"), ...members }),
  response: { 200: Note, 404: Detail },
};
export const changing = {
  summary: "Change a note",
  params: NoteParameters,
  headers: IfMatch,
  response: { 200: Note, 400: Faults, ...refusals, 412: Detail },
};
export const replacing = { ...changing, summary: "Replace a note" };
export const deleting = {
  summary: "Delete a note",
  params: NoteParameters,
  headers: IfMatch,
  response: { 204: Type.Null(), ...refusals, 412: Detail },
};
