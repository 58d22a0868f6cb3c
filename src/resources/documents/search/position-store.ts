import { hash } from "node:crypto";
import { type RawBuilder, sql } from "kysely";
import { type SearchPlan, type WordsPlan, isFiltered } from "../../../search/plan.ts";
import type { Viewer } from "../../../http/request/viewer.ts";
import type { SearchOrdering } from "./orderings.ts";
import { type ScoreTotals, areTotalsOf, scoreOf } from "./score-store.ts";

/*
 * The order of results and a position in it, as conditions on `value` (the sort key), `created_at` and `id`.
 */

/** A document's position in the results. */
export interface FoundDocument {
  id: number;
  /** The sort key. Null if the document has none: it comes after all that do. */
  value: string | number | null;
  created_at: string;
}

/** A position with what its score was computed from, if the results are in order of scores. */
export interface Position extends FoundDocument {
  totals: ScoreTotals | null;
  /** How many documents a search that looks for no words has found: they are not counted again for each page. */
  counted: { total: number; of: string } | null;
  /**
   * The documents that come before this position, sorted by meaning: the id of each, and its nearest passage as the
   * page, counting from 0, and the index in it. So they stay in their order, whatever is written meanwhile.
   */
  ahead: readonly (readonly [id: number] | readonly [id: number, page: number, index: number])[];
}

/** How many of the best results are sorted by meaning as well. */
export const sortedByMeaning = 100;

/** What a count belongs to: a query that looks for no words, and who asks. A cursor may come with another query. */
export function countedOf(viewer: Viewer, { query, words }: SearchPlan): string {
  const excluded = words.map(({ field, wanted }) => [field, wanted]);
  const asked = [viewer.kind === "anonymous" ? null : viewer.id, query, ...excluded];
  return hash("sha1", JSON.stringify(asked), "base64url").slice(0, 12);
}

/** How many documents the search has found on an earlier page, as its cursor says. Null if it does not. */
export function countBefore({
  viewer,
  plan,
  after,
}: Pick<OrderedSearch, "viewer" | "plan" | "after">): number | null {
  const counted = after?.counted ?? null;
  return counted !== null && counted.of === countedOf(viewer, plan) ? counted.total : null;
}

/** A search, in an order and from a place in it. */
export interface OrderedSearch {
  viewer: Viewer;
  plan: SearchPlan;
  ordering: SearchOrdering;
  /** The position after which the results begin, in this ordering. Null for the start. */
  after: Position | null;
  /** The number of results to skip. */
  offset: number;
  limit: number;
}

/** Without words all scores are equal, and the newest documents come first. */
export function effectiveOrdering({
  ordering,
  plan,
}: Pick<OrderedSearch, "ordering" | "plan">): SearchOrdering {
  const scoresAreEqual = ordering.by === "score" && !plan.words.some(({ isLookedFor }) => isLookedFor);
  return scoresAreEqual ? { ...ordering, by: "created_at" } : ordering;
}

/** A client may send a cursor of another ordering, and PostgreSQL does not compare text with numbers. */
export function isPositionIn(
  { by }: SearchOrdering,
  words: readonly WordsPlan[],
  { value, totals }: Position,
): boolean {
  if (by === "score") return typeof value === "number" && totals !== null && areTotalsOf(words, totals);
  if (by === "id" || by === "page_count") return typeof value === "number";
  return typeof value === "string" || (value === null && typeof by === "object");
}

export function orderOf({ by, isDescending }: SearchOrdering): RawBuilder<unknown> {
  const direction = isDescending ? sql`desc` : sql`asc`;
  if (by === "id") return sql`id ${direction}`;
  const newest = by === "score" ? sql`created_at desc,` : sql``;
  const missing = typeof by === "object" ? sql`value is null,` : sql``;
  return sql`${missing} value ${direction}, ${newest} id desc`;
}

/** The condition for results after a position. */
export function beyondPosition(
  { by, isDescending }: SearchOrdering,
  after: Position | null,
): RawBuilder<unknown> {
  if (after === null) return sql``;
  const { id, value, created_at } = after;
  const beyond = isDescending ? sql`<` : sql`>`;
  if (by === "id") return sql`where id ${beyond} ${id}`;
  const tied =
    by === "score"
      ? sql`(created_at < ${created_at} or (created_at = ${created_at} and id < ${id}))`
      : sql`id < ${id}`;
  if (value === null) return sql`where value is null and ${tied}`;
  if (typeof by === "object")
    return sql`where value is null or value ${beyond} ${value} or (value = ${value} and ${tied})`;
  // The first condition is a range of an index.
  return sql`where value ${beyond}= ${value} and (value ${beyond} ${value} or ${tied})`;
}

interface Value {
  expression: RawBuilder<unknown>;
  join: RawBuilder<unknown>;
}

/** The sort key of the rows of `found`. */
export function valueOf({ by, isDescending }: SearchOrdering, words: readonly WordsPlan[]): Value {
  const documents = sql`join documents on documents.id = found.id`;
  if (by === "id") return { expression: sql`found.id`, join: sql`` };
  if (by === "created_at") return { expression: sql`found.created_at`, join: sql`` };
  if (by === "score") return { expression: scoreOf(words), join: sql`cross join factors` };
  if (typeof by === "string") return { expression: sql`${sql.ref(`documents.${by}`)}`, join: documents };
  const end = sql.ref(`document_data.${isDescending ? "highest" : "lowest"}`);
  const join = sql`left join document_data
    on document_data.document_id = found.id and document_data.key = ${by.data}`;
  return { expression: sql`${end}`, join };
}

/** So many documents are looked up for each result of a page, rather than all read in its order until it is full. */
const maxLookups = 40;

/** Whether a page is sorted from all documents that match: filters find so few that this is sooner than in order. */
export function areSorted(
  { plan: { query }, offset, limit }: Pick<OrderedSearch, "plan" | "offset" | "limit">,
  total: number,
): boolean {
  return isFiltered(query) && total <= maxLookups * (offset + limit);
}
