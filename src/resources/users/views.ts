import { everyBody } from "../../http/request/body.ts";
import type { View } from "../../http/browsable/view.ts";
import { userFields } from "./schema.ts";

const root = { name: "Api Root", path: "" };

export const userList: View = {
  name: "User List",
  description:
    "The users that you know of: those of your organizations and projects, and whoever has published.",
  parses: everyBody,
  above: [root],
  controls: {
    filters: [
      { name: "name", label: "Full name", help: "Exactly this" },
      { name: "name__istartswith", label: "Full name begins with", help: "" },
      { name: "username", label: "Username", help: "" },
      { name: "uuid", label: "UUID", help: "" },
      { name: "id__in", label: "Ids", help: "Ids of users, with commas" },
      { name: "organization", label: "Organizations", help: "Ids; several with commas" },
      { name: "project", label: "Projects", help: "Ids; several with commas" },
    ],
    orderings: [],
  },
};

export const userInstance: View = {
  name: "User Instance",
  description: "One user. The active organization is the one that what they make belongs to.",
  parses: everyBody,
  fields: { PUT: userFields, PATCH: userFields },
  above: [root, { name: "User List", path: "users/" }],
};
