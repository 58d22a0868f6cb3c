import type { View } from "../../../http/browsable/view.ts";
import { jsonBody } from "../../../http/request/body.ts";
import { bulkIdsFields, processStoredFields } from "../record/fields.ts";

export const processList: View = {
  name: "Bulk process",
  description: "Processes the files of several documents.",
  parses: [jsonBody],
  fields: { POST: bulkIdsFields },
  leadsTo: "..",
};

export const processInstance: View = {
  name: "Process",
  description:
    "Processes a document's file: reads its pages, their sizes and their text. DELETE cancels processing.",
  fields: { POST: processStoredFields },
};

export const processEvents: View = {
  name: "Process events",
  description: "The progress of a document's processing, as a stream of events.",
};

export const processEventsOfSeveral: View = {
  ...processEvents,
  name: "Bulk process events",
  description: "The progress of several documents' processing, as one stream of events.",
};

export const errorList: View = {
  name: "Document Error List",
  description: "The errors that occurred while the document was processed.",
};

export const receiptList: View = {
  name: "Receipt List",
  description:
    "The history of the document's file, step by step. Only users who may edit the document can see it.",
};

export const pendingList: View = {
  name: "Bulk pending",
  description: "Your documents that are being processed, and the work that remains.",
};

export const pendingInstance: View = {
  name: "Pending",
  description: "The work that remains for one of your documents that is being processed.",
};
