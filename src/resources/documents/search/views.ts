import type { View } from "../../../http/browsable/view.ts";

export const search: View = {
  name: "Search",
  description:
    "Documents that match a query, best matches first. The documentation describes the query language of q.",
  controls: {
    filters: [
      { name: "q", label: "Query", help: 'Words, "phrases", AND, OR, NOT, field:value' },
      { name: "sort", label: "Sort", help: "score, created_at, page_count, title, source, id" },
      { name: "hl", label: "Highlights", help: "", choices: ["true"] },
      { name: "explain", label: "Explain", help: "", choices: ["true"] },
    ],
    orderings: [],
  },
};

export const suggest: View = {
  name: "Suggestions",
  description: "Completions of the last word of a query, from the documents that you may see.",
  controls: { filters: [{ name: "q", label: "Query", help: "" }], orderings: [] },
};

export const pageSearch: View = {
  name: "Page search",
  description: "The pages of a document that match a query.",
  controls: {
    filters: [
      { name: "q", label: "Query", help: "" },
      { name: "paged", label: "Paged", help: "Every matching page, a few at a time", choices: ["true"] },
    ],
    orderings: [],
  },
};
