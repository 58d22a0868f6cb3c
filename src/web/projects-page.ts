import { type Html, html } from "../http/text/html.ts";
import { type Site, pageButtons, renderPage } from "../http/browsable/page-shell.ts";
import { dayInWords } from "./wording.ts";

export interface ProjectsPageView {
  site: Site;
  projects: readonly ListedProject[];
  /** Addresses of the previous and the next page of the list; null at its ends. */
  previous: string | null;
  next: string | null;
}

/** A project in the list. */
export interface ListedProject {
  title: string;
  /** Not shown if empty. */
  description: string;
  /** The project's own page. */
  href: string;
  private: boolean | number;
  /** In the API's timestamp format. */
  created_at: string;
}

/** The path of a project's page. */
export function projectPath({ id, slug }: { id: number; slug: string }): string {
  return `/projects/${id}${slug === "" ? "" : `-${encodeURIComponent(slug)}`}/`;
}

/** Renders the list of projects. */
export function renderProjectsPage({ site, projects, previous, next }: ProjectsPageView): string {
  const isWhole = previous === null && next === null;
  const main = html`
    <h1>Projects</h1>
    ${
      projects.length === 0
        ? html`<p>
            ${isWhole ? "There are no projects that you may see." : "There are no projects on this page."}
          </p>`
        : html`<ul class="documents">
            ${projects.map(item)}
          </ul>`
    }
    ${pageButtons(previous, next)}
  `;
  return renderPage({ site, title: "Projects", section: "projects", robots: null, head: null, main });
}

function item({ title, description, href, private: isPrivate, created_at }: ListedProject): Html {
  return html`<li>
    <h2 dir="auto"><a href="${href}">${title === "" ? "Untitled" : title}</a></h2>
    ${description !== "" && html`<p class="description" dir="auto">${description}</p>`}
    <ul class="facts">
      <li><time datetime="${created_at}">${dayInWords(created_at)}</time></li>
      ${Boolean(isPrivate) && html`<li><span class="restricted">Private</span></li>`}
    </ul>
  </li>`;
}
