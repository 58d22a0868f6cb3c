import { textIn } from "../../http/request/list-filters.ts";
import type { Query } from "../../http/request/query.ts";
import type { EntityFilters } from "./store.ts";

/** Reads the filters of a list of entities. A text that the database cannot store matches no entity. */
export function readFilters(query: Query): EntityFilters {
  const ids = query.list("wikidata_id__in").map((id) => id.replaceAll("\0", "\uFFFD").toWellFormed());
  return {
    name: textIn(query, "name"),
    wikidataId: textIn(query, "wikidata_id"),
    wikidataIds: ids.length === 0 ? undefined : ids,
  };
}
