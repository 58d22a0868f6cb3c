import { everyBody } from "../../http/request/body.ts";
import type { View } from "../../http/browsable/view.ts";
import { changedNoteFields, newNoteFields, replacedNoteFields } from "./fields.ts";

const above = [
  { name: "Api Root", path: "" },
  { name: "Document List", path: "documents/" },
];

export const noteList: View = {
  name: "Note List",
  description:
    "The notes on a document that you may see. Everyone who sees the document may write private notes.",
  parses: everyBody,
  fields: { POST: newNoteFields },
  above,
  controls: {
    filters: [{ name: "page_number", label: "Page number", help: "The first page is 0" }],
    orderings: [],
  },
};

export const noteInstance: View = {
  name: "Note Instance",
  description: "One note on a page of a document, or on a part of it.",
  parses: everyBody,
  fields: { PUT: replacedNoteFields, PATCH: changedNoteFields },
  above,
};
