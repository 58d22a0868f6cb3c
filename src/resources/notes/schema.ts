import { LocatedNote, Note, noteAccess } from "../../contract/note.ts";
import { Type } from "../../http/fields/json-schema.ts";
import {
  ErrorReason,
  ValidationError,
  choiceParameter,
  choicesParameter,
  idsParameter,
  inEither,
  integerParameter,
  listOf,
  paging,
  selecting,
  textParameter,
  textsParameter,
} from "../../http/fields/schema-shapes.ts";

export const listing = {
  summary: "The notes on a document that you may see, a page at a time",
  query: {
    ...paging,
    page_number: integerParameter("of this page; the first is 0", { minimum: 0 }),
    expand: choicesParameter(["user", "organization", "~all"], "what is shown in place of its id"),
    ...selecting,
  },
  gives: listOf("NoteList", Note),
  also: { 400: ValidationError },
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
  query: {
    ...paging,
    ...filters,
    expand: choicesParameter(["user", "organization", "~all"], "what is shown in place of its id"),
    ...selecting,
  },
  gives: listOf("LocatedNoteList", LocatedNote),
  also: { 400: ValidationError, 503: ErrorReason },
};
export const exporting = {
  summary: "All notes that you may see, or those that the filters select, as one file",
  query: { as: choiceParameter(["json", "csv"], "the format; json if not given"), ...filters },
  gives: inEither({ "application/json": Type.Array(LocatedNote), "text/csv": Type.String() }),
  also: { 400: ValidationError, 503: ErrorReason },
};
export const creating = { summary: "Write a note on a document", gives: Note };
export const reading = {
  summary: "One note",
  query: { expand: textsParameter("user, user.organization, organization"), ...selecting },
  gives: Note,
};
export const changing = { summary: "Change a note", ifMatch: true, gives: Note };
export const replacing = { ...changing, summary: "Replace a note" };
export const deleting = { summary: "Delete a note", ifMatch: true };
