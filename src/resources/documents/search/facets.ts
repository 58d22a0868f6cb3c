import { searchLimits } from "../../../contract/limits.ts";
import { type MentionKind, mentionKinds } from "../../../contract/search.ts";
import { ApiError } from "../../../errors.ts";
import type { Query } from "../../../http/request/query.ts";

/** The properties with one value per document, by the name of the facet. */
const singleFacets = [
  "access",
  "status",
  "user",
  "organization",
  "language",
  "text_language",
  "original_extension",
  "year",
] as const;

/** A property by whose values the documents that a search finds are counted. */
export interface Facet {
  /** The client's spelling. */
  name: string;
  /**
   * `data` counts the keys of data, and `{ data }` the values under one key; `mention` counts the kinds of mentions,
   * and `{ mention }` the values of one kind.
   */
  by:
    | (typeof singleFacets)[number]
    | "project"
    | "data"
    | "mention"
    | { data: string }
    | { mention: MentionKind };
}

/** The values of a facet that an answer shows. */
export const { facetValues: maxFacetValues } = searchLimits;
const { facets: maxFacets } = searchLimits;

/** The facets that a request asks for, each once. Throws 400 for an unknown one, and for too many. */
export function readFacets(query: Query): Facet[] {
  const names = [...new Set(query.list("facets"))];
  if (names.length > maxFacets) {
    throw new ApiError(400, { error: `At most ${maxFacets} facets are possible`, code: "too_much" });
  }
  return names.map((name) => {
    const by = facetNamed(name);
    if (by === null) throw new ApiError(400, { error: `Unknown facet: \`${name}\``, code: "unknown_facet" });
    return { name, by };
  });
}

function facetNamed(name: string): Facet["by"] | null {
  const single = singleFacets.find((facet) => facet === name);
  if (single !== undefined) return single;
  if (name === "project" || name === "data" || name === "mention") return name;
  const kind = mentionKinds.find((one) => name === `mention_${one}`);
  if (kind !== undefined) return { mention: kind };
  const key = /^data_([\w-]{1,50})$/.exec(name)?.[1];
  return key === undefined ? null : { data: key };
}
