import type { SavedSearch } from "../../contract/search.ts";
import type { SavedSearchRow } from "./store.ts";

/** The id is not shown, because it would reveal how many searches all users have saved. */
export function presentSavedSearch({
  uuid,
  name,
  query,
  alert,
  new_count,
  created_at,
  updated_at,
}: SavedSearchRow): SavedSearch {
  return { uuid, name, query, alert, new: alert === "off" ? null : new_count, created_at, updated_at };
}
