import { LocatedNote, Note, noteAccess } from "../../contract/note.ts";
import { Type } from "../../http/fields/json-schema.ts";
import {
  ErrorDetail,
  ErrorReason,
  ValidationError,
  choiceParameter,
  choicesParameter,
  id,
  idsParameter,
  ifMatch,
  inEither,
  integerParameter,
  listOf,
  paging,
  selecting,
  textParameter,
  textsParameter,
} from "../../http/fields/schema-shapes.ts";

const DocumentParameters = Type.Object({ id: id("the document's id") });
const NoteParameters = Type.Object({ id: id("the document's id"), note: id("the note's id") });
const refusals = { 403: ErrorDetail, 404: ErrorDetail };

export const listing = {
  summary: "The notes on a document that you may see, a page at a time",
  params: DocumentParameters,
  querystring: Type.Object({
    ...paging,
    page_number: integerParameter("of this page; the first is 0", { minimum: 0 }),
    expand: choicesParameter(["user", "organization", "~all"], "what is shown in place of its id"),
    ...selecting,
  }),
  response: { 200: listOf("NoteList", Note), 400: ValidationError, 404: ErrorDetail },
};
const filters = {
  document: idsParameter("on these documents"),
  project: idsParameter("on documents in these projects"),
  user: idsParameter("by these users"),
  access: choicesParameter(noteAccess, "with these levels of access"),
  q: textParameter("on documents that this search finds"),
};
export const listingAll = {
  summary: "The notes on all documents that you may see, newest first",
  querystring: Type.Object({
    ...paging,
    ...filters,
    expand: choicesParameter(["user", "organization", "~all"], "what is shown in place of its id"),
    ...selecting,
  }),
  response: {
    200: listOf("LocatedNoteList", LocatedNote),
    400: ValidationError,
    404: ErrorDetail,
    503: ErrorReason,
  },
};
export const exporting = {
  summary: "All notes that you may see, or those that the filters select, as one file",
  querystring: Type.Object({
    as: choiceParameter(["json", "csv"], "the format; json if not given"),
    ...filters,
  }),
  response: {
    200: inEither({ "application/json": Type.Array(LocatedNote), "text/csv": Type.String() }),
    400: ValidationError,
    503: ErrorReason,
  },
};
export const creating = {
  summary: "Write a note on a document",
  params: DocumentParameters,
  response: { 201: Note, 400: ValidationError, ...refusals },
};
export const reading = {
  summary: "One note",
  params: NoteParameters,
  querystring: Type.Object({ expand: textsParameter("user, user.organization, organization"), ...selecting }),
  response: { 200: Note, 404: ErrorDetail },
};
export const changing = {
  summary: "Change a note",
  params: NoteParameters,
  headers: ifMatch,
  response: { 200: Note, 400: ValidationError, ...refusals, 412: ErrorDetail },
};
export const replacing = { ...changing, summary: "Replace a note" };
export const deleting = {
  summary: "Delete a note",
  params: NoteParameters,
  headers: ifMatch,
  response: { 204: Type.Null(), ...refusals, 412: ErrorDetail },
};
