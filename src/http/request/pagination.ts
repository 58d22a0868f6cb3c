import { type Cursor, encodeCursor } from "./cursor.ts";
import type { Query } from "./query.ts";

const defaultPerPage = 25;
const maximumPerPage = 1000;

/** How many rows a page holds: out of range is brought into range, nonsense is as if it were not there. */
export function perPage(query: Query): number {
  const text = query.last("per_page");
  if (text === undefined || !/^\s*\+?\d+\s*$/.test(text)) return defaultPerPage;
  const wanted = Number(text);
  return wanted === 0 ? defaultPerPage : Math.min(wanted, maximumPerPage);
}

/** Where the pages beside this one begin; null at the list's ends. */
export interface Neighbours {
  next: Cursor | null;
  previous: Cursor | null;
}

/** The pages beside one that was read in order of ids alone. */
export function idNeighbours(
  { rows, before, after }: { rows: readonly { id: number }[]; before: boolean; after: boolean },
  { key }: Cursor,
  way: "ascending" | "descending" = "ascending",
): Neighbours {
  // An empty page was reached from a row that the page beside it must show again: the place just past that row.
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

/** The addresses of the pages beside this one: the request's own, in which only `cursor` differs. */
export function pageLinks(address: string, query: Query, neighbours: Neighbours): Links {
  const link = (cursor: Cursor | null): string | null =>
    cursor === null ? null : `${address}${query.with("cursor", encodeCursor(cursor)).toString()}`;
  return { next: link(neighbours.next), previous: link(neighbours.previous) };
}
