import { SavedSearch } from "../../contract/search.ts";
import { listOf, paging, uuid } from "../../http/fields/schema-shapes.ts";

export const parameters = { uuid: uuid("the saved search's uuid") };

export const listing = {
  summary: "The searches that you have saved, a page at a time",
  query: paging,
  gives: listOf("SavedSearchList", SavedSearch),
};
export const creating = { summary: "Save a search", gives: SavedSearch };
export const reading = { summary: "One saved search", gives: SavedSearch };
export const changing = { summary: "Change a saved search", ifMatch: true, gives: SavedSearch };
export const replacing = { ...changing, summary: "Replace a saved search" };
export const seeing = {
  summary: "Say that you have seen what a saved search has found: new is 0 then",
  gives: SavedSearch,
  status: 200,
};
export const deleting = { summary: "Delete a saved search", ifMatch: true };
