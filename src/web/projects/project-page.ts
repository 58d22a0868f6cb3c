import { type DeskOptions, type OwnDeskOptions, deskAttributes } from "../../contract/page-options.ts";
import { type Html, attributesFrom, html } from "../../http/text/html.ts";
import {
  type Site,
  type Theme,
  pageButtons,
  renderBarePage,
  renderPage,
} from "../../http/browsable/page-shell.ts";
import { pageTexts } from "../../texts/pages.ts";
import { type ListedDocument, documentList } from "../document-rows.ts";
import { type FoundView, type QueryReading, foundList, readingNotes, searchBox } from "../search-page.ts";
import { documentsInWords } from "../wording.ts";

export interface ProjectPageView {
  site: Site;
  project: { id: number; title: string; description: string; private: boolean | number };
  /** The address of this page. */
  href: string;
  content: ProjectList | ProjectSearch;
  /** The code that embeds the project, and the address of the frame; null for a project that not everyone sees. */
  embed: { code: string; frame: string } | null;
  /** Additional elements for the page's head. */
  head: Html | null;
}

export interface ProjectList {
  kind: "list";
  /** The number of its documents that the visitor may see. */
  count: number;
  documents: readonly ListedDocument[];
  previous: string | null;
  next: string | null;
}

export interface ProjectSearch {
  kind: "search";
  /** The query as the reader typed it. */
  query: string;
  reading: QueryReading;
  count: number;
  found: readonly FoundView[];
  next: string | null;
}

/**
 * Renders the page of a project. For people who have signed in, the script of the desk replaces the content: `script`
 * has its options.
 */
export function renderProjectPage(
  view: ProjectPageView,
  script: { own: OwnDeskOptions<"project">; options: DeskOptions } | null,
): string {
  const { site, project, head } = view;
  const texts = pageTexts(site);
  const title = project.title === "" ? texts.untitled : project.title;
  const plain = html`
    <section class="project-hero">
      <p class="help"><a href="${site.home}projects/">${texts.projects}</a></p>
      <h1 dir="auto">${title}</h1>
      ${project.description !== "" && html`<p class="description" dir="auto">${project.description}</p>`}
      ${timelineLink(view)}
    </section>
    ${contentOf(view, {})} ${view.embed !== null && embedPanel(view.embed, view)}
  `;
  const page = { site, title, section: "projects", robots: null } as const;
  if (script === null) return renderPage({ ...page, head, main: plain });
  const attributes = deskAttributes({ name: "project", own: script.own }, script.options);
  const main = html`${timelineLink(view)}
    <div ${attributesFrom(attributes)}></div>
    <noscript>${plain}</noscript>`;
  const desk = site.desk[site.language];
  const scripts = html`<link rel="stylesheet" href="${desk.stylesheet}" />
    <script type="module" src="${desk.script}"></script>
    ${head}`;
  return renderPage({ ...page, head: scripts, main });
}

function timelineLink({ site, project: { id } }: ProjectPageView): Html {
  const href = `${site.home}timeline/?q=project:${id}`;
  return html`<p class="buttons project-timeline">
    <a class="button small" href="${href}">${pageTexts(site).timeline.title}</a>
  </p>`;
}

/** Renders the page for a frame on another site: a search box and the documents, which open in new tabs. */
export function renderEmbeddedProject(view: ProjectPageView, theme: Theme | null): string {
  const { site, project, href, head } = view;
  const texts = pageTexts(site);
  const title = project.title === "" ? texts.untitled : project.title;
  const hidden = { embed: "1", ...(theme !== null && { theme }) };
  const main = html`<div class="embed project-embed">
    <h1 dir="auto">${title}</h1>
    ${contentOf(view, hidden)}
    <p class="origin"><a href="${href}" rel="noopener">${texts.openInQuire}</a></p>
  </div>`;
  const base = html`<base target="_blank" />
    <link rel="canonical" href="${href}" />
    ${head}`;
  return renderBarePage({ site, title, robots: null, head: base, main, theme });
}

/** The search box and the documents. `hidden` are the parameters that the page keeps. */
function contentOf({ site, href, content }: ProjectPageView, hidden: Readonly<Record<string, string>>): Html {
  const texts = pageTexts(site);
  const query = content.kind === "search" ? content.query : "";
  const box = searchBox(href, query, { label: texts.searchProject, locale: site, hidden });
  if (content.kind === "list") {
    const { count, documents, previous, next } = content;
    return html`${count > 0 && box}
    ${
      documents.length === 0
        ? html`<p class="notice">${texts.emptyProject}</p>`
        : html`<p class="list-bar">${documentsInWords(count, site)}</p>
            ${documentList(documents, site)}`
    }
    ${pageButtons(previous, next, { locale: site, target: "_self" })}`;
  }
  const { count, found, next } = content;
  const kept = new URLSearchParams(hidden).toString();
  return html`${box}
    <p class="found" role="status">
      ${count === 0 ? texts.notFoundInProject : texts.documentsFound(count)}
      ${readingNotes(site, content.reading)}
    </p>
    ${found.length > 0 && foundList(found, site)}
    <p class="more">
      <a href="${href}${kept === "" ? "" : `?${kept}`}" target="_self">${texts.allDocuments}</a>
    </p>
    ${pageButtons(null, next, { locale: site, target: "_self" })}`;
}

function embedPanel({ code, frame }: NonNullable<ProjectPageView["embed"]>, { site }: ProjectPageView): Html {
  const texts = pageTexts(site);
  return html`<details class="panel project-share">
    <summary>${texts.embed}</summary>
    <div class="panel-content">
      <p class="help">${texts.embedHelp}</p>
      <p class="field">
        <label for="embed-code">${texts.embedCode}</label>
        <textarea id="embed-code" class="code" rows="4" readonly>${code}</textarea>
      </p>
      <iframe src="${frame}" title="${texts.preview}" width="500" height="500" loading="lazy"></iframe>
    </div>
  </details>`;
}
