import { html } from "../http/text/html.ts";
import { type Site, pageButtons, renderPage } from "../http/browsable/page-shell.ts";
import { type FoundPage, type QueryReading, passage, readingNotes, searchBox } from "./search-page.ts";
import { pageTexts } from "../texts/pages.ts";

export interface MatchingPagesView {
  site: Site;
  title: string;
  /** The document's own page. */
  href: string;
  /** This page, without its query. */
  here: string;
  /** The query as the user typed it. */
  query: string;
  reading: QueryReading;
  /** The number of matching pages. */
  count: number;
  pages: readonly FoundPage[];
  /** The addresses of the previous and the next page. */
  previous: string | null;
  next: string | null;
}

/** Renders the matching pages of a document. */
export function renderMatchingPages(view: MatchingPagesView): string {
  const { site, title, href, here, query, count, pages, previous, next } = view;
  const texts = pageTexts(site);
  const name = title === "" ? texts.untitled : title;
  const main = html`
    <h1 dir="auto"><a href="${href}">${name}</a></h1>
    ${searchBox(here, query, { label: texts.document.searchThis, locale: site })}
    <p class="found" role="status">
      ${count === 0 ? texts.document.noPageMatches : texts.document.onPages(count)}
      ${readingNotes(site, view.reading)}
    </p>
    ${pages.map((found) => passage(texts.page(found.page), found))}
    ${pageButtons(previous, next, { locale: site })}
  `;
  return renderPage({
    site,
    title: `${query} – ${name}`,
    section: "documents",
    robots: "noindex",
    main,
  });
}
