import { embeddedAt } from "../resources/embeds/oembed.ts";

/**
 * The canonical address of the web page for a part of a document (a page or a note), from any of its spellings: with
 * the slug, with `.html` or without the final slash. Null if the address does not name a page or a note.
 */
export function partAddress(url: string): string | null {
  const [path = "", query] = url.split(/\?(.*)/s);
  const part = embeddedAt(path);
  if (part?.kind !== "page" && part?.kind !== "note") return null;
  const partPath = part.kind === "page" ? `pages/${part.page}` : `annotations/${part.note}`;
  return `/documents/${part.document}/${partPath}/${query === undefined ? "" : `?${query}`}`;
}
