import type { View } from "../../http/browsable/view.ts";
import { changedSavedSearchFields, savedSearchFields } from "./fields.ts";

export const savedSearchList: View = {
  name: "Saved Search List",
  description: "The searches that you have saved. Nobody else sees them.",
  fields: { POST: savedSearchFields },
};

export const savedSearchInstance: View = {
  name: "Saved Search Instance",
  description: "A search that you have saved.",
  fields: { PUT: savedSearchFields, PATCH: changedSavedSearchFields },
};
