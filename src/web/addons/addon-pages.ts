import { type Addon, addonEventKinds } from "../../contract/addon.ts";
import { addonLimits } from "../../contract/limits.ts";
import { type Site, renderPage } from "../../http/browsable/page-shell.ts";
import { type Html, html } from "../../http/text/html.ts";
import type { EventRow } from "../../resources/addons/event-store.ts";
import { pageTexts } from "../../texts/pages.ts";
import { csrf, doneMessage } from "../forms/fields.ts";
import { momentInWords } from "../wording.ts";
import { eventKindsOf } from "./parameter-fields.ts";
import { type Form, parameterInputs } from "./parameter-inputs.ts";
import { type ChosenDocument, type ShownRun, runItem } from "./run-pages.ts";

interface PageOf {
  site: Site;
  csrfToken: string;
}

export interface AddonsView extends PageOf {
  addons: readonly Addon[];
  runs: readonly ShownRun[];
  events: readonly (EventRow & { addon: Addon })[];
  /** The query of the address, which says what to run on; empty or with its question mark. */
  chosen: string;
  /** A sentence about the last action; null without one. */
  done: string | null;
}

/** The add-ons that a person may run, their runs, and what starts by itself. */
export function renderAddonsPage(view: AddonsView): string {
  const { site, csrfToken, addons, runs, events, chosen, done } = view;
  const texts = pageTexts(site).addons;
  const main = html`<div class="account">
    <h1>${texts.title}</h1>
    <p>${texts.help}</p>
    ${doneMessage(done)}
    <section aria-labelledby="choose">
      <h2 id="choose">${texts.choose}</h2>
      ${addons.length === 0 && html`<p>${texts.none}</p>`}
      <ul class="credentials">
        ${addons.map(
          ({ id, name, repository }) =>
            html`<li>
              <div>
                <a href="${site.account}addons/${id}/${chosen}" dir="auto"><strong>${name}</strong></a>
                <p class="help">${repository}</p>
              </div>
            </li>`,
        )}
      </ul>
    </section>
    <section aria-labelledby="runs">
      <h2 id="runs">${texts.runs}</h2>
      ${runs.length === 0 && html`<p>${texts.noRuns}</p>`}
      <ul class="credentials">
        ${runs.map((run) => runItem(run, site, csrfToken))}
      </ul>
    </section>
    <section aria-labelledby="events">
      <h2 id="events">${texts.events.title}</h2>
      <p class="help">${events.length === 0 ? texts.events.none : texts.events.help}</p>
      <ul class="credentials">
        ${events.map((event) => eventItem(event, site))}
      </ul>
    </section>
    <p><a href="${site.account}">${texts.account}</a></p>
  </div>`;
  return renderPage({ site, title: texts.title, section: null, robots: "noindex", main });
}

function eventItem({ id, event, due_at, addon, ...row }: AddonsView["events"][number], site: Site): Html {
  const texts = pageTexts(site).addons.events;
  const when = texts.kinds[addonEventKinds[event] ?? "disabled"];
  const facts = [
    when,
    ...(row.site === null ? [] : [row.site]),
    ...(due_at === null ? [] : [texts.next(momentInWords(due_at, site))]),
  ];
  return html`<li>
    <div>
      <a href="${site.account}addons/events/${id}/" dir="auto"><strong>${addon.name}</strong></a>
      <p class="help">${facts.join(" · ")}</p>
    </div>
  </li>`;
}

export interface AddonView extends PageOf {
  addon: Addon;
  /** Cleaned HTML. */
  description: Html;
  instructions: Html;
  chosen: readonly ChosenDocument[];
  /** What the form had: the texts of a refused one, or what the address says. */
  form: Form;
  /** Why the form was refused; null if it is a new one. */
  problem: string | null;
}

/** The form of an add-on, as its configuration describes it. */
export function renderAddonPage(view: AddonView): string {
  const { site, csrfToken, addon, chosen, form, description, instructions, problem } = view;
  const texts = pageTexts(site).addons;
  const text = (name: string): string => form.get(name)?.at(-1) ?? "";
  const main = html`<div class="account">
    <h1 dir="auto">${addon.name}</h1>
    ${description} ${instructions} ${problem !== null && html`<p class="problem" role="alert">${problem}</p>`}
    <form method="post" action="${site.account}addons/${addon.id}/">
      ${csrf(csrfToken)} ${chosen.length > 0 && chosenList(chosen, site)}
      <p class="field">
        <label for="documents">${chosen.length > 0 ? texts.documents : texts.ofNumbers}</label>
        <input id="documents" name="documents" type="text" inputmode="numeric" value="${text("documents")}" />
        <span class="help">${texts.documentsHelp}</span>
      </p>
      <p class="field">
        <label for="query">${texts.query}</label>
        <input
          id="query"
          name="query"
          type="text"
          maxlength="${addonLimits.query}"
          value="${text("query")}"
        />
        <span class="help">${texts.queryHelp}</span>
      </p>
      ${parameterInputs(addon.parameters, { form, isFilled: problem !== null })}
      <button class="button primary">${texts.run}</button>
    </form>
    ${
      eventKindsOf(addon.parameters).length > 0 &&
      html`<p><a href="${site.account}addons/${addon.id}/events/">${texts.events.add}</a></p>`
    }
    <p><a href="${site.account}addons/">${texts.all}</a></p>
  </div>`;
  return renderPage({ site, title: addon.name, section: null, robots: "noindex", main });
}

/** The chosen documents by their titles, each of which can be left out. */
function chosenList(chosen: readonly ChosenDocument[], site: Site): Html {
  const { addons: texts, untitled } = pageTexts(site);
  return html`<fieldset>
    <legend>${texts.chosen}</legend>
    ${chosen.map(
      ({ id, title }) =>
        html`<p class="check">
          <input id="document-${id}" name="document" type="checkbox" value="${id}" checked />
          <label for="document-${id}" dir="auto">${title === "" ? untitled : title}</label>
        </p>`,
    )}
  </fieldset>`;
}
