import type { Addresses } from "../../http/text/addresses.ts";
import { type Html, html } from "../../http/text/html.ts";
import { readEmbedAddress } from "./oembed.ts";

/**
 * The link by which an editor finds out that a page can be embedded. Null if the oEmbed endpoint does not know the
 * page. `path` is relative to the base of the web pages.
 */
export function oembedLink({ api, web }: Addresses, path: string, title: string): Html | null {
  const url = `${web}${path}`;
  if (readEmbedAddress(url, [web, api]) === null) return null;
  const href = `${api}/api/oembed/?url=${encodeURIComponent(url)}`;
  return html`<link rel="alternate" type="application/json+oembed" href="${href}" title="${title}" />`;
}
