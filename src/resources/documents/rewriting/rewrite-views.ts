import { jsonBody } from "../../../http/request/body.ts";
import type { View } from "../../../http/browsable/view.ts";
import { modificationFields, redactionFields } from "./rewrite-fields.ts";

const above = [
  { name: "Api Root", path: "" },
  { name: "Document List", path: "documents/" },
];

export const redactionList: View = {
  name: "Redaction List",
  description:
    "Blackens parts of pages, and removes what is under them: from the PDF, the text, the index, the images.",
  parses: [jsonBody],
  fields: { POST: redactionFields },
  takesList: true,
  leadsTo: "..",
  above,
};

export const modificationList: View = {
  name: "Modification List",
  description:
    "Removes, moves, copies and turns pages, and takes pages from other documents: a list of what the whole document is to be.",
  parses: [jsonBody],
  fields: { POST: modificationFields },
  takesList: true,
  leadsTo: "..",
  above,
};

export const postProcess: View = {
  name: "Post process",
  description: "For processing servers of another kind: here the work is done where it was asked for.",
  parses: [jsonBody],
  above,
};
