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
