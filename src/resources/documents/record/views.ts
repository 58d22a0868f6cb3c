import { accessLevels, statuses } from "../../../contract/document.ts";
import { jsonBody, multipartBody } from "../../../http/request/body.ts";
import type { View } from "../../../http/browsable/view.ts";
import { addedDataFields, changedFields, newFields, replacedDataFields, replacedFields } from "./fields.ts";
import { orderingNames } from "../list/orderings.ts";

export const documentList: View = {
  name: "Document List",
  description:
    "The documents that you may see, in ascending order of their ids unless you choose another ordering. " +
    "Follow next and previous to read the whole list. It never repeats or misses a document, even while others write.",
  parses: [jsonBody, multipartBody],
  fields: { POST: newFields, PUT: replacedFields, PATCH: changedFields },
  controls: {
    filters: [
      { name: "user", label: "User", help: "Ids of owners, separated by commas" },
      { name: "organization", label: "Organization", help: "Ids of organizations, separated by commas" },
      { name: "project", label: "Project", help: "Ids of projects, separated by commas" },
      { name: "access", label: "Access", help: "", choices: accessLevels },
      { name: "status", label: "Status", help: "", choices: statuses },
      { name: "id__in", label: "Ids", help: "Ids of documents, separated by commas" },
      { name: "created_at__gt", label: "Created after", help: "A date or a time, such as 2025-01-31" },
      { name: "created_at__lt", label: "Created before", help: "A date or a time, such as 2025-01-31" },
      { name: "page_count", label: "Pages", help: "Exact number of pages" },
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
};

export const dataList: View = {
  name: "Data List",
  description: "The free-form metadata of a document.",
};

export const dataInstance: View = {
  name: "Data Instance",
  description:
    "The values of one key of a document's metadata. PUT replaces them. PATCH adds and removes values.",
  fields: { PUT: replacedDataFields, PATCH: addedDataFields },
  shownInForms: (values) => ({ values }),
};

export const historyList: View = {
  name: "History List",
  description:
    "Who changed what in a document, and when. Visible to everyone who may change the document. Entries never change.",
};
