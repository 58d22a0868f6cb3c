import { BatesRange, ProducedDocument, Production } from "./shapes.ts";
import { Type } from "../../http/fields/json-schema.ts";
import { ErrorDetail, ErrorReason, inTypes, listOf, paging } from "../../http/fields/schema-shapes.ts";

export const listing = {
  summary: "Your productions, a page at a time, the newest first",
  query: paging,
  gives: listOf("ProductionList", Production),
};
export const creating = {
  summary: "Give numbers to documents, and make a production of them",
  gives: Production,
};
export const reading = { summary: "A production, and how far it has come", gives: Production };
export const removing = { summary: "Cancel a production, or remove its files; its numbers stay" };
export const listingDocuments = {
  summary: "The documents of a production with their numbers",
  query: paging,
  gives: listOf("ProducedDocumentList", ProducedDocument),
};
export const downloading = {
  summary: "The volume of a production: images, texts, natives, and load files",
  gives: inTypes(["application/zip"], Type.String({ format: "binary" })),
  also: { 400: ErrorReason, 403: ErrorDetail },
};
export const listingNumbers = {
  summary: "The Bates numbers that a document has got in productions",
  query: paging,
  gives: listOf("BatesRangeList", BatesRange),
};
