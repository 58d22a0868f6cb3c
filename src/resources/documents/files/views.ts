import type { View } from "../../../http/browsable/view.ts";
import { everyBody } from "../../../http/request/body.ts";
import { list, root } from "../breadcrumbs.ts";

/** This view only serves GET, and its responses are files, not JSON. */
export const documentFile: View = {
  name: "File",
  description: "A document's file, its text or an image of one of its pages.",
  parses: everyBody,
  above: [root],
};

export const documentOutline: View = {
  name: "Document Outline",
  description: "The table of contents that a document's PDF has itself. Sections are Quire's own.",
  parses: everyBody,
  above: [root, list],
};
