import { BoundedMap } from "../../bounded-map.ts";
import type { Database } from "../../database/database.ts";
import { ApiError } from "../../errors.ts";
import type { SignedInViewer } from "../../http/request/viewer.ts";
import { type SearchPlan, planSearch } from "../../search/plan.ts";
import { digestOf } from "../../secrets/digest.ts";
import { findMatching } from "../documents/search/matching-store.ts";
import { timeLimitSeconds } from "../documents/search/search-documents.ts";
import { readQueryText } from "../documents/search/search-request.ts";
import { searchedNotes } from "../notes/of-documents.ts";
import { findKnownUser } from "../users/viewer-store.ts";
import type { SavedSearchRow } from "./store.ts";

/** What a search finds now, among some documents or (null) all, for its owner as they are now. */
export async function findNow(
  database: Database,
  viewer: SignedInViewer,
  { query }: Pick<SavedSearchRow, "query">,
  among: readonly number[] | null,
  limitSeconds = timeLimitSeconds,
): Promise<Set<number>> {
  if (among?.length === 0) return new Set();
  const plan = await planOf(viewer, query);
  const { condition } = searchedNotes(database);
  return new Set(await findMatching(database, viewer, condition, plan, among, limitSeconds));
}

/** The plans of the queries that were compared last. Those of signed-in viewers depend on the text alone. */
const plans = new BoundedMap<string, SearchPlan>(20_000);

/** How a query is searched. @throws {ApiError} 400 if it exceeds a limit. */
export async function planOf(viewer: SignedInViewer, query: string): Promise<SearchPlan> {
  const known = plans.get(query);
  if (known !== undefined) return known;
  const plan = await planSearch(readQueryText(query, viewer).query);
  if (!isTimed(query)) plans.set(query, plan);
  return plan;
}

/** Whether a query may name the time, so that it is another one at each moment. */
export const isTimed = (query: string): boolean => query.replaceAll("\\", "").includes("NOW");

/** The owner of a search as they are now. Null if they may not sign in. */
export async function findOwner(database: Database, id: number): Promise<SignedInViewer | null> {
  const known = await findKnownUser(database, { id });
  if (known === null || !known.isActive) return null;
  return { ...known.viewer, mayWrite: false, hasPersonalToken: true, csrfToken: null };
}

/**
 * What decides about the results of a search besides the documents: its query, and the rights of its owner. When it
 * changes, any document may be found that was not found before.
 */
export function basisOf(
  { id, organizations, projects }: SignedInViewer,
  { query }: Pick<SavedSearchRow, "query">,
): string {
  const rights = [organizations, projects.keys()].map((ids) => [...ids].toSorted((a, b) => a - b));
  return digestOf(JSON.stringify([query, id, ...rights]));
}

/** Whether a query cannot be searched for any more: it exceeds a limit that is younger than the saved search. */
export const isRefusal = (error: unknown): boolean => error instanceof ApiError && error.status === 400;
