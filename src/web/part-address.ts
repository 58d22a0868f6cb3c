import { embeddedAt } from "../resources/embeds/oembed.ts";

/**
 * The canonical address of the page for a part of a document (a page or a note), from any spelling in use: with the
 * slug, with `.html`, without the final slash. Null if the address names no page and no note.
 */
export function partAddress(url: string): string | null {
  const [path = "", query] = url.split(/\?(.*)/s);
  const part = embeddedAt(path);
  if (part?.kind !== "page" && part?.kind !== "note") return null;
  const partPath = part.kind === "page" ? `pages/${part.page}` : `annotations/${part.note}`;
  return `/documents/${part.document}/${partPath}/${query === undefined ? "" : `?${query}`}`;
}
