import { Section } from "../../contract/document.ts";
import { operationsOf } from "../../http/schema/published-operation.ts";

export const operations = operationsOf("SectionList", Section, {
  listing: "The sections of a document, a page at a time",
  creating: "Begin a section on a page of a document",
  reading: "One section",
  replacing: "Replace a section",
  changing: "Change a section",
  deleting: "Delete a section; its pages stay",
});
