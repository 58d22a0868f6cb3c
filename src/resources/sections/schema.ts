import { Section } from "../../contract/document.ts";
import { listOf, paging } from "../../http/fields/schema-shapes.ts";

export const listing = {
  summary: "The sections of a document, a page at a time",
  query: paging,
  gives: listOf("SectionList", Section),
};
export const creating = { summary: "Begin a section on a page of a document", gives: Section };
export const reading = { summary: "One section", gives: Section };
export const changing = { summary: "Change a section", ifMatch: true, gives: Section };
export const replacing = { ...changing, summary: "Replace a section" };
export const deleting = { summary: "Delete a section; its pages stay", ifMatch: true };
