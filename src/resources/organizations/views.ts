import type { View } from "../../http/browsable/view.ts";

export const organizationList: View = {
  name: "Organization List",
  description: "The organizations that users belong to.",
  controls: {
    filters: [
      {
        name: "individual",
        label: "Individual",
        help: "Whether it is the organization of a single user",
        choices: ["true", "false"],
      },
      { name: "name", label: "Name", help: "The exact name" },
      { name: "name__istartswith", label: "Name begins with", help: "" },
      { name: "slug", label: "Slug", help: "The exact slug" },
      { name: "uuid", label: "UUID", help: "" },
      { name: "id__in", label: "Ids", help: "Ids of organizations, separated by commas" },
    ],
    orderings: [],
  },
};

export const organizationInstance: View = {
  name: "Organization Instance",
  description: "One organization.",
};
