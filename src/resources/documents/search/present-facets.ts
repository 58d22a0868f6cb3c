import type { SearchResults } from "../../../contract/search.ts";
import type { Database } from "../../../database/database.ts";
import type { Viewer } from "../../../http/request/viewer.ts";
import { findOrganizationNames } from "../../organizations/store.ts";
import { findProjectsFor } from "../../projects/list-store.ts";
import { findUsers } from "../../users/list-store.ts";
import type { FacetCount, FacetCounts } from "./facet-store.ts";
import type { Facet } from "./facets.ts";

/** A facet with its values as a search shows them. */
export interface FoundFacet extends Omit<FacetCounts, "counts"> {
  values: FacetValue[];
}

export interface FacetValue extends FacetCount {
  /** The name of a user, organization or project. */
  label?: string;
}

/** Adds the names of users, organizations and projects. Viewers may know about the owner of what they see. */
export async function labelled(
  database: Database,
  viewer: Viewer,
  facets: readonly FacetCounts[],
): Promise<FoundFacet[]> {
  const found: FoundFacet[] = [];
  for (const { counts, ...rest } of facets) {
    const names = await namesOf(
      database,
      viewer,
      rest.facet,
      counts.map(({ value }) => Number(value)),
    );
    const values = counts.map(({ value, count }) => {
      const label = names.get(Number(value));
      return label === undefined ? { value, count } : { value, label, count };
    });
    found.push({ ...rest, values });
  }
  return found;
}

async function namesOf(
  database: Database,
  viewer: Viewer,
  { by }: Facet,
  ids: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  if (by === "user") {
    return new Map([...(await findUsers(database, ids)).values()].map(({ id, name }) => [id, name]));
  }
  if (by === "organization") return findOrganizationNames(database, ids);
  if (by !== "project") return new Map();
  const projects = await findProjectsFor(database, viewer, ids);
  return new Map([...projects.values()].map(({ id, title }) => [id, title]));
}

/** The facets of an answer, by name. */
export function presentFacets(facets: readonly FoundFacet[]): NonNullable<SearchResults["facets"]> {
  return Object.fromEntries(
    facets.map(({ facet, values, isCut, counted }) => {
      return [facet.name, { values, more: isCut, ...(counted !== null && { counted }) }];
    }),
  );
}
