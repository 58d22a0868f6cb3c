import type { GuestLink } from "../../contract/guest-link.ts";
import { guestLinkLimits } from "../../contract/limits.ts";
import { type Site, renderPage } from "../../http/browsable/page-shell.ts";
import { type Html, html } from "../../http/text/html.ts";
import { timestampNow } from "../../http/text/timestamp.ts";
import { pageTexts } from "../../texts/pages.ts";
import { csrf } from "../account/account-fields.ts";
import { momentInWords } from "../wording.ts";

/** What the texts of a form were, and why it was rejected, by field. */
export interface RefusedLink {
  texts: Readonly<Record<string, string | undefined>>;
  errors: Readonly<Record<string, readonly string[]>>;
}

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
  refused: RefusedLink | null;
}

/** The page with a person's guest links, and the form for another one. */
export function renderLinksPage(view: LinkPageView): string {
  const { site, links, subjects, made, done } = view;
  const texts = pageTexts(site).guests;
  const main = html`<div class="account">
    <h1>${texts.title}</h1>
    <p>${texts.help}</p>
    <p class="help">${texts.limits}</p>
    ${done !== null && html`<p class="done" role="status">${done}</p>`}
    ${
      made !== null &&
      html`<p class="done" role="status">${texts.created}<br /><code class="token">${made}</code></p>`
    }
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

interface Input {
  name: string;
  label: string;
  help?: string;
  type: "text" | "number" | "password";
  value?: string;
  max?: number;
  isRequired?: true;
}

function fields(view: LinkPageView): Html {
  const { site, csrfToken, subjects, refused } = view;
  const texts = pageTexts(site).guests;
  const chosen = refused?.texts["subject"] ?? view.chosen;
  const mayDownload = refused?.texts["download"] !== undefined;
  return html`${csrf(csrfToken)} ${problems(refused, "non_field_errors")}
    <p class="field">
      <label for="subject">${texts.subject}</label>
      <select id="subject" name="subject">
        ${subjects.map(
          ([value, words]) =>
            html`<option value="${value}" ${value === chosen && html`selected`}>${words}</option>`,
        )}
      </select>
      ${problems(refused, "subject")}
    </p>
    ${field(view, { name: "name", label: texts.name, help: texts.nameHelp, type: "text" })}
    ${field(view, {
      name: "days",
      label: texts.days,
      type: "number",
      value: "30",
      max: guestLinkLimits.days,
      isRequired: true,
    })}
    ${field(view, {
      name: "max_uses",
      label: texts.uses,
      help: texts.usesHelp,
      type: "number",
      max: guestLinkLimits.uses,
    })}
    ${field(view, { name: "password", label: texts.password, help: texts.passwordHelp, type: "password" })}
    <p class="check">
      <input id="download" name="download" type="checkbox" value="true" ${mayDownload && html`checked`} />
      <label for="download">${texts.download}</label>
    </p>`;
}

function field(
  { refused }: LinkPageView,
  { name, label, help, type, value = "", max, isRequired }: Input,
): Html {
  const described = [
    ...(help === undefined ? [] : [`${name}-help`]),
    ...(refused?.errors[name] === undefined ? [] : [`${name}-errors`]),
  ].join(" ");
  const limits =
    type === "number"
      ? html`min="1" max="${String(max)}"`
      : html`maxlength="${String(type === "text" ? guestLinkLimits.name : guestLinkLimits.password)}"`;
  return html`<p class="field">
    <label for="${name}">${label}</label>
    <input
      id="${name}"
      name="${name}"
      type="${type}"
      value="${type === "password" ? "" : (refused?.texts[name] ?? value)}"
      autocomplete="${type === "password" ? "new-password" : "off"}"
      ${limits}
      ${described !== "" && html`aria-describedby="${described}"`}
      ${refused?.errors[name] !== undefined && html`aria-invalid="true"`}
      ${isRequired === true && html`required`}
    />
    ${help !== undefined && html`<span class="help" id="${name}-help">${help}</span>`}
    ${problems(refused, name)}
  </p>`;
}

function problems(refused: RefusedLink | null, name: string): Html | false {
  const messages = refused?.errors[name];
  return (
    messages !== undefined &&
    html`<span class="problem" id="${name}-errors" role="alert">${messages.join(" ")}</span>`
  );
}
