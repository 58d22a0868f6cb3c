import type { View } from "../../http/browsable/view.ts";
import { userFields } from "./schema.ts";

export const userList: View = {
  name: "User List",
  description:
    "The users that you may know about: members of your organizations and projects, and everyone who has published.",
  controls: {
    filters: [
      { name: "name", label: "Full name", help: "The exact name" },
      { name: "name__istartswith", label: "Full name begins with", help: "" },
      { name: "username", label: "Username", help: "" },
      { name: "uuid", label: "UUID", help: "" },
      { name: "id__in", label: "Ids", help: "Ids of users, separated by commas" },
      { name: "organization", label: "Organizations", help: "Ids, separated by commas" },
      { name: "project", label: "Projects", help: "Ids, separated by commas" },
    ],
    orderings: [],
  },
};

export const userInstance: View = {
  name: "User Instance",
  description: "One user. Everything that a user creates belongs to their active organization.",
  fields: { PUT: userFields, PATCH: userFields },
};
