import { projectLimits } from "../../contract/limits.ts";
import { csrfField } from "../../http/request/csrf.ts";
import { type Html, html } from "../../http/text/html.ts";
import { type Site, pageButtons, renderPage } from "../../http/browsable/page-shell.ts";
import type { Catalogue } from "../../texts/pages.ts";
import { pageTexts } from "../../texts/pages.ts";
import { dayInWords } from "../wording.ts";

/** The groups into which a signed-in person's list is divided, in this order. */
export type ProjectGroup = keyof Catalogue["projectGroups"];

export interface ProjectsPageView {
  site: Site;
  /** One list without a group, or lists of several groups. Empty groups are not shown. */
  lists: readonly ProjectListView[];
  /** Addresses of the previous and the next page of a single list; null at its ends. */
  previous: string | null;
  next: string | null;
  /** The form that creates a project; null for people who may not create any. */
  creating: { csrfToken: string; action: string } | null;
}

export interface ProjectListView {
  group: ProjectGroup | null;
  projects: readonly ListedProject[];
  /** The address of the whole group; null if all of it is shown. */
  more: string | null;
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

/** Renders the list of projects. */
export function renderProjectsPage(view: ProjectsPageView): string {
  const { site, lists, previous, next, creating } = view;
  const texts = pageTexts(site);
  const filled = lists.filter(({ projects }) => projects.length > 0);
  const isWhole = previous === null && next === null;
  const main = html`
    <h1>${texts.projects}</h1>
    ${creating !== null && newProject(site, creating)}
    ${
      filled.length === 0 &&
      html`<div class="empty">
        <h2>${isWhole ? texts.noProjects : texts.noProjectsHere}</h2>
        <p>${texts.whatProjectsAre}</p>
      </div>`
    }
    ${filled.map((list) => projectList(list, site))} ${pageButtons(previous, next, { locale: site })}
  `;
  return renderPage({ site, title: texts.projects, section: "projects", robots: null, head: null, main });
}

function projectList({ group, projects, more }: ProjectListView, site: Site): Html {
  const texts = pageTexts(site);
  const list = html`<ul class="documents">
    ${projects.map((project) => item(project, site, group === null ? "h2" : "h3"))}
  </ul>`;
  if (group === null) return list;
  const name = texts.projectGroups[group];
  return html`<section class="project-group" aria-labelledby="group-${group}">
    <h2 id="group-${group}">${name}</h2>
    ${list} ${more !== null && html`<p class="more"><a href="${more}">${texts.allInGroup(name)}</a></p>`}
  </section>`;
}

function item(project: ListedProject, site: Site, level: "h2" | "h3"): Html {
  const { title, description, href, private: isPrivate, created_at } = project;
  const texts = pageTexts(site);
  const link = html`<a href="${href}">${title === "" ? texts.untitled : title}</a>`;
  return html`<li>
    ${level === "h2" ? html`<h2 dir="auto">${link}</h2>` : html`<h3 dir="auto">${link}</h3>`}
    ${description !== "" && html`<p class="description" dir="auto">${description}</p>`}
    <ul class="facts">
      <li><time datetime="${created_at}">${dayInWords(created_at, site)}</time></li>
      ${Boolean(isPrivate) && html`<li><span class="restricted">${texts.private}</span></li>`}
    </ul>
  </li>`;
}

/** The form for a new project, which is private unless the person chooses otherwise. */
function newProject(site: Site, { csrfToken, action }: NonNullable<ProjectsPageView["creating"]>): Html {
  const texts = pageTexts(site);
  return html`<details class="panel new-project">
    <summary>${texts.newProject}</summary>
    <form class="panel-content" method="post" action="${action}">
      <input type="hidden" name="${csrfField}" value="${csrfToken}" />
      <p class="field">
        <label for="new-title">${texts.projectTitle}</label>
        <input
          id="new-title"
          name="title"
          maxlength="${projectLimits.title}"
          required
          pattern=".*\\S.*"
          title="${texts.titleNeeded}"
          autocomplete="off"
        />
      </p>
      <p class="field">
        <label for="new-description">${texts.description}</label>
        <textarea
          id="new-description"
          name="description"
          rows="3"
          maxlength="${projectLimits.description}"
        ></textarea>
      </p>
      <p class="field">
        <label for="new-private">${texts.visibility.label}</label>
        <select id="new-private" name="private">
          <option value="true">${texts.collaboratorsOnly}</option>
          <option value="false">${texts.everyone}</option>
        </select>
      </p>
      <p><button class="button primary">${texts.createProject}</button></p>
    </form>
  </details>`;
}
