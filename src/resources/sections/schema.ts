import { Section } from "../../contract/section.ts";
import { Type } from "../../http/fields/json-schema.ts";
import {
  ErrorDetail,
  ValidationError,
  id,
  ifMatch,
  listOf,
  paging,
} from "../../http/fields/schema-shapes.ts";

const DocumentParameters = Type.Object({ id: id("the document's id") });
const SectionParameters = Type.Object({ id: id("the document's id"), section: id("the section's id") });
const refusals = { 403: ErrorDetail, 404: ErrorDetail };

export const listing = {
  summary: "The sections of a document, a page at a time",
  params: DocumentParameters,
  querystring: Type.Object(paging),
  response: { 200: listOf("SectionList", Section), 404: ErrorDetail },
};
export const creating = {
  summary: "Begin a section on a page of a document",
  params: DocumentParameters,
  response: { 201: Section, 400: ValidationError, ...refusals },
};
export const reading = {
  summary: "One section",
  params: SectionParameters,
  response: { 200: Section, 404: ErrorDetail },
};
export const changing = {
  summary: "Change a section",
  params: SectionParameters,
  headers: ifMatch,
  response: { 200: Section, 400: ValidationError, ...refusals, 412: ErrorDetail },
};
export const replacing = { ...changing, summary: "Replace a section" };
export const deleting = {
  summary: "Delete a section; its pages stay",
  params: SectionParameters,
  headers: ifMatch,
  response: { 204: Type.Null(), ...refusals, 412: ErrorDetail },
};
