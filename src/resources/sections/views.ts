import type { View } from "../../http/browsable/view.ts";
import { sectionFields } from "./fields.ts";

export const sectionList: View = {
  name: "Section List",
  description:
    "The sections of a document, which are its table of contents. Everyone who may change the " +
    "document may add sections.",
  fields: { POST: sectionFields },
};

export const sectionInstance: View = {
  name: "Section Instance",
  description: "A section of a document: its title and the page on which it begins.",
  fields: { PUT: sectionFields, PATCH: sectionFields },
};
