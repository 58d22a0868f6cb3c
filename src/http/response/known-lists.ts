import { decode, pairsIn } from "../request/urlencoded.ts";
import type { Head } from "./cached-responses.ts";

/** The body of a list's page, and its entity tag. */
export interface ListPage {
  body: Buffer;
  etag: string;
}

/**
 * The page at another value of the parameter `cursor`. Rejects if the list has no such page, or if the list itself
 * is no longer valid.
 */
export type PageAt = (cursor: string) => Promise<ListPage>;

/** A list of which a page has been sent. */
export interface KnownList {
  pageAt: PageAt;
  head: Head;
}

const maxLists = 256;

/**
 * The lists that everyone may read and that clients walk through. Requests for two pages of a list differ only in their
 * cursors. So the rest of the request is read once, and the head of the responses is made once. Nothing of a page is
 * kept: the database is asked for every page.
 */
export class KnownLists {
  readonly #lists = new Map<string, KnownList>();

  /** `key` is the key of a request under which a response may be cached: it begins with the request's address. */
  find(key: string): { list: KnownList; cursor: string } | null {
    const parts = partsOf(key);
    const list = parts === null ? undefined : this.#lists.get(parts.others);
    return parts === null || list === undefined ? null : { list, cursor: parts.cursor };
  }

  add(key: string, list: KnownList): void {
    const parts = partsOf(key);
    if (parts === null || !hasOneCursor(key)) return;
    this.#lists.delete(parts.others);
    const [oldest] = this.#lists.size >= maxLists ? this.#lists.keys() : [];
    if (oldest !== undefined) this.#lists.delete(oldest);
    this.#lists.set(parts.others, list);
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
