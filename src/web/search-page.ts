import { type Html, html } from "../http/text/html.ts";
import { type Site, pageButtons, renderPage } from "../http/browsable/page-shell.ts";
import type { FacetView } from "./search-facets.ts";
import { dayInWords, pagesInWords } from "./wording.ts";

export interface SearchPageView {
  site: Site;
  /** The query as the user typed it. */
  query: string;
  /** Part of the query was read as text because it is malformed. */
  escaped: boolean;
  /** Wildcards were read as text: only signed-in users may use them. */
  wildcardsIgnored: boolean;
  count: number;
  found: readonly FoundView[];
  facets: readonly FacetView[];
  /** The corrected query and the address of its results, if nothing was found. */
  suggestion: { text: string; href: string } | null;
  /** The address of the next page. */
  next: string | null;
}

/** A search result. */
export interface FoundView {
  title: string;
  href: string;
  createdAt: string;
  pageCount: number;
  source: string;
  /** The first matching pages. */
  pages: readonly FoundPage[];
  /** The number of further matching pages, and the address that lists them. */
  more: { count: number; href: string };
  /** The matches in its notes. */
  notes: readonly FoundPage[];
}

export interface FoundPage {
  /** Counting from 1. */
  page: number;
  href: string;
  /** Empty, or an excerpt of the document with `<em>` around the matches. */
  fragment: string;
}

/** The search box. */
export function searchBox(action: string, query: string, label = "Search the documents"): Html {
  return html`<form class="search" role="search" method="get" action="${action}">
    <input
      type="search"
      name="q"
      value="${query}"
      aria-label="${label}"
      placeholder="${label}"
      maxlength="10000"
    />
    <button class="button" type="submit">Search</button>
  </form>`;
}

/** Renders the search results. */
export function renderSearchPage(view: SearchPageView): string {
  const { site, query, count, found, facets, suggestion, next } = view;
  const main = html`
    <h1>Search</h1>
    ${searchBox(site.home, query)}
    <p class="found" role="status">
      ${count === 0 ? "Nothing was found." : `${foundInWords(count)}.`} ${readingNotes(view)}
    </p>
    ${suggestion !== null && html`<p>Did you mean <a href="${suggestion.href}">${suggestion.text}</a>?</p>`}
    ${
      count > 0 &&
      site.visitor?.mayUpload === true &&
      html`<p><a href="${redactAddress(site, query)}">Redact words in these documents</a></p>`
    }
    ${
      count > 0 &&
      typeof site.visitor?.name === "string" &&
      html`<p><a href="${site.home}notes/?q=${encodeURIComponent(query)}">Notes on these documents</a></p>`
    }
    ${facets.length > 0 && narrowing(facets)}
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

/** The page that redacts words in the documents of a search. */
function redactAddress({ api }: Site, query: string): string {
  return `${api.replace(/api\/$/, "")}redact/?q=${encodeURIComponent(query)}`;
}

/** Explains how the query was interpreted, if that may be unexpected. */
export function readingNotes({
  site,
  escaped,
  wildcardsIgnored,
}: Pick<SearchPageView, "site" | "escaped" | "wildcardsIgnored">): Html {
  const signIn = html`<a href="${site.signIn}?next=${encodeURIComponent(site.visitor?.here ?? "/")}"
    >signed in</a
  >`;
  return html`${escaped && "Part of the query is not valid and was searched for as plain text."}
  ${wildcardsIgnored && html`The wildcards *, ? and ~ were not used: only people who have ${signIn} can search with them.`}`;
}

/** Links that narrow the results, with the number of documents behind each. */
function narrowing(facets: readonly FacetView[]): Html {
  return html`<nav class="narrowing" aria-label="Narrow the results">
    <dl>
      ${facets.map(
        ({ title, values }) =>
          html`<div>
            <dt>${title}</dt>
            ${values.map(
              ({ text, count, href, isChosen }) =>
                html`<dd>
                  ${isChosen ? html`<strong dir="auto">${text}</strong>` : html`<a href="${href}" dir="auto">${text}</a>`}
                  <span class="documents-with">${inFigures(count)}</span>
                  ${isChosen && html`<a href="${href}">Show all<span class="visually-hidden"> of ${title}</span></a>`}
                </dd>`,
            )}
          </div>`,
      )}
    </dl>
  </nav>`;
}

function inFigures(count: number): string {
  return new Intl.NumberFormat("en").format(count);
}

function foundInWords(count: number): string {
  return count === 1 ? "One document" : `${inFigures(count)} documents`;
}

/** The maximum number of notes for each document. */
const maxNotes = 5;

function item({ title, href, createdAt, pageCount, source, pages, more, notes }: FoundView): Html {
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
    ${pages.map((found) => passage("Page", found))}
    ${more.count > 0 && html`<p class="fragment"><a href="${more.href}">And ${pagesInWords(more.count)} more</a></p>`}
    ${notes.slice(0, maxNotes).map((found) => passage("Note on page", found))}
  </li>`;
}

export function passage(label: string, { page, href, fragment }: FoundPage): Html {
  return html`<p class="fragment" dir="auto"><a href="${href}">${label} ${page}</a> ${marked(fragment)}</p>`;
}

/** Converts `<em>` to `<mark>`, and escapes everything else: a document's text is never markup. */
function marked(fragment: string): Html[] {
  return fragment.split(/(<em>[^]*?<\/em>)/).map((piece) => {
    const found = /^<em>([^]*)<\/em>$/.exec(piece);
    return found === null ? html`${piece}` : html`<mark>${found[1]}</mark>`;
  });
}
