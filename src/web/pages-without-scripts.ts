import { type Html, html } from "../http/text/html.ts";
import type { Locale } from "../texts/formats.ts";
import { pageTexts } from "../texts/pages.ts";
import { searchBox } from "./search-page.ts";

/** Pages of a document for browsers without scripts. */
export interface PlainPages {
  /** The document's own address. */
  canonical: string;
  /** The query in the address. */
  query: string;
  pageCount: number;
  pages: readonly PlainPage[];
}

export interface PlainPage {
  /** Counting from 1. */
  page: number;
  /** The address of its image. Null if there is none. */
  image: string | null;
  /** In points. */
  width: number;
  height: number;
  text: string;
}

/** The number of pages shown at a time. */
export const plainPagesShown = 5;

/** Some pages as images with their text, links to other pages, and the search box. */
export function pagesWithoutScripts(
  { canonical, query, pageCount, pages }: PlainPages,
  locale: Locale,
): Html {
  const texts = pageTexts(locale);
  return html`<section class="plain-pages" aria-label="${texts.pages}">
    ${searchBox(`${canonical}search/`, query, { label: texts.document.searchHere, locale })}
    ${pages.map((page) => plainPage(page, locale))}
    ${pageCount > pages.length && pageLinks(canonical, pageCount, pages, locale)}
  </section>`;
}

function plainPage({ page, image, width, height, text }: PlainPage, locale: Locale): Html {
  const texts = pageTexts(locale);
  return html`<section id="document/p${page}" aria-labelledby="page-${page}">
    <h2 id="page-${page}">${texts.page(page)}</h2>
    ${
      image !== null &&
      html`<img
        src="${image}"
        width="1000"
        height="${Math.round((1000 * height) / width)}"
        alt="${texts.document.imageOfPage(page)}"
        loading="lazy"
      />`
    }
    ${
      text.trim() !== "" &&
      html`<details>
        <summary>${texts.document.textOfPage(page)}</summary>
        <p class="page-text" dir="auto">${text}</p>
      </details>`
    }
  </section>`;
}

/** The number of pages named before and after those that are shown. */
const neighbours = 10;

/** Links to the pages around those that are shown, to the first and the last, and a form that leads to any other. */
function pageLinks(canonical: string, count: number, pages: readonly PlainPage[], locale: Locale): Html {
  const texts = pageTexts(locale);
  const first = pages[0]?.page ?? 1;
  const last = pages.at(-1)?.page ?? 1;
  const from = Math.max(1, first - neighbours);
  const around = Array.from(
    { length: Math.min(count, last + neighbours) - from + 1 },
    (_, index) => from + index,
  );
  const link = (page: number): Html =>
    html`<li>
      <a href="${canonical}?page=${page}" ${page === first && html`aria-current="page"`}
        >${texts.page(page)}</a
      >
    </li>`;
  return html`<nav aria-label="${texts.document.otherPages}">
    <ul class="page-links">
      ${[...new Set([1, ...around, count])].map(link)}
    </ul>
    <form class="page-links" method="get" action="${canonical}" target="_self">
      <label for="page">${texts.document.pageOf(count)}</label>
      <input type="number" id="page" name="page" min="1" max="${count}" value="${first}" required />
      <button class="button" type="submit">${texts.document.goToPage}</button>
    </form>
  </nav>`;
}

/** The page that a parameter names, counting from 1; the first if it names none. */
export function pageIn(text: string | undefined, count: number): number {
  const page = Number(/^[1-9]\d{0,8}$/.exec(text ?? "")?.[0] ?? 1);
  return page <= count ? page : 1;
}
