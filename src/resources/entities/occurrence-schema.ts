import { Type } from "../../http/fields/json-schema.ts";
import {
  ErrorDetail,
  ValidationError,
  choicesParameter,
  expandable,
  id,
  ifMatch,
  listOf,
  oneOf,
  pageNumber,
  paging,
  selecting,
  textParameter,
  textsParameter,
} from "../../http/fields/schema-shapes.ts";
import { Entity } from "./schema.ts";

const position = (description: string) => Type.Integer({ minimum: 0, description });
const EntityOccurrence = Type.Object(
  {
    entity: expandable(Entity, "the entity's id; the entity, if expanded"),
    relevance: Type.Number(),
    occurrences: Type.Array(
      Type.Object({
        page: pageNumber(),
        offset: position("in characters, from the beginning of the document's text"),
        page_offset: position("in characters, from the beginning of the page's text"),
        content: Type.String({ description: "the text at that position" }),
      }),
    ),
  },
  { $id: "EntityOccurrence" },
);

const DocumentParameters = Type.Object({ id: id("the document's id") });
const OccurrenceParameters = Type.Object({ id: id("the document's id"), entity: id("the entity's id") });
const shown = { expand: textsParameter("entity, entity.user"), ...selecting };
const refusals = { 403: ErrorDetail, 404: ErrorDetail };

export const listing = {
  summary: "The entities that a document has, a page at a time",
  params: DocumentParameters,
  querystring: Type.Object({
    ...paging,
    name: textParameter("of exactly this name"),
    wikidata_id: textParameter("of this Wikidata id"),
    wikidata_id__in: textsParameter("of one of these Wikidata ids"),
    ...shown,
    expand: choicesParameter(["entity", "~all"], "what is shown in place of its id"),
  }),
  response: { 200: listOf("EntityOccurrenceList", EntityOccurrence), 404: ErrorDetail },
};
export const creating = {
  summary: "Give a document an entity, or up to 25 as a list",
  takesList: true,
  params: DocumentParameters,
  querystring: Type.Object(shown),
  response: {
    201: oneOf([EntityOccurrence, Type.Array(EntityOccurrence)]),
    400: ValidationError,
    ...refusals,
  },
};
export const reading = {
  summary: "An entity of a document",
  params: OccurrenceParameters,
  querystring: Type.Object(shown),
  response: { 200: EntityOccurrence, 404: ErrorDetail },
};
export const changing = {
  summary: "Change where a document has an entity",
  params: OccurrenceParameters,
  headers: ifMatch,
  response: { 200: EntityOccurrence, 400: ValidationError, ...refusals, 412: ErrorDetail },
};
export const replacing = { ...changing, summary: "Replace where a document has an entity" };
export const deleting = {
  summary: "Take an entity from a document; the entity itself stays",
  params: OccurrenceParameters,
  headers: ifMatch,
  response: { 204: Type.Null(), ...refusals, 412: ErrorDetail },
};
