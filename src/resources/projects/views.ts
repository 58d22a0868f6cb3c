import type { View } from "../../http/browsable/view.ts";
import { collaboratorFields, newCollaboratorFields, newProjectFields, projectFields } from "./schema.ts";

export const projectList: View = {
  name: "Project List",
  description: "The projects that you may see. The user who creates a project is its first admin.",
  fields: { POST: newProjectFields },
  controls: {
    filters: [
      { name: "query", label: "Query", help: "Part of the title or the description" },
      { name: "user", label: "Collaborators", help: "Ids of users, separated by commas" },
      { name: "document", label: "Documents", help: "Ids, separated by commas" },
      { name: "private", label: "Private", help: "", choices: ["true", "false"] },
      { name: "pinned", label: "Pinned", help: "By you", choices: ["true", "false"] },
      {
        name: "is_shared",
        label: "Shared",
        help: "Projects of other users that you collaborate in",
        choices: ["true"],
      },
      { name: "owned_by_user", label: "Owned", help: "Projects that you created", choices: ["true"] },
      { name: "slug", label: "Slug", help: "The exact slug" },
      { name: "title", label: "Title", help: "The exact title" },
      { name: "id__in", label: "Ids", help: "Ids of projects, separated by commas" },
    ],
    orderings: [],
  },
};

export const projectInstance: View = {
  name: "Project Instance",
  description: "One project. Its admins may change it. Everyone who sees it may pin it.",
  fields: { PUT: projectFields, PATCH: projectFields },
};

export const collaboratorList: View = {
  name: "Collaboration List",
  description: "The collaborators of the project. Only its admins see them.",
  fields: { POST: newCollaboratorFields },
};

export const collaboratorInstance: View = {
  name: "Collaboration Instance",
  description: "A collaborator of the project and their access to it.",
  fields: { PUT: collaboratorFields, PATCH: collaboratorFields },
};
