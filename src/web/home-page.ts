import { readyStatuses } from "../resources/document-states.ts";
import { type Html, html } from "../http/text/html.ts";
import { type Site, pageButtons, renderPage } from "../http/browsable/page-shell.ts";
import { searchBox } from "./search-page.ts";
import { accessInWords, dayInWords, languageInWords, pagesInWords, statusInWords } from "./wording.ts";

export interface HomePageView {
  site: Site;
  documents: readonly ListedDocument[];
  /** Addresses of the previous and the next page of the list; null at its ends. */
  previous: string | null;
  next: string | null;
  /** The project whose documents are listed. Undefined for the list of all documents. */
  project?: { title: string; description: string };
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

/** Renders the list of documents. */
export function renderHomePage({ site, documents, previous, next, project, head }: HomePageView): string {
  const isWhole = previous === null && next === null && project === undefined;
  const heading = project === undefined ? "Documents" : project.title === "" ? "Untitled" : project.title;
  const main = html`
    <h1 dir="auto">${heading}</h1>
    ${project === undefined ? searchBox(site.home, "") : project.description !== "" && html`<p class="description" dir="auto">${project.description}</p>`}
    ${
      documents.length === 0
        ? nothing(isWhole)
        : html`<ul class="documents">
            ${documents.map(item)}
          </ul>`
    }
    ${pageButtons(previous, next)}
  `;
  return renderPage({
    site,
    title: heading,
    section: project === undefined ? "documents" : "projects",
    robots: null,
    head: head ?? null,
    main,
  });
}

function item(document: ListedDocument): Html {
  const { title, href, createdAt, pageCount, source, organization, language, extension, access, status } =
    document;
  const facts = [
    html`<time datetime="${createdAt}">${dayInWords(createdAt)}</time>`,
    pageCount > 0 && pagesInWords(pageCount),
    extension !== "" && extension.toUpperCase(),
    language !== "" && languageInWords(language),
    source !== "" && html`<span dir="auto">${source}</span>`,
    organization !== "" && organization !== source && html`<span dir="auto">${organization}</span>`,
    access !== "public" && html`<span class="restricted">${accessInWords(access)}</span>`,
    !readyStatuses.includes(status) && statusInWords(status),
  ].filter((fact) => fact !== false);
  return html`<li>
    <h2 dir="auto"><a href="${href}">${title === "" ? "Untitled" : title}</a></h2>
    <ul class="facts">
      ${facts.map((fact) => html`<li>${fact}</li>`)}
    </ul>
  </li>`;
}

function nothing(isWhole: boolean): Html {
  if (!isWhole) return html`<p>There are no documents on this page.</p>`;
  return html`<div class="empty">
    <h2>There are no documents yet</h2>
    <p>The administrator of this server imports documents from a terminal, in Quire’s folder:</p>
    <pre>npm run quire -- import FILE-OR-FOLDER</pre>
    <p>PDFs, office files and images can be imported, and so can the documents of another server.</p>
  </div>`;
}
