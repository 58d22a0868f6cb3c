import { pageLimits } from "../../contract/limits.ts";
import { type Cursor, encodeCursor } from "./cursor.ts";
import type { Query } from "./query.ts";

/** The number of rows on a page: a number out of range is clamped, an invalid one ignored. */
export function perPage(query: Query): number {
  const text = query.last("per_page");
  if (text === undefined || !/^\s*\+?\d+\s*$/.test(text)) return pageLimits.usual;
  const requested = Number(text);
  return requested === 0 ? pageLimits.usual : Math.min(requested, pageLimits.max);
}

/** The cursors of the next and the previous page; null at the ends of the list. */
export interface Neighbours {
  next: Cursor | null;
  previous: Cursor | null;
}

/** The neighbours of a page in a list that is ordered by id alone. */
export function idNeighbours(
  { rows, before, after }: { rows: readonly { id: number }[]; before: boolean; after: boolean },
  { key }: Cursor,
  way: "ascending" | "descending" = "ascending",
): Neighbours {
  // An empty page was reached from a row that its neighbour must show again: the position just past that row.
  const past = rows.length > 0 ? 0 : way === "descending" ? -1 : 1;
  const [first, last] = [rows[0] ?? key, rows.at(-1) ?? key];
  return {
    next: after && last !== null ? atId(last.id - past, false) : null,
    previous: before && first !== null ? atId(first.id + past, true) : null,
  };
}

function atId(id: number, reverse: boolean): Cursor {
  return { reverse, offset: 0, ordering: null, key: { id } };
}

export interface Links {
  next: string | null;
  previous: string | null;
}

/** The links to the next and the previous page: the request's own address with another `cursor`. */
export function pageLinks(address: string, query: Query, neighbours: Neighbours): Links {
  return linksOf(address, query)(neighbours);
}

/** The same for several pages of one list. */
export function linksOf(address: string, query: Query): (neighbours: Neighbours) => Links {
  const { before, after } = query.around("cursor");
  const link = (cursor: Cursor | null): string | null =>
    cursor === null ? null : `${address}${before}${encodeURIComponent(encodeCursor(cursor))}${after}`;
  return ({ next, previous }) => ({ next: link(next), previous: link(previous) });
}
