import { Type } from "../../http/fields/json-schema.ts";
import {
  ErrorDetail,
  choicesParameter,
  dateTime,
  dictionary,
  enumeration,
  id,
  listOf,
  oneOf,
  paging,
  selecting,
  textParameter,
  textsParameter,
  uriOrEmpty,
} from "../../http/fields/schema-shapes.ts";
import { User } from "../../contract/person.ts";

export const Entity = Type.Object(
  {
    access: enumeration(["public"]),
    created_at: dateTime(),
    description: Type.String(),
    id: id(),
    metadata: dictionary(Type.Unknown(), { description: "free-form data of its sender" }),
    name: Type.String(),
    updated_at: dateTime(),
    user: oneOf(
      [id(), User, Type.Null()],
      "the id of the user who added it; the user, if expanded; null where nobody is known",
    ),
    wikidata_id: Type.String(),
    wikipedia_url: uriOrEmpty(),
  },
  { $id: "Entity" },
);

const shown = { expand: textsParameter("user"), ...selecting };

export const listing = {
  summary: "The entities, a page at a time",
  query: {
    ...paging,
    name: textParameter("of exactly this name"),
    wikidata_id: textParameter("of this Wikidata id"),
    wikidata_id__in: textsParameter("of one of these Wikidata ids"),
    expand: choicesParameter(["user", "~all"], "what is shown in place of its id"),
    ...selecting,
  },
  gives: listOf("EntityList", Entity),
};
export const creating = {
  summary: "Add an entity, or up to 25 as a list",
  takesList: true,
  query: shown,
  gives: oneOf([Entity, Type.Array(Entity)]),
};
export const reading = { summary: "One entity", query: shown, gives: Entity };
export const changing = { summary: "Change an entity", ifMatch: true, gives: Entity };
export const replacing = { ...changing, summary: "Replace an entity" };
export const deleting = {
  summary: "Delete an entity that no document has",
  ifMatch: true,
  also: { 409: ErrorDetail },
};
