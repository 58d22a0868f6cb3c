import { maxQueryLength } from "../contract/limits.ts";
import { type Html, type HtmlContent, html } from "../http/text/html.ts";
import { type Site, pageButtons, renderPage } from "../http/browsable/page-shell.ts";
import type { FoldedCopies } from "../resources/documents/comparing/folded-copies.ts";
import type { Locale } from "../texts/formats.ts";
import { pageTexts } from "../texts/pages.ts";
import { type ListedDocument, documentRow } from "./document-rows.ts";
import type { SearchedBranch } from "./searching/branch-of-search.ts";
import { similarForm } from "./searching/similar-form.ts";
import type { FacetView } from "./search-facets.ts";

export interface ListPageView {
  site: Site;
  /** Additional elements for the page's head. */
  head: Html;
  /** The address of the page without its query, where its search box leads. */
  action: string;
  /** The query as the user typed it; empty for all documents. */
  query: string;
  reading: QueryReading;
  count: number;
  found: readonly FoundView[];
  facets: readonly FacetView[];
  /** The branch of the tree that is searched; null for all documents. */
  branch: SearchedBranch | null;
  /** The corrected query and the address of its results, if nothing was found. */
  suggestion: { text: string; href: string } | null;
  /** Addresses of the previous and the next page; null at the ends of the list. A search has no previous one. */
  previous: string | null;
  next: string | null;
}

/** The query with the branch that is searched, in the query language. */
export const wholeQuery = ({ query, branch }: Pick<ListPageView, "query" | "branch">): string =>
  branch === null ? query : `${query} ${branch.clause}`.trim();

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

/** A document that was found. */
export interface FoundView extends ListedDocument {
  /** The first matching pages. */
  pages: readonly FoundPage[];
  /** The number of further matching pages, and the address that lists them. */
  more: { count: number; href: string };
  /** The matches in its notes. */
  notes: readonly FoundPage[];
  /** The copies that this result stands for. Null if no other document has the same file. */
  copies: FoldedCopies | null;
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

/** Renders the list of documents: all that the visitor may see, or those that a search finds. */
export function renderListPage(view: ListPageView): string {
  const { site, head, facets } = view;
  const query = wholeQuery(view);
  const texts = pageTexts(site);
  const main = html`<div class="listing">
    <div class="listing-head">${heading(view)}</div>
    ${facets.length > 0 && narrowing(facets, site)}
    <div class="listing-main">${foundLine(view)} ${listed(view)}</div>
  </div>`;
  const [title, robots] = query === "" ? [texts.documents, null] : [`${query} – ${texts.search}`, "noindex"];
  return renderPage({ site, title, section: "documents", robots, head, main });
}

/** The search field comes before the facets, also where these stand beside both. */
function heading({ site, action, query, branch }: ListPageView): Html {
  const texts = pageTexts(site);
  const isSearch = query !== "" || branch !== null;
  const label = branch === null ? texts.searchDocuments : texts.tree.searchIn(branch.name);
  return html`<h1 class="${isSearch ? "visually-hidden" : ""}">
      ${isSearch ? texts.search : texts.documents}
    </h1>
    ${searchBox(action, query, { label, locale: site, hidden: branch?.parameter ?? {} })}
    ${!isSearch && html`<p><a href="${site.home}tree/">${texts.tree.browseAll}</a></p>`}
    ${
      branch !== null &&
      html`<p class="searched-branch">
        ${texts.tree.foundIn} <a href="${branch.tree}"><bdi>${branch.name}</bdi></a>
        <a class="chip" href="${branch.without}">${texts.tree.everywhere}</a>
      </p>`
    }`;
}

function foundLine(view: ListPageView): Html {
  const { site, query, count, reading, suggestion } = view;
  const texts = pageTexts(site);
  return html`<p class="found" role="status">
      ${count === 0 ? texts.nothingFound : texts.documentsFound(count)} ${readingNotes(site, reading)}
    </p>
    ${suggestion !== null && html`<p>${texts.didYouMean} <a href="${suggestion.href}">${suggestion.text}</a>?</p>`}
    ${query !== "" && linksOn(site, wholeQuery(view), count)}`;
}

/** What can be done with a search, and with the documents that it finds. */
function linksOn(site: Site, query: string, count: number): HtmlContent {
  const [texts, q] = [pageTexts(site), encodeURIComponent(query)];
  const href = `${site.home}timeline/?q=${q}`;
  const timeline = count > 0 && html`<a class="button small" href="${href}">${texts.timeline.title}</a>`;
  if (typeof site.visitor?.name !== "string") return timeline && html`<p class="buttons">${timeline}</p>`;
  return html`<p class="buttons">
    <a class="button small" href="${site.account}searches/?q=${q}#new">${texts.searches.fromSearch}</a>
    ${count > 0 && html`<a class="button small" href="${site.home}notes/?q=${q}">${texts.notesOnThese}</a>`}
    ${timeline}
    ${
      count > 0 &&
      site.addons !== null &&
      site.visitor.mayUpload &&
      html`<a class="button small" href="${site.addons}?query=${q}">${texts.addons.ofDocument}</a>`
    }
    ${
      count > 0 &&
      site.visitor.mayUpload &&
      html`<a class="button small" href="${redactAddress(site, query)}">${texts.redactWords}</a>`
    }
  </p>`;
}

function listed({ site, query, found, previous, next }: ListPageView): Html {
  return html`${found.length > 0 && foundList(found, site)}
  ${pageButtons(query === "" ? previous : null, next, { locale: site })} ${query !== "" && similarForm(site)}`;
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
  const [texts, counted] = [pageTexts(locale), facets[0]?.counted ?? null];
  return html`<nav class="narrowing" aria-label="${texts.narrow}">
    ${facets.map(
      ({ title, values, isYear }) =>
        html`<section>
          <h2>${title}</h2>
          ${isYear && yearBars(values)}
          <ul>
            ${values.map((value) => facetLink(value, title, locale))}
          </ul>
        </section>`,
    )}
    ${counted !== null && html`<p class="help">${texts.countedAmong(counted)}</p>`}
  </nav>`;
}

function facetLink(
  { text, count, href, isChosen }: FacetView["values"][number],
  title: string,
  locale: Locale,
): Html {
  const texts = pageTexts(locale);
  const counted = html`<span class="documents-with">${texts.formats.number(count)}</span>`;
  if (!isChosen)
    return html`<li>
      <a href="${href}"><span dir="auto">${text}</span> ${counted}</a>
    </li>`;
  return html`<li class="is-chosen">
    <strong dir="auto">${text}</strong> ${counted}
    <a class="chip" href="${href}" aria-label="${texts.showAllOf(title)}">${texts.showAll}</a>
  </li>`;
}

const barHeight = 40;

/** How many documents each year has, as a picture of the numbers below it. */
function yearBars(values: FacetView["values"]): HtmlContent {
  const years = values
    .filter(({ text }) => /^\d{4}$/.test(text))
    .toSorted((one, other) => (one.text < other.text ? -1 : 1));
  const max = Math.max(...years.map(({ count }) => count));
  if (years.length < 3) return null;
  return html`<svg
    class="year-bars"
    viewBox="0 0 ${years.length * 10} ${barHeight}"
    preserveAspectRatio="none"
    aria-hidden="true"
  >
    ${years.map(({ count }, index) => {
      const height = Math.max(2, Math.round((count / max) * barHeight));
      return html`<rect x="${index * 10}" y="${barHeight - height}" width="8" height="${height}" />`;
    })}
  </svg>`;
}

/** The maximum number of notes for each document. */
const maxNotes = 5;

function item(document: FoundView, locale: Locale): Html {
  const texts = pageTexts(locale);
  const { pages, more, notes, copies } = document;
  const below = html`${pages.map((found) => passage(texts.page(found.page), found))}
  ${more.count > 0 && html`<p class="fragment"><a href="${more.href}">${texts.morePages(more.count)}</a></p>`}
  ${notes.slice(0, maxNotes).map((found) => passage(texts.noteOnPage(found.page), found))}
  ${copies !== null && foldedCopies(copies, locale)}`;
  return documentRow(document, locale, below);
}

/** The copies of a result, folded. */
function foldedCopies({ count, locations, others }: FoldedCopies, locale: Locale): Html {
  const texts = pageTexts(locale);
  return html`<details class="copies">
    <summary>${texts.copies(count, locations)}</summary>
    <ul>
      ${others.map(
        ({ title, href }) =>
          html`<li>
            <a href="${href}"><bdi>${title === "" ? texts.untitled : title}</bdi></a>
          </li>`,
      )}
      ${count - 1 > others.length && html`<li>${texts.andMoreCopies(count - 1 - others.length)}</li>`}
    </ul>
  </details>`;
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
