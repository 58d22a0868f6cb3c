import type { View } from "../../http/view.ts";
import { accessLevels, statuses } from "./filters.ts";
import { orderingNames } from "./orderings.ts";

const root = { name: "Api Root", path: "" };

export const documentList: View = {
  name: "Document List",
  description:
    "The documents that you may see, in ascending order of their ids unless you order them otherwise. " +
    "Follow next and previous to walk the whole list: it never repeats nor misses a document, also while others write.",
  allow: "GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS",
  above: [root],
  controls: {
    filters: [
      { name: "user", label: "User", help: "Ids of owners; several with commas" },
      { name: "organization", label: "Organization", help: "Ids of organizations; several with commas" },
      { name: "project", label: "Project", help: "Ids of projects; several with commas" },
      { name: "access", label: "Access", help: "", choices: accessLevels },
      { name: "status", label: "Status", help: "", choices: statuses },
      { name: "id__in", label: "Ids", help: "Ids of documents, with commas" },
      { name: "created_at__gt", label: "Created after", help: "A date or a moment: 2025-01-31" },
      { name: "created_at__lt", label: "Created before", help: "A date or a moment: 2025-01-31" },
      { name: "page_count", label: "Pages", help: "This many" },
      { name: "page_count__gt", label: "Pages, more than", help: "" },
      { name: "page_count__lt", label: "Pages, fewer than", help: "" },
    ],
    orderings: orderingNames.map((value) => ({
      value,
      label: value.startsWith("-") ? `${value.slice(1)}, descending` : `${value}, ascending`,
    })),
  },
};

export const documentInstance: View = {
  name: "Document Instance",
  description: "One document.",
  allow: "GET, PUT, PATCH, DELETE, HEAD, OPTIONS",
  above: [root, { name: "Document List", path: "documents/" }],
};
