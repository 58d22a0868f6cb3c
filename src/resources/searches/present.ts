import type { SavedSearch } from "../../contract/search.ts";
import type { SavedSearchRow } from "./store.ts";

/** The id is not shown, because it would reveal how many searches all users have saved. */
export function presentSavedSearch({
  uuid,
  name,
  query,
  created_at,
  updated_at,
}: SavedSearchRow): SavedSearch {
  return { uuid, name, query, created_at, updated_at };
}
