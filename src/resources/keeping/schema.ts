import { HeldDocument, Hold } from "../../contract/keeping.ts";
import { ErrorDetail, listOf, paging } from "../../http/fields/schema-shapes.ts";

export const listingHolds = {
  summary: "The legal holds that you may manage, a page at a time, also those that were released",
  query: paging,
  gives: listOf("HoldList", Hold),
};
export const settingHold = {
  summary: "Set a legal hold on documents, on a project, or on what a search finds",
  gives: Hold,
};
export const readingHold = { summary: "One legal hold", gives: Hold };
export const releasingHold = {
  summary: "Release a legal hold; it stays in the list",
  also: { 409: ErrorDetail },
};
export const listingHeld = {
  summary: "The documents that a legal hold has found and that you may see, a page at a time",
  query: paging,
  gives: listOf("HeldDocumentList", HeldDocument),
};
