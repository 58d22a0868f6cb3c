import type { View } from "../../http/browsable/view.ts";

export const savedSearchList: View = {
  name: "Saved Search List",
  description: "The searches that you have saved. Nobody else sees them.",
};

export const savedSearchInstance: View = {
  name: "Saved Search Instance",
  description: "A search that you have saved.",
};

export const seenView: View = {
  name: "Saved Search Seen",
  description: "POST says that you have seen what the search has found.",
  fields: { POST: {} },
  leadsTo: "..",
};
