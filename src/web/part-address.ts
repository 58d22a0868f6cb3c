import { embeddedAt } from "../resources/embeds/oembed.ts";

/**
 * Where the page for a part of a document is that an address names in any of the ways that are about: with the slug,
 * with `.html`, without the slash at its end. Null where it names no page and no note.
 */
export function partAddress(url: string): string | null {
  const [path = "", query] = url.split(/\?(.*)/s);
  const part = embeddedAt(path);
  if (part?.kind !== "page" && part?.kind !== "note") return null;
  const place = part.kind === "page" ? `pages/${part.page}` : `annotations/${part.note}`;
  return `/documents/${part.document}/${place}/${query === undefined ? "" : `?${query}`}`;
}
