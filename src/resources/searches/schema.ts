import { SavedSearch } from "../../contract/search.ts";
import { Type } from "../../http/fields/json-schema.ts";
import {
  ErrorDetail,
  ValidationError,
  ifMatch,
  listOf,
  paging,
  uuid,
} from "../../http/fields/schema-shapes.ts";

const params = Type.Object({ uuid: uuid("the saved search's uuid") });

export const listing = {
  summary: "The searches that you have saved, a page at a time",
  querystring: Type.Object(paging),
  response: { 200: listOf("SavedSearchList", SavedSearch), 403: ErrorDetail, 404: ErrorDetail },
};
export const creating = {
  summary: "Save a search",
  response: { 201: SavedSearch, 400: ValidationError, 403: ErrorDetail },
};
export const reading = {
  summary: "One saved search",
  params,
  response: { 200: SavedSearch, 403: ErrorDetail, 404: ErrorDetail },
};
export const changing = {
  summary: "Change a saved search",
  params,
  headers: ifMatch,
  response: { 200: SavedSearch, 400: ValidationError, 403: ErrorDetail, 404: ErrorDetail, 412: ErrorDetail },
};
export const replacing = { ...changing, summary: "Replace a saved search" };
export const deleting = {
  summary: "Delete a saved search",
  params,
  headers: ifMatch,
  response: { 204: Type.Null(), 403: ErrorDetail, 404: ErrorDetail, 412: ErrorDetail },
};
