import { SavedSearch } from "../../contract/search.ts";
import { uuid } from "../../http/fields/schema-shapes.ts";
import { operationsOf } from "../../http/schema/published-operation.ts";

export const parameters = { uuid: uuid("the saved search's uuid") };

export const operations = operationsOf("SavedSearchList", SavedSearch, {
  listing: "The searches that you have saved, a page at a time",
  creating: "Save a search",
  reading: "One saved search",
  replacing: "Replace a saved search",
  changing: "Change a saved search",
  deleting: "Delete a saved search",
});
export const seeing = {
  summary: "Say that you have seen what a saved search has found: new is 0 then",
  gives: SavedSearch,
  status: 200,
};
