import { Type } from "../../http/fields/json-schema.ts";
import {
  choicesParameter,
  expandable,
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

const shown = { expand: textsParameter("entity, entity.user"), ...selecting };

export const listing = {
  summary: "The entities that a document has, a page at a time",
  query: {
    ...paging,
    name: textParameter("of exactly this name"),
    wikidata_id: textParameter("of this Wikidata id"),
    wikidata_id__in: textsParameter("of one of these Wikidata ids"),
    ...shown,
    expand: choicesParameter(["entity", "~all"], "what is shown in place of its id"),
  },
  gives: listOf("EntityOccurrenceList", EntityOccurrence),
};
export const creating = {
  summary: "Give a document an entity, or up to 25 as a list",
  takesList: true,
  query: shown,
  gives: oneOf([EntityOccurrence, Type.Array(EntityOccurrence)]),
};
export const reading = { summary: "An entity of a document", query: shown, gives: EntityOccurrence };
export const changing = {
  summary: "Change where a document has an entity",
  ifMatch: true,
  gives: EntityOccurrence,
};
export const replacing = { ...changing, summary: "Replace where a document has an entity" };
export const deleting = { summary: "Take an entity from a document; the entity itself stays", ifMatch: true };
