import { Type } from "../../http/fields/json-schema.ts";
import {
  ErrorDetail,
  ValidationError,
  choicesParameter,
  dateTime,
  dictionary,
  enumeration,
  id,
  ifMatch,
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

const EntityParameters = Type.Object({ id: id("the entity's id") });
const shown = { expand: textsParameter("user"), ...selecting };
const refusals = { 403: ErrorDetail, 404: ErrorDetail };

export const listing = {
  summary: "The entities, a page at a time",
  querystring: Type.Object({
    ...paging,
    name: textParameter("of exactly this name"),
    wikidata_id: textParameter("of this Wikidata id"),
    wikidata_id__in: textsParameter("of one of these Wikidata ids"),
    expand: choicesParameter(["user", "~all"], "what is shown in place of its id"),
    ...selecting,
  }),
  response: { 200: listOf("EntityList", Entity), 404: ErrorDetail },
};
export const creating = {
  summary: "Add an entity, or up to 25 as a list",
  takesList: true,
  querystring: Type.Object(shown),
  response: { 201: oneOf([Entity, Type.Array(Entity)]), 400: ValidationError, 403: ErrorDetail },
};
export const reading = {
  summary: "One entity",
  params: EntityParameters,
  querystring: Type.Object(shown),
  response: { 200: Entity, 404: ErrorDetail },
};
export const changing = {
  summary: "Change an entity",
  params: EntityParameters,
  headers: ifMatch,
  response: { 200: Entity, 400: ValidationError, ...refusals, 412: ErrorDetail },
};
export const replacing = { ...changing, summary: "Replace an entity" };
export const deleting = {
  summary: "Delete an entity that no document has",
  params: EntityParameters,
  headers: ifMatch,
  response: { 204: Type.Null(), ...refusals, 409: ErrorDetail, 412: ErrorDetail },
};
