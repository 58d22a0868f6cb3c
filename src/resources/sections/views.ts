import { everyBody } from "../../http/request/body.ts";
import type { View } from "../../http/browsable/view.ts";
import { changedSectionFields, sectionFields } from "./fields.ts";

const above = [
  { name: "Api Root", path: "" },
  { name: "Document List", path: "documents/" },
];

export const sectionList: View = {
  name: "Section List",
  description:
    "The sections of a document, which are its table of contents. Everyone who may change the document may add sections.",
  parses: everyBody,
  fields: { POST: sectionFields },
  above,
};

export const sectionInstance: View = {
  name: "Section Instance",
  description: "A section of a document: its title and the page on which it begins.",
  parses: everyBody,
  fields: { PUT: sectionFields, PATCH: changedSectionFields },
  above,
};
