import { everyBody } from "../../http/request/body.ts";
import type { View } from "../../http/browsable/view.ts";
import { changedSavedSearchFields, savedSearchFields } from "./fields.ts";

const above = [
  { name: "Api Root", path: "" },
  { name: "Document List", path: "documents/" },
  { name: "Search", path: "documents/search/" },
];
const list = { name: "Saved Search List", path: "documents/search/saved/" };

export const savedSearchList: View = {
  name: "Saved Search List",
  description: "The searches that you have saved. Nobody else sees them.",
  parses: everyBody,
  fields: { POST: savedSearchFields },
  above,
};

export const savedSearchInstance: View = {
  name: "Saved Search Instance",
  description: "A search that you have saved.",
  parses: everyBody,
  fields: { PUT: savedSearchFields, PATCH: changedSavedSearchFields },
  above: [...above, list],
};
