import type { View } from "../../http/browsable/view.ts";
import { membershipFields } from "./change-memberships.ts";

export const membershipList: View = {
  name: "Project Membership List",
  description: "The documents in a project that you may see.",
  fields: { POST: membershipFields, PUT: membershipFields, PATCH: membershipFields },
  controls: {
    filters: [{ name: "document_id__in", label: "Documents", help: "Ids of documents, separated by commas" }],
    orderings: [
      { value: "created_at", label: "created_at, ascending" },
      { value: "-created_at", label: "created_at, descending" },
    ],
  },
};

const { edit_access } = membershipFields;

export const membershipInstance: View = {
  name: "Project Membership Instance",
  description: "A document in a project, and whether it is shared with the project's collaborators.",
  fields: { PUT: { edit_access }, PATCH: { edit_access } },
};
