import { DocumentError, DocumentProgress, Receipt } from "../../../contract/work.ts";
import { Type } from "../../../http/fields/json-schema.ts";
import {
  ErrorDetail,
  ErrorReason,
  FieldErrors,
  InvalidOrRefused,
  ValidationError,
  choiceParameter,
  choicesParameter,
  id,
  idsParameter,
  inTypes,
  integerParameter,
  listOf,
  momentParameter,
  nullable,
  oneOf,
  paging,
  selecting,
  textParameter,
  textsParameter,
} from "../../../http/fields/schema-shapes.ts";
import { listSchema, tableSchema } from "../../../http/fields/field-schema.ts";
import { listExpansions } from "./expand.ts";
import { bulkIdsFields, bulkProcessItem } from "./fields.ts";
import { Document, DocumentData, HistoryEntry, accessLevels, statuses } from "../../../contract/document.ts";
import { orderingNames } from "../list/orderings.ts";

/** Parameters are read from the raw query (names repeat, commas separate); this documents them. */
const listQuery = {
  ...paging,
  page: textParameter("ignored, but kept in the links"),
  format: choiceParameter(["json"], "json: JSON for a browser, too"),
  ordering: Type.Optional({
    anyOf: [
      { type: "string", enum: orderingNames },
      { type: "string", pattern: "^-?data_[A-Za-z0-9_-]{1,50}$" },
    ],
    description: "a member, or data_<key>; - before it for descending",
  }),
  user: idsParameter("ids of owners"),
  organization: idsParameter("ids of organizations"),
  project: idsParameter("ids of projects"),
  access: choicesParameter(accessLevels, "access levels"),
  status: choicesParameter(statuses, "statuses"),
  id__in: idsParameter("ids of documents"),
  created_at__lt: momentParameter("created before this time"),
  created_at__gt: momentParameter("created after this time"),
  page_count: integerParameter("with this number of pages"),
  page_count__lt: integerParameter("with fewer pages"),
  page_count__gt: integerParameter("with more pages"),
  expand: choicesParameter([...listExpansions, "~all"], "what is shown in place of its id"),
  ...selecting,
};

const showing = {
  expand: textsParameter("user, user.organization, organization, projects, sections, notes"),
  ...selecting,
};
const Records = Type.Array(Document);

export const listing = {
  summary: "The documents that you may see, a page at a time",
  query: listQuery,
  gives: listOf("DocumentList", Document),
  also: { 400: FieldErrors, 406: ErrorDetail },
};
export const creating = {
  summary: "Create a document, or up to 25 as a list",
  description:
    "As multipart/form-data, with the document's file in the part file: the document is made and its file read. " +
    "As JSON without file_url, the answer names in presigned_url where to PUT the file; with it, the file is " +
    "fetched from there. The answer to a list is a list.",
  takesList: true,
  query: showing,
  gives: oneOf([Document, Records]),
};
export const replacingSeveral = {
  summary: "Replace up to 25 documents, each named by its id, all or none",
  gives: Records,
};
export const changingSeveral = {
  summary: "Change up to 25 documents, each named by its id, all or none",
  gives: Records,
};
export const deletingSeveral = {
  summary: "Delete up to 25 documents, all or none",
  query: { id__in: Type.Array(id(), { description: "ids of documents" }) },
  also: { 400: ValidationError, 409: ErrorDetail },
};
export const reading = { summary: "One document", query: showing, gives: Document };
export const replacing = { summary: "Replace a document", ifMatch: true, gives: Document };
export const changing = { ...replacing, summary: "Change a document" };
export const deleting = {
  summary: "Delete a document, with its files",
  ifMatch: true,
  also: { 409: ErrorDetail },
};

/** Beside the id of the document. */
export const keyParameters = { key: Type.String({ description: "letters, digits, - and _, at most 50" }) };
export const readingData = { summary: "The data of a document", gives: DocumentData };
export const readingKey = {
  summary: "The values of one key; an empty list if the key does not exist",
  gives: Type.Array(Type.String()),
};
export const changingKey = {
  summary: "Change the values of one key; the response is all data of the document",
  ifMatch: true,
  gives: DocumentData,
};
export const deletingKey = { summary: "Remove a key", ifMatch: true };

export const readingHistory = {
  summary: "The changes of a document with their time and user, newest first",
  query: paging,
  gives: listOf("HistoryEntryList", HistoryEntry),
  also: { 403: ErrorDetail },
};

const Done = Type.String({ description: "OK" });
export const processing = {
  summary: "Start processing a document",
  gives: Done,
  status: 200,
  also: { 400: InvalidOrRefused, 409: ErrorDetail },
};
export const replacingFile = {
  summary: "Replace a document's file",
  gives: Done,
  status: 200,
  also: { 400: InvalidOrRefused, 409: ErrorDetail },
};
export const cancelling = {
  summary: "Stop the processing of a document",
  gives: Done,
  also: { 400: ErrorReason },
};
const several = listSchema(bulkProcessItem, false);
export const processingSeveral = {
  summary: "Start processing up to 25 documents, all or none",
  body: {
    oneOf: [tableSchema(bulkIdsFields, false), { ...several, examples: [[{ id: 1 }]] }],
    examples: [{ ids: [1] }],
  },
  gives: Done,
  status: 200,
  also: { 409: ErrorDetail },
};

export const readingProgress = { summary: "The progress of processing a document", gives: DocumentProgress };
const events = (description: string) => inTypes(["text/event-stream"], { description });
export const following = {
  summary: "Follow the progress of processing a document, as a stream of events",
  gives: events("a DocumentProgress in the data of each event; the stream ends with the processing"),
  also: { 503: ErrorDetail },
};
export const followingSeveral = {
  summary: "Follow the progress of processing several documents, as one stream of events",
  query: { id__in: Type.Array(id(), { description: "ids of documents, at most 100", examples: [1] }) },
  gives: events("a DocumentProgress in the data of each event, with the id of its document"),
  also: { 400: FieldErrors, 503: ErrorDetail },
};
export const listingErrors = {
  summary: "The errors of processing a document",
  query: paging,
  gives: listOf("DocumentErrorList", DocumentError),
};
export const listingReceipts = {
  summary: "The processing steps of a document's file, with their outcomes",
  query: paging,
  gives: listOf("ReceiptList", Receipt),
  also: { 403: ErrorDetail },
};

const left = (description: string) => nullable(Type.Integer({ description }));
const Pending = Type.Object(
  {
    doc_id: id(),
    images: left("pages whose image may be missing; null: not known yet"),
    texts: left("pages that are still to be read; null: not known yet"),
    text_positions: left("pages whose words are still to be found; null: not known yet"),
    pages: left("all pages; null: not known yet"),
  },
  { $id: "PendingDocument" },
);
export const listingPending = {
  summary: "Your documents that are being processed",
  gives: Type.Array(Pending),
};
export const readingPending = {
  summary: "The remaining work for one of your documents; an empty object if it is not being processed",
  gives: Type.Union([Pending, Type.Object({})]),
};
