import { mailKeyAccesses } from "../../contract/person.ts";
import { type Site, renderPage } from "../../http/browsable/page-shell.ts";
import { type Html, html } from "../../http/text/html.ts";
import type { MailKeyRow } from "../../resources/mailkeys/store.ts";
import { pageTexts } from "../../texts/pages.ts";
import { csrf, doneMessage, option, secretMessage } from "../forms/fields.ts";
import { momentInWords } from "../wording.ts";

/** What an address is for: a project, or the person alone. */
interface Subject {
  project: { id: number; title: string } | null;
  key: MailKeyRow | null;
  /** Whether the person may make an address for it now. */
  mayMake: boolean;
}

/** The address that was just made. This is the only time that it is shown. */
export interface NewAddress {
  project: number | null;
  address: string;
}

export interface MailKeysView {
  site: Site;
  csrfToken: string;
  subjects: readonly Subject[];
  made: NewAddress | null;
  /** A sentence about the last action; null without one. */
  done: string | null;
}

/** The page with the addresses to which a person mails documents. */
export function renderMailKeysPage(view: MailKeysView): string {
  const { site, subjects, done } = view;
  const texts = pageTexts(site).mailkeys;
  const main = html`<div class="account">
    <h1>${texts.title}</h1>
    <p>${texts.help}</p>
    <p class="help">${texts.secrecy}</p>
    ${doneMessage(done)} ${subjects.map((subject) => subjectPart(view, subject))}
    <p><a href="${site.account}">${texts.account}</a></p>
  </div>`;
  return renderPage({ site, title: texts.title, section: null, robots: "noindex", main });
}

function subjectPart({ site, csrfToken, made }: MailKeysView, { project, key, mayMake }: Subject): Html {
  const texts = pageTexts(site).mailkeys;
  const { untitled, access: levels } = pageTexts(site);
  const title = project === null ? texts.own : project.title === "" ? untitled : project.title;
  const name = project === null ? "own" : `project-${project.id}`;
  const id = String(project?.id ?? "");
  const isNew = made !== null && made.project === (project?.id ?? null);
  return html`<section aria-labelledby="${name}">
    <h2 id="${name}" dir="auto">${title}</h2>
    ${isNew && secretMessage(texts.created, made.address)}
    <p class="help">${key === null ? texts.none : stateInWords(key, site)}</p>
    ${
      mayMake &&
      html`<form method="post" action="${site.account}mail/">
        ${csrf(csrfToken)}<input type="hidden" name="project" value="${id}" />
        <p class="field">
          <label for="${name}-access">${texts.access}</label>
          <select id="${name}-access" name="access">
            ${mailKeyAccesses.map((level) => option(level, levels[level] ?? level, key?.access ?? ""))}
          </select>
        </p>
        <button class="button" aria-label="${(key === null ? texts.makeFor : texts.replaceFor)(title)}">
          ${key === null ? texts.make : texts.replace}
        </button>
      </form>`
    }
    ${
      key !== null &&
      html`<form method="post" action="${site.account}mail/revoke/">
        ${csrf(csrfToken)}<input type="hidden" name="project" value="${id}" />
        <button class="button" aria-label="${texts.revokeFor(title)}">${texts.revoke}</button>
      </form>`
    }
  </section>`;
}

function stateInWords({ created_at, used_at, access }: MailKeyRow, site: Site): string {
  const texts = pageTexts(site).mailkeys;
  const used = used_at === null ? texts.unused : texts.used(momentInWords(used_at, site));
  return [texts.made(momentInWords(created_at, site)), used, pageTexts(site).access[access]].join(" · ");
}
