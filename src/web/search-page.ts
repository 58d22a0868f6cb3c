import { type Html, html } from "../http/text/html.ts";
import { type Site, pageButtons, renderPage } from "../http/browsable/page-shell.ts";
import { dayInWords, pagesInWords } from "./wording.ts";

export interface SearchPageView {
  site: Site;
  /** What was typed. */
  query: string;
  /** It could not be read as it stands. */
  escaped: boolean;
  count: number;
  found: readonly FoundView[];
  /** The address of the page after this one. */
  next: string | null;
}

/** A document that was found. */
export interface FoundView {
  title: string;
  href: string;
  createdAt: string;
  pageCount: number;
  source: string;
  pages: readonly FoundPage[];
  /** What was found in its notes. */
  notes: readonly FoundPage[];
}

export interface FoundPage {
  /** Counting from 1. */
  page: number;
  href: string;
  /** Text with `<em>` around what was looked for, otherwise as it stands in the document. */
  fragment: string;
}

/** The box to type a query into. */
export function searchBox(site: Site, query: string): Html {
  return html`<form class="search" role="search" method="get" action="${site.home}">
    <input
      type="search"
      name="q"
      value="${query}"
      aria-label="Search the documents"
      placeholder="Search the documents"
      maxlength="10000"
    />
    <button class="button" type="submit">Search</button>
  </form>`;
}

/** What was found, for people. */
export function renderSearchPage({ site, query, escaped, count, found, next }: SearchPageView): string {
  const main = html`
    <h1>Search</h1>
    ${searchBox(site, query)}
    <p class="found" role="status">
      ${count === 0 ? "Nothing was found." : `${foundInWords(count)}.`}
      ${escaped && "Some of the query could only be read as text."}
    </p>
    ${
      found.length > 0 &&
      html`<ul class="documents">
        ${found.map(item)}
      </ul>`
    }
    ${next !== null && pageButtons(null, next)}
  `;
  return renderPage({ site, title: `${query} – Search`, section: "documents", robots: "noindex", main });
}

function foundInWords(count: number): string {
  return count === 1 ? "One document" : `${new Intl.NumberFormat("en").format(count)} documents`;
}

/** Of one document: a person leafs through the rest there. */
const maxPages = 5;

function item({ title, href, createdAt, pageCount, source, pages, notes }: FoundView): Html {
  const facts = [
    html`<time datetime="${createdAt}">${dayInWords(createdAt)}</time>`,
    pageCount > 0 && pagesInWords(pageCount),
    source !== "" && html`<span dir="auto">${source}</span>`,
  ].filter((fact) => fact !== false);
  return html`<li>
    <h2 dir="auto"><a href="${href}">${title === "" ? "Untitled" : title}</a></h2>
    <ul class="facts">
      ${facts.map((fact) => html`<li>${fact}</li>`)}
    </ul>
    ${pages.slice(0, maxPages).map((found) => passage("Page", found))}
    ${pages.length > maxPages && html`<p class="fragment">And ${pagesInWords(pages.length - maxPages)} more.</p>`}
    ${notes.slice(0, maxPages).map((found) => passage("Note on page", found))}
  </li>`;
}

function passage(what: string, { page, href, fragment }: FoundPage): Html {
  return html`<p class="fragment" dir="auto"><a href="${href}">${what} ${page}</a> ${marked(fragment)}</p>`;
}

/** The text is escaped piece by piece: what stands in the document is never markup. */
function marked(fragment: string): Html[] {
  return fragment.split(/(<em>[^]*?<\/em>)/).map((piece) => {
    const found = /^<em>([^]*)<\/em>$/.exec(piece);
    return found === null ? html`${piece}` : html`<mark>${found[1]}</mark>`;
  });
}
