import { maxQueryLength } from "../contract/limits.ts";
import { type Html, html } from "../http/text/html.ts";
import { type Site, pageButtons, renderPage } from "../http/browsable/page-shell.ts";
import type { Locale } from "../texts/formats.ts";
import { pageTexts } from "../texts/pages.ts";
import type { FacetView } from "./search-facets.ts";
import { dayInWords, pagesInWords } from "./wording.ts";

export interface SearchPageView {
  site: Site;
  /** Additional elements for the page's head. */
  head: Html;
  /** The query as the user typed it. */
  query: string;
  reading: QueryReading;
  count: number;
  found: readonly FoundView[];
  facets: readonly FacetView[];
  /** The corrected query and the address of its results, if nothing was found. */
  suggestion: { text: string; href: string } | null;
  /** The address of the next page. */
  next: string | null;
}

/** How a query was read, where that may be unexpected. */
export interface QueryReading {
  /** Part of the query was read as text because it is malformed. */
  escaped: boolean;
  /** Wildcards were read as text: only signed-in users may use them. */
  wildcardsIgnored: boolean;
  /** The words that were not searched for, each with the address of a search that demands it. */
  leftOut: readonly { text: string; href: string }[];
  /** The order is rough, because the words of some documents are still to be counted. */
  isRough: boolean;
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

/** The search box. `hidden` are further parameters of the address that the form leads to. */
export function searchBox(
  action: string,
  query: string,
  {
    label,
    locale,
    hidden = {},
  }: { label: string; locale: Locale; hidden?: Readonly<Record<string, string>> },
): Html {
  const inputs = Object.entries(hidden).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
  );
  return html`<form class="search" role="search" method="get" action="${action}" target="_self">
    ${inputs}
    <input
      type="search"
      name="q"
      value="${query}"
      aria-label="${label}"
      placeholder="${label}"
      maxlength="${maxQueryLength}"
    />
    <button class="button" type="submit">${pageTexts(locale).search}</button>
  </form>`;
}

/** Renders the search results. */
export function renderSearchPage(view: SearchPageView): string {
  const { site, query, count, found, facets, suggestion, next } = view;
  const texts = pageTexts(site);
  const main = html`
    <h1>${texts.search}</h1>
    ${searchBox(site.home, query, { label: texts.searchDocuments, locale: site })}
    <p class="found" role="status">
      ${count === 0 ? texts.nothingFound : texts.documentsFound(count)} ${readingNotes(site, view.reading)}
    </p>
    ${suggestion !== null && html`<p>${texts.didYouMean} <a href="${suggestion.href}">${suggestion.text}</a>?</p>`}
    ${
      count > 0 &&
      site.visitor?.mayUpload === true &&
      html`<p><a href="${redactAddress(site, query)}">${texts.redactWords}</a></p>`
    }
    ${
      count > 0 &&
      typeof site.visitor?.name === "string" &&
      html`<p><a href="${site.home}notes/?q=${encodeURIComponent(query)}">${texts.notesOnThese}</a></p>`
    }
    ${facets.length > 0 && narrowing(facets, site)} ${found.length > 0 && foundList(found, site)}
    ${next !== null && pageButtons(null, next, { locale: site })} ${similarForm(site)}
  `;
  const title = `${query} – ${texts.search}`;
  return renderPage({ site, title, section: "documents", robots: "noindex", head: view.head, main });
}

/** Takes a text, and leads to the documents that are like it. */
function similarForm(site: Site): Html {
  const texts = pageTexts(site);
  return html`<details>
      <summary>${texts.similarToText}</summary>
      <form class="form" method="get" action="${site.home}" target="_self">
        <p>
          <label for="like_text">${texts.similarText}</label>
          <textarea
            id="like_text"
            name="like_text"
            rows="5"
            maxlength="${maxQueryLength}"
            required
          ></textarea>
        </p>
        <p><button class="button" type="submit">${texts.findSimilar}</button></p>
      </form>
    </details>
    <p><a href="${site.home}quotations/">${texts.quotations.title}</a></p>`;
}

/** A list of search results, with excerpts. */
export function foundList(found: readonly FoundView[], locale: Locale): Html {
  return html`<ul class="documents">
    ${found.map((document) => item(document, locale))}
  </ul>`;
}

/** The page that redacts words in the documents of a search. */
function redactAddress({ api }: Site, query: string): string {
  return `${api.replace(/api\/$/, "")}redact/?q=${encodeURIComponent(query)}`;
}

/** Explains how the query was interpreted, if that may be unexpected. */
export function readingNotes(
  site: Site,
  { escaped, wildcardsIgnored, leftOut, isRough }: QueryReading,
): Html {
  const texts = pageTexts(site);
  const href = `${site.signIn}?next=${encodeURIComponent(site.visitor?.here ?? "/")}`;
  return html`${escaped && texts.queryEscaped}
  ${wildcardsIgnored && html`${texts.wildcardsIgnored} <a href="${href}">${texts.signIn}</a>`}
  ${leftOut.length > 0 && leftOutLinks(leftOut, site)} ${isRough && texts.roughOrder}`;
}

const maxLeftOutShown = 30;

function leftOutLinks(words: QueryReading["leftOut"], locale: Locale): Html {
  const texts = pageTexts(locale);
  const links = words.slice(0, maxLeftOutShown).map(({ text, href }) => {
    const label = texts.demandWord(text);
    return html` <a href="${href}" dir="auto" aria-label="${label}">${text}</a>`;
  });
  return html`${texts.leftOut}${links}`;
}

/** Links that narrow the results, with the number of documents behind each. */
function narrowing(facets: readonly FacetView[], locale: Locale): Html {
  const texts = pageTexts(locale);
  return html`<nav class="narrowing" aria-label="${texts.narrow}">
    <dl>
      ${facets.map(
        ({ title, values }) =>
          html`<div>
            <dt>${title}</dt>
            ${values.map(
              ({ text, count, href, isChosen }) =>
                html`<dd>
                  ${
                    isChosen
                      ? html`<strong dir="auto">${text}</strong>`
                      : html`<a href="${href}" dir="auto">${text}</a>`
                  }
                  <span class="documents-with">${texts.formats.number(count)}</span>
                  ${isChosen && html`<a href="${href}" aria-label="${texts.showAllOf(title)}">${texts.showAll}</a>`}
                </dd>`,
            )}
          </div>`,
      )}
    </dl>
  </nav>`;
}

/** The maximum number of notes for each document. */
const maxNotes = 5;

function item(
  { title, href, createdAt, pageCount, source, pages, more, notes }: FoundView,
  locale: Locale,
): Html {
  const texts = pageTexts(locale);
  const facts = [
    html`<time datetime="${createdAt}">${dayInWords(createdAt, locale)}</time>`,
    pageCount > 0 && pagesInWords(pageCount, locale),
    source !== "" && html`<span dir="auto">${source}</span>`,
  ].filter((fact) => fact !== false);
  return html`<li>
    <h2 dir="auto"><a href="${href}">${title === "" ? texts.untitled : title}</a></h2>
    <ul class="facts">
      ${facts.map((fact) => html`<li>${fact}</li>`)}
    </ul>
    ${pages.map((found) => passage(texts.page(found.page), found))}
    ${more.count > 0 && html`<p class="fragment"><a href="${more.href}">${texts.morePages(more.count)}</a></p>`}
    ${notes.slice(0, maxNotes).map((found) => passage(texts.noteOnPage(found.page), found))}
  </li>`;
}

export function passage(label: string, { href, fragment }: FoundPage): Html {
  return html`<p class="fragment" dir="auto"><a href="${href}">${label}</a> ${marked(fragment)}</p>`;
}

/** Converts `<em>` to `<mark>`, and escapes everything else: a document's text is never markup. */
function marked(fragment: string): Html[] {
  return fragment.split(/(<em>[^]*?<\/em>)/).map((piece) => {
    const found = /^<em>([^]*)<\/em>$/.exec(piece);
    return found === null ? html`${piece}` : html`<mark>${found[1]}</mark>`;
  });
}
