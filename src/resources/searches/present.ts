import type { SavedSearchRow } from "./store.ts";

/** Its id is not shown: it counts those of everyone. */
export function presentSavedSearch({ uuid, name, query, created_at, updated_at }: SavedSearchRow): object {
  return { uuid, name, query, created_at, updated_at };
}
