import { type Html, html } from "../http/text/html.ts";
import { type Site, pageButtons, renderPage } from "../http/browsable/page-shell.ts";
import { dayInWords, pagesInWords } from "./wording.ts";

export interface SearchPageView {
  site: Site;
  /** What was typed. */
  query: string;
  /** It could not be read as it stands. */
  escaped: boolean;
  /** Wildcards were read as text: they are for people who have signed in. */
  wildcardsIgnored: boolean;
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
  /** The first pages that hold the words. */
  pages: readonly FoundPage[];
  /** How many pages more hold them, and where these are listed. */
  more: { count: number; href: string };
  /** What was found in its notes. */
  notes: readonly FoundPage[];
}

export interface FoundPage {
  /** Counting from 1. */
  page: number;
  href: string;
  /** Empty, or text with `<em>` around what was looked for, otherwise as it stands in the document. */
  fragment: string;
}

/** The box to type a query into. */
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

/** What was found, for people. */
export function renderSearchPage(view: SearchPageView): string {
  const { site, query, count, found, next } = view;
  const main = html`
    <h1>Search</h1>
    ${searchBox(site.home, query)}
    <p class="found" role="status">
      ${count === 0 ? "Nothing was found." : `${foundInWords(count)}.`} ${readingNotes(view)}
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

/** How a query was read otherwise than somebody might expect. */
export function readingNotes({
  site,
  escaped,
  wildcardsIgnored,
}: Pick<SearchPageView, "site" | "escaped" | "wildcardsIgnored">): Html {
  const signIn = html`<a href="${site.signIn}?next=${encodeURIComponent(site.visitor?.here ?? "/")}"
    >signed in</a
  >`;
  return html`${escaped && "Some of the query could only be read as text."}
  ${wildcardsIgnored && html`The wildcards *, ? and ~ were not used: only people who have ${signIn} can search with them.`}`;
}

function foundInWords(count: number): string {
  return count === 1 ? "One document" : `${new Intl.NumberFormat("en").format(count)} documents`;
}

/** Notes of one document. */
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

export function passage(what: string, { page, href, fragment }: FoundPage): Html {
  return html`<p class="fragment" dir="auto"><a href="${href}">${what} ${page}</a> ${marked(fragment)}</p>`;
}

/** The text is escaped piece by piece: what stands in the document is never markup. */
function marked(fragment: string): Html[] {
  return fragment.split(/(<em>[^]*?<\/em>)/).map((piece) => {
    const found = /^<em>([^]*)<\/em>$/.exec(piece);
    return found === null ? html`${piece}` : html`<mark>${found[1]}</mark>`;
  });
}
