import { readyStatuses } from "../resources/document-states.ts";
import { type Html, html } from "../http/text/html.ts";
import { type Site, pageButtons, renderPage } from "../http/browsable/page-shell.ts";
import type { Locale } from "../texts/formats.ts";
import { pageTexts } from "../texts/pages.ts";
import { searchBox } from "./search-page.ts";
import { accessInWords, dayInWords, languageInWords, pagesInWords, statusInWords } from "./wording.ts";

export interface HomePageView {
  site: Site;
  documents: readonly ListedDocument[];
  /** Addresses of the previous and the next page of the list; null at its ends. */
  previous: string | null;
  next: string | null;
  /** Additional elements for the page's head. */
  head?: Html | null;
}

/** A document in the list. Empty texts are not shown. */
export interface ListedDocument {
  title: string;
  /** The document's own page. */
  href: string;
  /** In the API's timestamp format. */
  createdAt: string;
  pageCount: number;
  source: string;
  /** The name of its organization. */
  organization: string;
  /** The code of its language. */
  language: string;
  /** The extension of the original, without a dot. */
  extension: string;
  access: string;
  status: string;
}

/** Renders the list of all documents. */
export function renderHomePage({ site, documents, previous, next, head }: HomePageView): string {
  const texts = pageTexts(site);
  const isWhole = previous === null && next === null;
  const main = html`
    <h1>${texts.documents}</h1>
    ${searchBox(site.home, "", { label: texts.searchDocuments, locale: site })}
    ${
      (site.visitor?.csrfToken ?? null) !== null &&
      html`<p class="more"><a href="${site.shared}">${texts.sharedWithYou}</a></p>`
    }
    ${documents.length === 0 ? nothing(isWhole, site) : documentList(documents, site)}
    ${pageButtons(previous, next, { locale: site })}
  `;
  return renderPage({
    site,
    title: texts.documents,
    section: "documents",
    robots: null,
    head: head ?? null,
    main,
  });
}

/** A list of documents, with a link to each. */
export function documentList(documents: readonly ListedDocument[], locale: Locale): Html {
  return html`<ul class="documents">
    ${documents.map((document) => item(document, locale))}
  </ul>`;
}

function item(document: ListedDocument, locale: Locale): Html {
  const { title, href, createdAt, pageCount, source, organization, language, extension, access, status } =
    document;
  const facts = [
    html`<time datetime="${createdAt}">${dayInWords(createdAt, locale)}</time>`,
    pageCount > 0 && pagesInWords(pageCount, locale),
    extension !== "" && extension.toUpperCase(),
    language !== "" && languageInWords(language, locale),
    source !== "" && html`<span dir="auto">${source}</span>`,
    organization !== "" && organization !== source && html`<span dir="auto">${organization}</span>`,
    access !== "public" && html`<span class="restricted">${accessInWords(access, locale)}</span>`,
    !readyStatuses.includes(status) && statusInWords(status, locale),
  ].filter((fact) => fact !== false);
  return html`<li>
    <h2 dir="auto"><a href="${href}">${title === "" ? pageTexts(locale).untitled : title}</a></h2>
    <ul class="facts">
      ${facts.map((fact) => html`<li>${fact}</li>`)}
    </ul>
  </li>`;
}

function nothing(isWhole: boolean, locale: Locale): Html {
  const texts = pageTexts(locale);
  if (!isWhole) return html`<p>${texts.noDocumentsHere}</p>`;
  return html`<div class="empty">
    <h2>${texts.noDocumentsYet}</h2>
    <p>${texts.howToImport}</p>
    <pre>npm run quire -- import ${texts.fileOrFolder}</pre>
    <p>${texts.whatCanBeImported}</p>
  </div>`;
}
