import type { View } from "../../../http/browsable/view.ts";
import { everyBody, jsonBody } from "../../../http/request/body.ts";
import { list, root } from "../breadcrumbs.ts";
import { bulkProcessFields, processStoredFields } from "../record/fields.ts";

export const processList: View = {
  name: "Bulk process",
  description: "Has the files of several documents read.",
  parses: [jsonBody],
  fields: { POST: bulkProcessFields },
  leadsTo: "..",
  above: [root, list],
};

export const processInstance: View = {
  name: "Process",
  description: "Has the file of a document read: its pages, their sizes, their text. DELETE stops that.",
  parses: everyBody,
  fields: { POST: processStoredFields },
  above: [root, list],
};

export const processEvents: View = {
  name: "Process events",
  description: "How far a document is, told as it goes on: a stream of events.",
  parses: everyBody,
  above: [root, list],
};

export const errorList: View = {
  name: "Document Error List",
  description: "What went wrong when the document was processed.",
  parses: everyBody,
  above: [root, list],
};

export const receiptList: View = {
  name: "Receipt List",
  description: "What happened to the document's file, step by step, for those who may change the document.",
  parses: everyBody,
  above: [root, list],
};

export const pendingList: View = {
  name: "Bulk pending",
  description: "Your documents that are being processed, and what is left to do.",
  parses: everyBody,
  above: [root, list],
};

export const pendingInstance: View = {
  name: "Pending",
  description: "What is left to do for a document of yours that is being processed.",
  parses: everyBody,
  above: [root, list],
};
