import { type Html, html } from "../../http/text/html.ts";
import { type Site, pageButtons, renderPage } from "../../http/browsable/page-shell.ts";
import type { ProjectAccess } from "../../http/request/viewer.ts";
import { pageTexts } from "../../texts/pages.ts";
import { type FoundView, foundList } from "../search-page.ts";
import { dayInWords } from "../wording.ts";
import type { ListedProject } from "./projects-page.ts";

export interface SharedPageView {
  site: Site;
  projects: readonly SharedProject[];
  documents: readonly FoundView[];
  /** The address of the next documents. */
  next: string | null;
}

export interface SharedProject extends ListedProject {
  access: ProjectAccess;
  /** The name of the person who shared it; null if it is unknown. */
  giver: string | null;
  /** In the API's timestamp format; null if it is unknown. */
  sharedAt: string | null;
}

/** Renders the projects and documents that others have shared with the person who views the page. */
export function renderSharedPage({ site, projects, documents, next }: SharedPageView): string {
  const texts = pageTexts(site);
  const main = html`
    <h1>${texts.sharedWithYou}</h1>
    ${projects.length === 0 && html`<p>${texts.nothingShared}</p>`}
    ${
      projects.length > 0 &&
      html`<section class="project-group" aria-labelledby="projects">
        <h2 id="projects">${texts.projects}</h2>
        <ul class="documents">
          ${projects.map((project) => item(project, site))}
        </ul>
      </section>`
    }
    ${
      documents.length > 0 &&
      html`<section class="project-group" aria-label="${texts.documentsOfOthers}">
        <h2>${texts.documentsOfOthers}</h2>
        ${foundList(documents, site)} ${pageButtons(null, next, { locale: site })}
      </section>`
    }
  `;
  return renderPage({ site, title: texts.sharedWithYou, section: null, robots: "noindex", main });
}

function item(project: SharedProject, site: Site): Html {
  const { title, description, href, access, giver, sharedAt, private: isPrivate } = project;
  const texts = pageTexts(site);
  const day = sharedAt === null ? null : dayInWords(sharedAt, site);
  const said = day !== null && (giver === null ? texts.sharedOn(day) : texts.sharedBy(giver, day));
  return html`<li>
    <h3 dir="auto"><a href="${href}">${title === "" ? texts.untitled : title}</a></h3>
    ${description !== "" && html`<p class="description" dir="auto">${description}</p>`}
    <ul class="facts">
      ${said !== false && html`<li>${said}</li>`}
      <li>${texts.rights[access]}</li>
      ${Boolean(isPrivate) && html`<li><span class="restricted">${texts.private}</span></li>`}
    </ul>
  </li>`;
}
