import { Type } from "typebox";

const Section = Type.Object({
  id: Type.Integer(),
  page_number: Type.Integer({ description: "where it begins; the first page is 0" }),
  title: Type.String(),
});
const Detail = Type.Object({ detail: Type.String() });
const Faults = Type.Unknown({ description: "messages by field" });
const link = Type.Union([Type.String(), Type.Null()]);
const text = (description: string) => Type.Optional(Type.String({ description }));

const DocumentParameters = Type.Object({ id: Type.String({ description: "the document's id" }) });
const SectionParameters = Type.Object({
  id: Type.String({ description: "the document's id" }),
  section: Type.String({ description: "the section's id" }),
});
const IfMatch = Type.Object({ "if-match": text("an ETag: 412 unless the section still has it") });
const refusals = { 403: Detail, 404: Detail };

export const listing = {
  summary: "The sections of a document, a page at a time",
  params: DocumentParameters,
  querystring: Type.Object({
    cursor: text("a place in the list, from next or previous"),
    per_page: text("sections on a page, 1 to 1000; 25 if not given"),
  }),
  response: {
    200: Type.Object({ next: link, previous: link, results: Type.Array(Section) }),
    404: Detail,
  },
};
export const creating = {
  summary: "Begin a section on a page of a document",
  params: DocumentParameters,
  response: { 201: Section, 400: Faults, ...refusals },
};
export const reading = {
  summary: "One section",
  params: SectionParameters,
  response: { 200: Section, 404: Detail },
};
export const changing = {
  summary: "Change a section",
  params: SectionParameters,
  headers: IfMatch,
  response: { 200: Section, 400: Faults, ...refusals, 412: Detail },
};
export const replacing = { ...changing, summary: "Replace a section" };
export const deleting = {
  summary: "Delete a section; its pages stay",
  params: SectionParameters,
  headers: IfMatch,
  response: { 204: Type.Null(), ...refusals, 412: Detail },
};
