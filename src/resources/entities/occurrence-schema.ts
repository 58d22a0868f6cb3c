import { Type } from "typebox";

const Occurrence = Type.Object({
  entity: Type.Unknown({ description: "the entity's id; the entity, if expanded" }),
  relevance: Type.Number(),
  occurrences: Type.Array(
    Type.Object({
      page: Type.Integer({ description: "the first page is 0" }),
      offset: Type.Integer({ description: "in characters, from the beginning of the document's text" }),
      page_offset: Type.Integer({ description: "in characters, from the beginning of the page's text" }),
      content: Type.String({ description: "what stands there" }),
    }),
  ),
});
const Detail = Type.Object({ detail: Type.String() });
const Faults = Type.Unknown({ description: "messages by field; for a list, as a list in its order" });
const link = Type.Union([Type.String(), Type.Null()]);
const text = (description: string) => Type.Optional(Type.String({ description }));

const DocumentParameters = Type.Object({ id: Type.String({ description: "the document's id" }) });
const OccurrenceParameters = Type.Object({
  id: Type.String({ description: "the document's id" }),
  entity: Type.String({ description: "the entity's id" }),
});
const shown = {
  expand: text("entity, entity.user"),
  fields: text("only these members"),
  omit: text("without these members"),
};
const IfMatch = Type.Object({ "if-match": text("an ETag: 412 unless it still has it") });
const refusals = { 403: Detail, 404: Detail };

export const listing = {
  summary: "The entities that a document has, a page at a time",
  params: DocumentParameters,
  querystring: Type.Object({
    cursor: text("a place in the list, from next or previous"),
    per_page: text("entities on a page, 1 to 1000; 25 if not given"),
    name: text("of exactly this name"),
    wikidata_id: text("of this Wikidata id"),
    ...shown,
    expand: text("entity"),
  }),
  response: {
    200: Type.Object({ next: link, previous: link, results: Type.Array(Occurrence) }),
    404: Detail,
  },
};
export const creating = {
  summary: "Give a document an entity, or up to 25 as a list",
  params: DocumentParameters,
  querystring: Type.Object(shown),
  response: { 201: Type.Union([Occurrence, Type.Array(Occurrence)]), 400: Faults, ...refusals },
};
export const reading = {
  summary: "An entity of a document",
  params: OccurrenceParameters,
  querystring: Type.Object(shown),
  response: { 200: Occurrence, 404: Detail },
};
export const changing = {
  summary: "Change where a document has an entity",
  params: OccurrenceParameters,
  headers: IfMatch,
  response: { 200: Occurrence, 400: Faults, ...refusals, 412: Detail },
};
export const replacing = { ...changing, summary: "Replace where a document has an entity" };
export const deleting = {
  summary: "Take an entity from a document; the entity itself stays",
  params: OccurrenceParameters,
  headers: IfMatch,
  response: { 204: Type.Null(), ...refusals, 412: Detail },
};
