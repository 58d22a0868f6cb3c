import type { Addresses } from "../../http/text/addresses.ts";
import { type Html, html } from "../../http/text/html.ts";
import { readEmbedAddress } from "./oembed.ts";

/**
 * What tells an editor's program that a page can be embedded, and where to ask how; null where it would be told that
 * there is nothing. `path` is below the pages for people.
 */
export function oembedLink({ api, web }: Addresses, path: string, title: string): Html | null {
  const url = `${web}${path}`;
  if (readEmbedAddress(url, [web, api]) === null) return null;
  const href = `${api}/api/oembed/?url=${encodeURIComponent(url)}`;
  return html`<link rel="alternate" type="application/json+oembed" href="${href}" title="${title}" />`;
}
