import type { View } from "../../../http/browsable/view.ts";
import { everyBody } from "../../../http/request/body.ts";
import { root } from "../breadcrumbs.ts";

/** Its addresses are read; their answers are no JSON. */
export const documentFile: View = {
  name: "File",
  description: "A file of a document: itself, its text, the images of its pages.",
  parses: everyBody,
  above: [root],
};
