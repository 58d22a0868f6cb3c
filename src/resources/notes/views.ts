import type { View } from "../../http/browsable/view.ts";
import { changedNoteFields, newNoteFields, replacedNoteFields } from "./fields.ts";

export const noteList: View = {
  name: "Note List",
  description:
    "The notes on a document that you may see. Everyone who sees the document may write private notes.",
  fields: { POST: newNoteFields },
  controls: {
    filters: [{ name: "page_number", label: "Page number", help: "The first page is 0" }],
    orderings: [],
  },
};

export const allNotes: View = {
  name: "Notes On All Documents",
  description:
    "The notes that you may see, on all documents that you may see, newest first. " +
    "`/api/notes/export/` has all of them as one file.",
  controls: {
    filters: [
      { name: "q", label: "Search", help: "On documents that this search finds" },
      { name: "project", label: "Project", help: "Ids of projects" },
      { name: "document", label: "Document", help: "Ids of documents" },
      { name: "user", label: "User", help: "Ids of authors" },
      { name: "access", label: "Access", help: "", choices: ["public", "organization", "private"] },
    ],
    orderings: [],
  },
};

export const noteExport: View = {
  name: "Note Export",
  description: "The notes of `/api/notes/` as one file: `as=json` or `as=csv`, with the same filters.",
};

export const noteInstance: View = {
  name: "Note Instance",
  description: "One note on a page of a document, or on a part of it.",
  fields: { PUT: replacedNoteFields, PATCH: changedNoteFields },
};
