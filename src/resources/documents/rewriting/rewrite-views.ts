import { patternKinds } from "../../../contract/work.ts";
import { jsonBody } from "../../../http/request/body.ts";
import type { View } from "../../../http/browsable/view.ts";
import { copyFields, redactionFields } from "./redaction-fields.ts";
import { modificationFields } from "./rewrite-fields.ts";

export const redactionList: View = {
  name: "Redaction List",
  description:
    "Blackens parts of pages, and removes the content under them from the PDF, the text, the index and the images.",
  parses: [jsonBody],
  fields: { POST: redactionFields },
  takesList: true,
  leadsTo: "..",
};

export const redactionsUnderWay: View = {
  name: "Redactions under way",
  description: "The redactions that wait or run: those that you have asked for, and those of your documents.",
};

export const redactedCopyList: View = {
  name: "Redacted Copies",
  description:
    "Makes a new document of the file with parts of its pages blackened, and leaves the document itself as it is.",
  parses: [jsonBody],
  fields: { POST: copyFields },
  leadsTo: "..",
};

export const mentionList: View = {
  name: "Mention List",
  description: "The places where words stand in a document, with the boxes that a redaction of them needs.",
  controls: {
    filters: [
      { name: "q", label: "Words", help: "One after the other; a star stands for any ending" },
      {
        name: "kind",
        label: "Kind",
        help: "Instead of words: numbers and addresses of this kind",
        choices: patternKinds,
      },
      { name: "start", label: "Start", help: "The page to begin with; pages count from 0" },
    ],
    orderings: [],
  },
};

export const modificationList: View = {
  name: "Modification List",
  description:
    "Removes, moves, copies and rotates pages, and imports pages from other documents. The list " +
    "describes the whole new document.",
  parses: [jsonBody],
  fields: { POST: modificationFields },
  takesList: true,
  leadsTo: "..",
};

export const postProcess: View = {
  name: "Post process",
  description: "For separate processing servers. Quire has none, so it always refuses this.",
  parses: [jsonBody],
  leadsTo: "../..",
};
