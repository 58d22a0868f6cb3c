import type { GuestLink } from "../../contract/guest-link.ts";
import { guestLinkLimits } from "../../contract/limits.ts";
import { type Site, renderPage } from "../../http/browsable/page-shell.ts";
import { type Html, html } from "../../http/text/html.ts";
import { timestampNow } from "../../http/text/timestamp.ts";
import { pageTexts } from "../../texts/pages.ts";
import {
  checkbox,
  csrf,
  doneMessage,
  faultMarks,
  faultOf,
  input,
  option,
  secretMessage,
  stateOf,
} from "../forms/fields.ts";
import type { RefusedForm } from "../forms/refused-form.ts";
import { momentInWords } from "../wording.ts";

interface ListedLink {
  link: GuestLink;
  /** The name of the maker, unless it is the person who sees the page. */
  maker: string | null;
}

export interface LinkPageView {
  site: Site;
  csrfToken: string;
  links: readonly ListedLink[];
  /** The person's own links, or everyone's: all, or those to one document or project. */
  shown: "viewer" | "everyone" | "document" | "project";
  /** The pages of all links to the projects that the person administers. */
  projects: readonly (readonly [href: string, words: string])[];
  isAdministrator: boolean;
  /** The address of the next page. */
  next: string | null;
  /** What the form may share: the value of the choice, and its words. */
  subjects: readonly (readonly [value: string, words: string])[];
  /** The value that is chosen at first; empty for the first one. */
  chosen: string;
  /** The link that was just made. This is the only time that it is shown. */
  made: string | null;
  /** A sentence about the last action; null without one. */
  done: string | null;
  refused: RefusedForm | null;
}

/** The page with a person's guest links, and the form for another one. */
export function renderLinksPage(view: LinkPageView): string {
  const { site, links, subjects, made, done } = view;
  const texts = pageTexts(site).guests;
  const main = html`<div class="account">
    <h1>${texts.title}</h1>
    <p>${texts.help}</p>
    <p class="help">${texts.limits}</p>
    ${doneMessage(done)} ${made !== null && secretMessage(texts.created, made)}
    <section aria-labelledby="new">
      <h2 id="new">${texts.create}</h2>
      ${
        subjects.length === 0
          ? html`<p>${texts.nothingToShare}</p>`
          : html`<form method="post" action="${site.account}guests/">
              ${fields(view)}
              <button class="button primary">${texts.create}</button>
            </form>`
      }
    </section>
    <section aria-labelledby="list">
      <h2 id="list">${texts.headings[view.shown]}</h2>
      ${links.length === 0 && html`<p>${texts.noLinks[view.shown]}</p>`}
      <ul class="credentials">
        ${links.map((listed) => linkItem(view, listed))}
      </ul>
      ${view.next !== null && html`<p><a href="${view.next}">${pageTexts(site).next}</a></p>`}
    </section>
    ${others(view)}
    <p><a href="${site.account}">${texts.account}</a></p>
  </div>`;
  return renderPage({ site, title: texts.title, section: null, robots: "noindex", main });
}

/** Where the other lists are that the person may see. */
function others({ site, shown, projects, isAdministrator }: LinkPageView): Html {
  const texts = pageTexts(site).guests;
  const path = `${site.account}guests/`;
  return html`${
    shown === "viewer" &&
    projects.length > 0 &&
    html`<section aria-labelledby="projects">
      <h2 id="projects">${texts.ofProjects}</h2>
      <ul>
        ${projects.map(([href, words]) => html`<li><a href="${href}" dir="auto">${words}</a></li>`)}
      </ul>
    </section>`
  }
  ${shown !== "viewer" && html`<p><a href="${path}">${texts.allYours}</a></p>`}
  ${
    isAdministrator &&
    shown !== "everyone" &&
    html`<p><a href="${path}?everyone=true">${texts.headings.everyone}</a></p>`
  }`;
}

function linkItem({ site, csrfToken }: LinkPageView, { link, maker }: ListedLink): Html {
  const texts = pageTexts(site).guests;
  const { uuid, document, project, download, has_password, uses, max_uses } = link;
  const name = link.name === "" ? texts.unnamed : link.name;
  const about =
    document !== null
      ? texts.ofDocument(document)
      : project !== null
        ? texts.ofProject(project)
        : texts.ofSearch;
  const works = link.revoked_at === null && link.expires_at > timestampNow();
  const facts = [
    about,
    ...(maker === null ? [] : [texts.madeBy(maker)]),
    !works || max_uses === null || uses < max_uses ? stateInWords(link, site) : texts.state.used,
    `${texts.opened(uses)}${max_uses === null ? "" : ` / ${max_uses}`}`,
    ...(has_password ? [texts.withPassword] : []),
    ...(download ? [texts.withDownload] : []),
  ];
  return html`<li>
    <div>
      <strong dir="auto">${name}</strong>
      <p class="help">${facts.join(" · ")}</p>
    </div>
    ${
      works &&
      html`<form method="post" action="${site.account}guests/${uuid}/revoke/">
        ${csrf(csrfToken)}<button class="button" aria-label="${texts.revokeOf(name)}">${texts.revoke}</button>
      </form>`
    }
  </li>`;
}

function stateInWords({ revoked_at: revoked, expires_at: expires }: GuestLink, site: Site): string {
  const { state } = pageTexts(site).guests;
  if (revoked !== null) return state.revoked(momentInWords(revoked, site));
  const at = momentInWords(expires, site);
  return expires > timestampNow() ? state.works(at) : state.ended(at);
}

function fields({ site, csrfToken, subjects, refused, ...view }: LinkPageView): Html {
  const texts = pageTexts(site).guests;
  const state = stateOf(site, refused);
  const chosen = state.texts["subject"] ?? view.chosen;
  return html`${csrf(csrfToken)} ${faultOf(state, "non_field_errors")}
    <p class="field">
      <label for="subject">${texts.subject}</label>
      <select id="subject" name="subject" ${faultMarks(state, "subject")}>
        ${subjects.map(([value, words]) => option(value, words, chosen))}
      </select>
      ${faultOf(state, "subject")}
    </p>
    ${input(state, {
      name: "name",
      label: texts.name,
      help: texts.nameHelp,
      maxLength: guestLinkLimits.name,
      isOptional: true,
    })}
    ${input(state, {
      name: "days",
      label: texts.days,
      type: "number",
      value: "30",
      max: guestLinkLimits.days,
    })}
    ${input(state, {
      name: "max_uses",
      label: texts.uses,
      help: texts.usesHelp,
      type: "number",
      max: guestLinkLimits.uses,
      isOptional: true,
    })}
    ${input(state, {
      name: "password",
      label: texts.password,
      help: texts.passwordHelp,
      type: "password",
      autocomplete: "new-password",
      maxLength: guestLinkLimits.password,
      isOptional: true,
    })}
    ${checkbox("download", texts.download, state.texts["download"] !== undefined)}`;
}
