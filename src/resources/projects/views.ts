import { everyBody } from "../../http/request/body.ts";
import type { View } from "../../http/browsable/view.ts";
import { collaboratorFields, newCollaboratorFields, newProjectFields, projectFields } from "./schema.ts";

const root = { name: "Api Root", path: "" };
const projects = { name: "Project List", path: "projects/" };

export const projectList: View = {
  name: "Project List",
  description: "The projects that you may see. Whoever makes one is its first admin.",
  parses: everyBody,
  fields: { POST: newProjectFields },
  above: [root],
  controls: {
    filters: [
      { name: "query", label: "Query", help: "Part of the title or the description" },
      { name: "user", label: "Collaborators", help: "Ids of users; several with commas" },
      { name: "document", label: "Documents", help: "Ids; several with commas" },
      { name: "private", label: "Private", help: "", choices: ["true", "false"] },
      { name: "pinned", label: "Pinned", help: "By you", choices: ["true", "false"] },
      {
        name: "is_shared",
        label: "Shared",
        help: "Those of others that you collaborate in",
        choices: ["true"],
      },
      { name: "owned_by_user", label: "Owned", help: "Those that you made", choices: ["true"] },
      { name: "slug", label: "Slug", help: "Exactly this" },
      { name: "title", label: "Title", help: "Exactly this" },
      { name: "id__in", label: "Ids", help: "Ids of projects, with commas" },
    ],
    orderings: [],
  },
};

export const projectInstance: View = {
  name: "Project Instance",
  description: "One project. Its admins change it; whoever sees it may pin it.",
  parses: everyBody,
  fields: { PUT: projectFields, PATCH: projectFields },
  above: [root, projects],
};

export const collaboratorList: View = {
  name: "Collaboration List",
  description: "Who collaborates in the project; shown to its admins.",
  parses: everyBody,
  fields: { POST: newCollaboratorFields },
  above: [root, projects],
};

export const collaboratorInstance: View = {
  name: "Collaboration Instance",
  description: "Someone who collaborates in the project, and what they may do there.",
  parses: everyBody,
  fields: { PUT: collaboratorFields, PATCH: collaboratorFields },
  above: [root, projects],
};
