import { BoundedMap } from "../../../bounded-map.ts";
import { decode, pairsIn } from "../../../http/request/urlencoded.ts";
import type { PageAt } from "../../../http/response/tagged-responses.ts";
import type { Head } from "./head.ts";

/** All that the pages of a list have in common, ready for another cursor. */
export interface ListPlan {
  pageAt: PageAt;
  head: Head;
  route: string | undefined;
}

const maxPlans = 256;

/**
 * The plans of the lists that everyone may read and that clients walk through. Requests for two pages of a list differ
 * only in their cursors. So the rest of the request is read once, and the head of the responses is made once. Nothing
 * of a page is kept: the database is asked for every page.
 */
export class ListPlans {
  readonly #plans = new BoundedMap<string, ListPlan>(maxPlans);

  /** `key` is the key of a request under which a response may be cached: it begins with the request's address. */
  find(key: string): { plan: ListPlan; cursor: string } | null {
    const parts = partsOf(key);
    const plan = parts === null ? undefined : this.#plans.get(parts.others);
    return parts === null || plan === undefined ? null : { plan, cursor: parts.cursor };
  }

  add(key: string, make: () => ListPlan): void {
    const parts = partsOf(key);
    if (parts === null || !hasOneCursor(key)) return;
    this.#plans.set(parts.others, make());
  }
}

/** The value of the parameter `cursor`, and the rest of the key. Null if the address has none, or an unusual form. */
function partsOf(key: string): { cursor: string; others: string } | null {
  const address = key.slice(0, key.indexOf("\n"));
  const query = address.indexOf("?") + 1;
  const name = address.indexOf("cursor=", query);
  const isName = query > 0 && name !== -1 && (name === query || address[name - 1] === "&");
  // The router also ends a path at this character.
  if (!isName || address.includes("#")) return null;
  const start = name + "cursor=".length;
  const next = address.indexOf("&", start);
  const end = next === -1 ? address.length : next;
  return { cursor: decode(key.slice(start, end)), others: key.slice(0, start) + key.slice(end) };
}

/** A name may occur repeatedly, and may be written with escapes. */
function hasOneCursor(key: string): boolean {
  const address = key.slice(0, key.indexOf("\n"));
  const names = [...pairsIn(address.slice(address.indexOf("?") + 1))].map(([name]) => name);
  return names.filter((name) => name === "cursor").length === 1;
}
