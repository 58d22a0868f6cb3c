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

/** Some pages as images with their text, links to every page, and the search box. */
export function pagesWithoutScripts(
  { canonical, query, pageCount, pages }: PlainPages,
  locale: Locale,
): Html {
  const texts = pageTexts(locale);
  const first = pages[0]?.page ?? 1;
  return html`<section class="plain-pages" aria-label="${texts.pages}">
    ${searchBox(`${canonical}search/`, query, { label: texts.document.searchHere, locale })}
    ${pages.map((page) => plainPage(page, locale))}
    ${pageCount > pages.length && pageLinks(canonical, pageCount, first, locale)}
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

const pagesInGroup = 100;

/**
 * Links to the hundred pages around the current one, and to each other hundred: any page is at most two clicks away.
 */
function pageLinks(canonical: string, count: number, first: number, locale: Locale): Html {
  const texts = pageTexts(locale);
  const group = Math.floor((first - 1) / pagesInGroup);
  const start = group * pagesInGroup + 1;
  const end = Math.min(count, start + pagesInGroup - 1);
  const groups = Math.ceil(count / pagesInGroup);
  const link = (page: number, label: string): Html =>
    html`<li>
      <a href="${canonical}?page=${page}" ${page === first && html`aria-current="page"`}>${label}</a>
    </li>`;
  return html`<nav aria-label="${texts.document.allPages}">
    <ul class="page-links">
      ${Array.from({ length: end - start + 1 }, (_, index) => link(start + index, texts.page(start + index)))}
    </ul>
    ${
      groups > 1 &&
      html`<ul class="page-links">
        ${Array.from({ length: groups }, (_, index) => {
          const from = index * pagesInGroup + 1;
          const to = Math.min(count, from + pagesInGroup - 1);
          return index === group
            ? html``
            : link(from, from === to ? texts.page(from) : texts.document.pagesTo(from, to));
        })}
      </ul>`
    }
  </nav>`;
}
