import type { Addon, AddonRun } from "../../contract/addon.ts";
import { type Site, documentsAddress, renderPage } from "../../http/browsable/page-shell.ts";
import { type Html, html } from "../../http/text/html.ts";
import { pageTexts } from "../../texts/pages.ts";
import { csrf, doneMessage } from "../forms/fields.ts";
import { momentInWords } from "../wording.ts";
import { namedValues } from "./parameter-fields.ts";

/** A document that a run is given, and that the person may see. */
export interface ChosenDocument {
  id: number;
  title: string;
  href: string;
}

/** A run with its add-on in place of the id. */
export type ShownRun = AddonRun & { addon: Addon };

export interface RunView {
  site: Site;
  csrfToken: string;
  run: ShownRun;
  /** The documents that it was given, as far as the person may see them now; the first of them. */
  documents: readonly ChosenDocument[];
  /** How many more there are. */
  more: number;
  /** The search that it was given; empty without one. */
  query: string;
  parameters: Readonly<Record<string, unknown>>;
  event: number | null;
  /** A sentence about the last action; null without one. */
  done: string | null;
}

const isOpen = ({ status }: AddonRun): boolean => status === "queued" || status === "in_progress";

function stateInWords({ status, progress }: AddonRun, site: Site): string {
  const texts = pageTexts(site).addons;
  return status === "in_progress" ? texts.progress(progress) : texts.statuses[status];
}

export const runAddress = (site: Site, uuid: string): string => `${site.account}addons/runs/${uuid}/`;

/** A run in a list. */
export function runItem(run: ShownRun, site: Site, csrfToken: string): Html {
  const { uuid, addon, message, created_at } = run;
  return html`<li>
    <div>
      <a href="${runAddress(site, uuid)}" dir="auto"><strong>${addon.name}</strong></a>
      <p class="help">${`${momentInWords(created_at, site)} · ${stateInWords(run, site)}`}</p>
      ${message !== "" && html`<p dir="auto">${message}</p>`} ${fileLink(run, site)}
    </div>
    ${actionForm(run, site, csrfToken)}
  </li>`;
}

function fileLink({ file_url, addon }: ShownRun, site: Site): Html | null {
  if (file_url === null) return null;
  const { file } = pageTexts(site).addons;
  return html`<p>
    <a href="${file_url}" download>${file}<span class="visually-hidden"> ${addon.name}</span></a>
  </p>`;
}

function actionForm(run: ShownRun, site: Site, csrfToken: string): Html | null {
  const texts = pageTexts(site).addons;
  const action = isOpen(run) ? "cancel" : "dismiss";
  if (run.dismissed && action === "dismiss") return null;
  return html`<form method="post" action="${runAddress(site, run.uuid)}${action}/">
    ${csrf(csrfToken)}<button class="button" aria-label="${texts.actionOf(texts[action], run.addon.name)}">
      ${texts[action]}
    </button>
  </form>`;
}

/** The page of a run: how far it is, what it has made, and what it was given. */
export function renderRunPage(view: RunView): string {
  const { site, run, event, done } = view;
  const texts = pageTexts(site).addons;
  const main = html`<div class="account">
    <h1 dir="auto">${run.addon.name}</h1>
    ${doneMessage(done)}
    <div data-tray="${runAddress(site, run.uuid)}">${runParts(view)}</div>
    ${isOpen(run) && html`<script type="module" src="${site.trayScript}"></script>`}
    <section aria-labelledby="given">
      <h2 id="given">${texts.ranOn}</h2>
      ${givenList(view)}
    </section>
    ${settingsList(view)}
    <p class="help">
      ${texts.begun(momentInWords(run.created_at, site))}
      ${
        event !== null &&
        html`· <a href="${site.account}addons/events/${event}/">${texts.events.startedBy}</a>`
      }
    </p>
    <p><a href="${site.account}addons/">${texts.all}</a></p>
  </div>`;
  return renderPage({
    site,
    title: run.addon.name,
    section: null,
    robots: "noindex",
    hasOwnTray: true,
    main,
  });
}

/** What changes while it runs; the script reads this part again. `data-news` changes when there is something to say. */
export function runParts({ site, csrfToken, run }: Pick<RunView, "site" | "csrfToken" | "run">): Html {
  const state = stateInWords(run, site);
  return html`<section data-news="${run.status}" ${!isOpen(run) && html`data-ended`}>
    <p><strong class="work-head">${state}</strong></p>
    ${
      run.status === "in_progress" &&
      html`<progress max="100" value="${run.progress}" aria-label="${state}"></progress>`
    }
    ${run.message !== "" && html`<p dir="auto">${run.message}</p>`} ${fileLink(run, site)}
    ${actionForm(run, site, csrfToken)}
  </section>`;
}

function givenList({ site, documents, more, query }: RunView): Html {
  const { addons: texts, untitled } = pageTexts(site);
  const isEmpty = documents.length === 0 && more === 0 && query === "";
  if (isEmpty) return html`<p>${texts.onNothing}</p>`;
  return html`${
    (documents.length > 0 || more > 0) &&
    html`<ul class="credentials">
      ${documents.map(
        ({ title, href }) =>
          html`<li><a href="${href}" dir="auto">${title === "" ? untitled : title}</a></li>`,
      )}
      ${more > 0 && html`<li>${texts.more(more)}</li>`}
    </ul>`
  }
  ${
    query !== "" &&
    html`<p>
      ${texts.onSearch}
      <a href="${documentsAddress(site)}?q=${encodeURIComponent(query)}" dir="auto">${query}</a>
    </p>`
  }`;
}

function settingsList({ site, run, parameters }: RunView): Html | null {
  const texts = pageTexts(site).addons;
  const named = namedValues(run.addon.parameters, parameters);
  if (named.length === 0) return null;
  return html`<section aria-labelledby="settings">
    <h2 id="settings">${texts.settings}</h2>
    <dl class="facts">
      ${named.map(
        ([title, value]) =>
          html`<div>
            <dt dir="auto">${title}</dt>
            <dd dir="auto">${typeof value === "string" ? value : value ? texts.yes : texts.no}</dd>
          </div>`,
      )}
    </dl>
  </section>`;
}
