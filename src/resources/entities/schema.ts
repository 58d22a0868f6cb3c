import { Type } from "typebox";

const Entity = Type.Object({
  access: Type.String({ description: "public" }),
  created_at: Type.String(),
  description: Type.String(),
  id: Type.Integer(),
  metadata: Type.Unknown({ description: "an object of whatever its sender keeps there" }),
  name: Type.String(),
  updated_at: Type.String(),
  user: Type.Unknown({ description: "the id of who added it; the user, if expanded" }),
  wikidata_id: Type.String(),
  wikipedia_url: Type.String(),
});
const Detail = Type.Object({ detail: Type.String() });
const Faults = Type.Unknown({ description: "messages by field; for a list, as a list in its order" });
const link = Type.Union([Type.String(), Type.Null()]);
const text = (description: string) => Type.Optional(Type.String({ description }));

const EntityParameters = Type.Object({ id: Type.String({ description: "the entity's id" }) });
const shown = {
  expand: text("user"),
  fields: text("only these members"),
  omit: text("without these members"),
};
const IfMatch = Type.Object({ "if-match": text("an ETag: 412 unless the entity still has it") });
const refusals = { 403: Detail, 404: Detail };

export const listing = {
  summary: "The entities, a page at a time",
  querystring: Type.Object({
    cursor: text("a place in the list, from next or previous"),
    per_page: text("entities on a page, 1 to 1000; 25 if not given"),
    name: text("of exactly this name"),
    wikidata_id: text("of this Wikidata id"),
    wikidata_id__in: text("of one of these Wikidata ids, with commas"),
    ...shown,
  }),
  response: { 200: Type.Object({ next: link, previous: link, results: Type.Array(Entity) }), 404: Detail },
};
export const creating = {
  summary: "Add an entity, or up to 25 as a list",
  querystring: Type.Object(shown),
  response: { 201: Type.Union([Entity, Type.Array(Entity)]), 400: Faults, 403: Detail },
};
export const reading = {
  summary: "One entity",
  params: EntityParameters,
  querystring: Type.Object(shown),
  response: { 200: Entity, 404: Detail },
};
export const changing = {
  summary: "Change what is said of an entity",
  params: EntityParameters,
  headers: IfMatch,
  response: { 200: Entity, 400: Faults, ...refusals, 412: Detail },
};
export const replacing = { ...changing, summary: "Replace what is said of an entity" };
export const deleting = {
  summary: "Delete an entity that no document has",
  params: EntityParameters,
  headers: IfMatch,
  response: { 204: Type.Null(), ...refusals, 409: Detail, 412: Detail },
};
