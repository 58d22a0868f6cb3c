import { Type } from "typebox";

const SavedSearch = Type.Object({
  uuid: Type.String(),
  name: Type.String(),
  query: Type.String(),
  created_at: Type.String(),
  updated_at: Type.String(),
});
const Detail = Type.Object({ detail: Type.String() });
const Faults = Type.Unknown({ description: "messages by field" });
const link = Type.Union([Type.String(), Type.Null()]);
const text = (description: string) => Type.Optional(Type.String({ description }));

const params = Type.Object({ uuid: Type.String({ description: "the saved search's uuid" }) });
const IfMatch = Type.Object({ "if-match": text("an ETag: 412 unless it is still the same") });

export const listing = {
  summary: "The searches that you have saved, a page at a time",
  querystring: Type.Object({
    cursor: text("a place in the list, from next or previous"),
    per_page: text("items on a page, 1 to 1000; 25 if not given"),
  }),
  response: {
    200: Type.Object({ next: link, previous: link, results: Type.Array(SavedSearch) }),
    403: Detail,
  },
};
export const creating = {
  summary: "Save a search",
  response: { 201: SavedSearch, 400: Faults, 403: Detail },
};
export const reading = {
  summary: "One saved search",
  params,
  response: { 200: SavedSearch, 403: Detail, 404: Detail },
};
export const changing = {
  summary: "Change a saved search",
  params,
  headers: IfMatch,
  response: { 200: SavedSearch, 400: Faults, 403: Detail, 404: Detail, 412: Detail },
};
export const replacing = { ...changing, summary: "Replace a saved search" };
export const deleting = {
  summary: "Delete a saved search",
  params,
  headers: IfMatch,
  response: { 204: Type.Null(), 403: Detail, 404: Detail, 412: Detail },
};
