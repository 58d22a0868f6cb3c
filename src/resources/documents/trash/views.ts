import type { View } from "../../../http/browsable/view.ts";
import { jsonBody } from "../../../http/request/body.ts";
import { bulkIdsFields } from "../record/fields.ts";

export const trashList: View = {
  name: "Trash",
  description:
    "Deleted documents that you may bring back, the last deleted one first. DELETE with id__in " +
    "removes up to 25 for good.",
};

export const trashRestoring: View = {
  name: "Restore",
  description: "Brings deleted documents back from the trash, with everything that belongs to them.",
  parses: [jsonBody],
  fields: { POST: bulkIdsFields },
  leadsTo: "..",
};
