import type { Addresses } from "../../http/text/addresses.ts";
import { type Html, html } from "../../http/text/html.ts";
import { xmlDeclaration, xmlText } from "../../http/text/xml.ts";
import { shortened } from "../../resources/documents/record/plain-text.ts";

export const feedPath = "/documents/feed.atom";
const feedTitle = "New documents – Quire";
/** In characters: enough to decide whether to read the document. */
const maxSummary = 1000;

/** A document as the feed shows it. Timestamps have the API's format. */
export interface FeedEntry {
  title: string;
  /** Its identity, which stays the same when its title, its address or its record changes. */
  id: string;
  /** The document's page. */
  href: string;
  /** A language tag (BCP 47); null if the document's language has none. */
  language: string | null;
  createdAt: string;
  updatedAt: string;
  /** The name of its organization; empty if there is none. */
  organization: string;
  /** Plain text. */
  description: string;
  /** The address of its first page's small image; null if it has no pages. */
  image: string | null;
}

/** The link by which feed readers find the feed, or one of what `query` chooses. */
export function feedLink({ api }: Addresses, query = "", title = feedTitle): Html {
  return html`<link
    rel="alternate"
    type="application/atom+xml"
    href="${api}${feedPath}${query}"
    title="${title}"
  />`;
}

/** The link to the feed of a search. */
export function searchFeedLink(addresses: Addresses, words: string): Html {
  return feedLink(addresses, `?q=${encodeURIComponent(words)}`, titleOf(words));
}

const titleOf = (words: string): string => (words === "" ? feedTitle : `${words} – ${feedTitle}`);

/** An Atom feed (RFC 4287) of these documents. `words` are those of its search, and `query` ends its address. */
export function renderFeed(
  { api, web }: Addresses,
  { words, query }: { words: string; query: string },
  entries: readonly FeedEntry[],
): string {
  const updated = entries
    .map(({ updatedAt }) => updatedAt)
    .toSorted()
    .at(-1);
  const feed = html`<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">
    <title>${titleOf(words)}</title>
    <id>${api}${feedPath}${query}</id>
    <link rel="self" type="application/atom+xml" href="${api}${feedPath}${query}" />
    <link rel="alternate" type="text/html" href="${web}/" />
    <updated>${updated ?? "1970-01-01T00:00:00Z"}</updated>
    <author><name>Quire</name></author>
    ${entries.map(entryOf)}
  </feed>`;
  return `${xmlDeclaration}${xmlText(feed)}\n`;
}

function entryOf(entry: FeedEntry): Html {
  const { id, title, href, language, createdAt, updatedAt, organization, description, image } = entry;
  return html`<entry ${language !== null && title !== "" && html`xml:lang="${language}"`}>
    <title>${title === "" ? "Untitled" : title}</title>
    <id>${id}</id>
    <link rel="alternate" type="text/html" href="${href}" />
    ${image !== null && html`<link rel="enclosure" type="image/gif" href="${image}" />`}
    <published>${createdAt}</published>
    <updated>${updatedAt}</updated>
    ${organization !== "" && html`<author><name>${organization}</name></author>`}
    ${description !== "" && html`<summary>${shortened(description, maxSummary)}</summary>`}
  </entry>`;
}
