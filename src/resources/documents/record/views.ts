import { everyBody, jsonBody, multipartBody } from "../../../http/request/body.ts";
import type { View } from "../../../http/browsable/view.ts";
import {
  addedDataFields,
  bulkProcessFields,
  processStoredFields,
  changedFields,
  newFields,
  replacedDataFields,
  replacedFields,
} from "./fields.ts";
import { accessLevels, statuses } from "../list/filters.ts";
import { orderingNames } from "../list/orderings.ts";

const root = { name: "Api Root", path: "" };
const list = { name: "Document List", path: "documents/" };

export const documentList: View = {
  name: "Document List",
  description:
    "The documents that you may see, in ascending order of their ids unless you order them otherwise. " +
    "Follow next and previous to walk the whole list: it never repeats nor misses a document, also while others write.",
  parses: [jsonBody, multipartBody],
  fields: { POST: newFields, PUT: replacedFields, PATCH: changedFields },
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
  parses: [jsonBody, multipartBody],
  fields: { PUT: replacedFields, PATCH: changedFields },
  above: [root, list],
};

export const dataList: View = {
  name: "Data List",
  description: "The free-form metadata of a document.",
  parses: everyBody,
  above: [root, list],
};

export const dataInstance: View = {
  name: "Data Instance",
  description:
    "The values of one key of a document's metadata. PUT replaces them; PATCH adds and removes some.",
  parses: everyBody,
  fields: { PUT: replacedDataFields, PATCH: addedDataFields },
  shownInForms: (values) => ({ values }),
  above: [root, list],
};

/** Its addresses are read; their answers are no JSON. */
export const documentFile: View = {
  name: "File",
  description: "A file of a document: itself, its text, the images of its pages.",
  parses: everyBody,
  above: [root],
};

export const historyList: View = {
  name: "History List",
  description:
    "Who changed what of a document, and when, for those who may change it. It is never changed itself.",
  parses: everyBody,
  above: [root, list],
};

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

export const search: View = {
  name: "Search",
  description:
    "Documents that hold certain words, or are of a certain kind, the best matches first. " +
    "The documentation has the language of q.",
  parses: everyBody,
  above: [root, list],
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

export const pageSearch: View = {
  name: "Page search",
  description: "The pages of a document that hold certain words.",
  parses: everyBody,
  above: [root, list],
  controls: { filters: [{ name: "q", label: "Query", help: "" }], orderings: [] },
};
