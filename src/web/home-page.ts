import { type Html, html } from "../http/text/html.ts";
import { type Site, documentsAddress, pageButtons, renderPage } from "../http/browsable/page-shell.ts";
import { maxCounted } from "../resources/documents/search/count-store.ts";
import { pageTexts } from "../texts/pages.ts";
import type { ListedPage } from "./document-lists.ts";
import { type ListedDocument, documentList } from "./document-rows.ts";
import { searchBox } from "./search-page.ts";
import { dayInWords, documentsInWords } from "./wording.ts";

export interface HomePageView {
  site: Site;
  /** The number of documents that the visitor may see: see {@link countFindable}. */
  count: number;
  projects: readonly ProjectCard[];
  /** The newest documents. */
  documents: readonly ListedDocument[];
  /** Additional elements for the page's head. */
  head?: Html | null;
}

/** A project that everyone may see, with the number of its documents. */
export interface ProjectCard {
  title: string;
  description: string;
  href: string;
  count: number;
  /** In the API's timestamp format. */
  updated_at: string;
}

/** Renders the first page of the site: what it is, whose, and what is in it. */
export function renderHomePage({ site, count, projects, documents, head }: HomePageView): string {
  const texts = pageTexts(site);
  const all = documentsAddress(site);
  const main = html`
    <section class="hero">
      <h1 dir="auto">${site.brand.about || texts.landing.heading}</h1>
      <p>
        ${
          count > maxCounted
            ? texts.landing.countMore(texts.formats.number(maxCounted), site.brand.name)
            : texts.landing.count(count, site.brand.name)
        }
      </p>
      ${count > 0 && searchBox(all, "", { label: texts.searchDocuments, locale: site })}
    </section>
    ${count === 0 && nothing(site)} ${projects.length > 0 && projectCards(projects, site)}
    ${
      documents.length > 0 &&
      html`<section aria-labelledby="newest">
        ${sectionHead("newest", texts.landing.newest, texts.landing.allDocuments, all)}
        ${documentList(documents, site)}
      </section>`
    }
  `;
  return renderPage({ site, title: texts.documents, section: null, robots: null, head: head ?? null, main });
}

/** Renders documents with links to the pages before and after them: those in a container, or those of an old link. */
export function renderRowsPage(site: Site, { documents, previous, next }: ListedPage): string {
  const texts = pageTexts(site);
  const main = html`
    <h1>${texts.documents}</h1>
    ${documents.length === 0 ? html`<p>${texts.noDocumentsHere}</p>` : documentList(documents, site)}
    ${pageButtons(previous, next, { locale: site })}
  `;
  return renderPage({ site, title: texts.documents, section: "documents", robots: null, main });
}

function sectionHead(id: string, title: string, all: string, href: string): Html {
  return html`<div class="section-head">
    <h2 id="${id}">${title}</h2>
    <a href="${href}">${all}</a>
  </div>`;
}

function projectCards(projects: readonly ProjectCard[], site: Site): Html {
  const texts = pageTexts(site);
  return html`<section aria-labelledby="projects">
    ${sectionHead("projects", texts.projects, texts.landing.allProjects, `${site.home}projects/`)}
    <ul class="cards">
      ${projects.map(
        ({ title, description, href, count, updated_at }) =>
          html`<li class="card">
            <h3 dir="auto"><a href="${href}">${title === "" ? texts.untitled : title}</a></h3>
            <p class="help">
              ${documentsInWords(count, site)} ·
              <time datetime="${updated_at}">${dayInWords(updated_at, site)}</time>
            </p>
            ${description !== "" && html`<p class="card-text" dir="auto">${description}</p>`}
          </li>`,
      )}
    </ul>
  </section>`;
}

/** What to do where there is nothing yet: upload, sign in, or import from a terminal. */
function nothing(site: Site): Html {
  const texts = pageTexts(site);
  const { visitor } = site;
  return html`<div class="empty">
    <h2>${texts.noDocumentsYet}</h2>
    ${
      visitor?.mayUpload === true
        ? html`<p>${texts.landing.uploadHelp}</p>
            <p><a class="button primary" href="${site.upload}">${texts.landing.uploadFirst}</a></p>`
        : html`<p>${texts.landing.nothingPublic}</p>
            ${
              visitor?.name === null &&
              html`<p>
                <a class="button primary" href="${site.signIn}?next=${encodeURIComponent(visitor.here)}"
                  >${texts.signIn}</a
                >
              </p>`
            }`
    }
    <details>
      <summary>${texts.landing.forAdministrators}</summary>
      <p>${texts.howToImport}</p>
      <pre>npm run quire -- import ${texts.fileOrFolder}</pre>
      <p>${texts.whatCanBeImported}</p>
    </details>
  </div>`;
}
