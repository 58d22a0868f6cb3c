import type { DeclinedNotices } from "../../resources/mails/unsubscribe-token.ts";
import { maxQueryLength, savedSearchLimits } from "../../contract/limits.ts";
import { type SavedSearch, alertKinds } from "../../contract/search.ts";
import { type Site, renderPage } from "../../http/browsable/page-shell.ts";
import { type Html, html } from "../../http/text/html.ts";
import { pageTexts } from "../../texts/pages.ts";
import { csrf, doneMessage, faultOf, input, option, stateOf } from "../forms/fields.ts";
import type { RefusedForm } from "../forms/refused-form.ts";
import { momentInWords } from "../wording.ts";

interface SearchPageView {
  site: Site;
  csrfToken: string;
  /** A sentence about the last action; null without one. */
  done: string | null;
  refused: RefusedForm | null;
}

/** A document that a search has newly found. */
export interface FindView {
  title: string;
  href: string;
  foundAt: string;
  isNew: boolean;
}

/** The page with a person's saved searches, and the form for another one. */
export function renderSearchesPage(
  view: SearchPageView & { searches: readonly SavedSearch[]; query: string; next: string | null },
): string {
  const { site, searches, query, next } = view;
  const texts = pageTexts(site).searches;
  const blank = { name: query.slice(0, savedSearchLimits.name), query, alert: "off" };
  const main = html`<div class="account">
    <h1>${texts.title}</h1>
    <p>${texts.help}</p>
    ${doneMessage(view.done)}
    <section aria-labelledby="list">
      <h2 id="list">${texts.title}</h2>
      ${searches.length === 0 && html`<p>${texts.none}</p>`}
      <ul class="credentials">
        ${searches.map(
          (search) =>
            html`<li>
              <div>
                <strong dir="auto">${search.name}</strong>
                <p class="help">${stateInWords(search, site)}</p>
              </div>
              <a class="button" href="${pathOf(site, search)}" aria-label="${texts.open(search.name)}"
                >${texts.openShort}</a
              >
            </li>`,
        )}
      </ul>
      ${next !== null && html`<p><a href="${next}">${pageTexts(site).next}</a></p>`}
    </section>
    <section aria-labelledby="new">
      <h2 id="new">${texts.create}</h2>
      <form method="post" action="${site.account}searches/">
        ${fields(view, blank)}
        <button class="button primary">${texts.create}</button>
      </form>
    </section>
    <p><a href="${site.account}">${texts.account}</a></p>
  </div>`;
  return renderPage({ site, title: texts.title, section: null, robots: "noindex", main });
}

/** The page of one saved search: what it has newly found, and its settings. */
export function renderSavedSearchPage(
  view: SearchPageView & { search: SavedSearch; finds: readonly FindView[] },
): string {
  const { site, csrfToken, search, finds } = view;
  const texts = pageTexts(site).searches;
  const path = pathOf(site, search);
  const main = html`<div class="account">
    <p><a href="${site.account}searches/">${texts.title}</a></p>
    <h1 dir="auto">${search.name}</h1>
    <p>${stateInWords(search, site)}</p>
    ${doneMessage(view.done)}
    <p><a href="${site.home}?q=${encodeURIComponent(search.query)}">${texts.now}</a></p>
    ${
      search.alert !== "off" &&
      html`<section aria-labelledby="found">
        <h2 id="found">${texts.found}</h2>
        ${finds.length === 0 && html`<p>${texts.nothing}</p>`}
        <ul class="credentials">
          ${finds.map((find) => findItem(find, site))}
        </ul>
        ${
          (search.new ?? 0) > 0 &&
          html`<form method="post" action="${path}seen/">
            ${csrf(csrfToken)}<button class="button">${texts.markSeen}</button>
          </form>`
        }
      </section>`
    }
    <section aria-labelledby="settings">
      <h2 id="settings">${texts.settings}</h2>
      <form method="post" action="${path}">
        ${fields(view, search)}
        <button class="button primary">${texts.save}</button>
      </form>
      <form method="post" action="${path}delete/">
        ${csrf(csrfToken)}<button class="button">${texts.delete}</button>
      </form>
    </section>
  </div>`;
  return renderPage({ site, title: search.name, section: null, robots: "noindex", main });
}

/** The page behind the link in a mail. It needs no session. */
export function renderUnsubscribePage(
  site: Site,
  { path, isDone, notices }: { path: string; isDone: boolean; notices: DeclinedNotices | null },
): string {
  const { searches, account } = pageTexts(site);
  const texts = notices === null ? searches.unsubscribe : account.noNotices;
  const kind = notices?.kind ?? null;
  const main = html`<div class="account">
    <h1>${texts.title}</h1>
    ${kind !== null && html`<p><strong>${account.noticeKinds[kind]}</strong></p>`}
    ${
      isDone
        ? doneMessage(texts.done)
        : html`<p>${texts.ask}</p>
            <form method="post" action="${path}"><button class="button primary">${texts.stop}</button></form>`
    }
  </div>`;
  return renderPage({ site, title: texts.title, section: null, robots: "noindex", main });
}

function findItem({ title, href, foundAt, isNew }: FindView, site: Site): Html {
  const texts = pageTexts(site).searches;
  const facts = [...(isNew ? [texts.isNew] : []), texts.foundAt(momentInWords(foundAt, site))];
  return html`<li>
    <div>
      <a href="${href}" dir="auto">${title === "" ? pageTexts(site).untitled : title}</a>
      <p class="help">${facts.join(" · ")}</p>
    </div>
  </li>`;
}

/** The fields of a saved search, as they are or as they were typed. */
function fields(
  { site, csrfToken, refused }: SearchPageView,
  { name, query, alert: kept }: Pick<SavedSearch, "name" | "query"> & { alert: string },
): Html {
  const texts = pageTexts(site).searches;
  const state = stateOf(site, refused);
  const alert = state.texts["alert"] ?? kept;
  return html`${csrf(csrfToken)}
    ${input(state, { name: "name", label: texts.name, value: name, maxLength: savedSearchLimits.name })}
    ${input(state, { name: "query", label: texts.query, value: query, maxLength: maxQueryLength })}
    <p class="field">
      <label for="alert">${texts.alert}</label>
      <select id="alert" name="alert" aria-describedby="alert-help">
        ${alertKinds.map((kind) => option(kind, texts.alerts[kind] ?? kind, alert))}
      </select>
      <span class="help" id="alert-help">${texts.alertHelp}</span>
      ${faultOf(state, "alert")}
    </p>`;
}

function stateInWords({ alert, new: count }: SavedSearch, site: Site): string {
  const texts = pageTexts(site).searches;
  const kind = `${texts.alert}: ${texts.alerts[alert] ?? alert}`;
  return [kind, ...(count === null ? [] : [texts.new(count)])].join(" · ");
}

const pathOf = (site: Site, { uuid }: Pick<SavedSearch, "uuid">): string =>
  `${site.account}searches/${uuid}/`;
