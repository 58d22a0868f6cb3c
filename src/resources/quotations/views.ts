import type { View } from "../../http/browsable/view.ts";

export const quotations: View = {
  name: "Quotations",
  description:
    "Whether words stand on a page, exactly, as you may see it now. Kinds of spaces, hyphens and quotation marks " +
    "do not count; every letter and digit does.",
  controls: {
    filters: [
      { name: "quote", label: "Quotation", help: "The words to check" },
      { name: "document", label: "Document", help: "The id of a document; all documents if empty" },
      { name: "page_number", label: "Page", help: "The first page is 0; all pages if empty" },
    ],
    orderings: [],
  },
};
