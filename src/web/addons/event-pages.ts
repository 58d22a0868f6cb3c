import { type Addon, addonEventKinds } from "../../contract/addon.ts";
import { type Site, renderPage } from "../../http/browsable/page-shell.ts";
import { html } from "../../http/text/html.ts";
import type { EventRow } from "../../resources/addons/event-store.ts";
import { pageTexts } from "../../texts/pages.ts";
import { csrf, doneMessage } from "../forms/fields.ts";
import { momentInWords } from "../wording.ts";
import { eventKindsOf } from "./parameter-fields.ts";
import { type Form, parameterInputs } from "./parameter-inputs.ts";
import { type ShownRun, runItem } from "./run-pages.ts";

export interface EventView {
  site: Site;
  csrfToken: string;
  addon: Addon;
  /** Null on the form of a new one. */
  row: EventRow | null;
  runs: readonly ShownRun[];
  form: Form;
  problem: string | null;
  done: string | null;
}

/** The form of what starts an add-on by itself, and the runs that it has started. */
export function renderEventPage(view: EventView): string {
  const { site, csrfToken, addon, row, runs, form, problem, done } = view;
  const { events: texts, all } = pageTexts(site).addons;
  const path = `${site.account}addons/`;
  const chosen = form.get("event")?.at(-1);
  const kinds = eventKindsOf(addon.parameters);
  const offered = row === null ? kinds : [...new Set([0, row.event, ...kinds])].toSorted((a, b) => a - b);
  const main = html`<div class="account">
    <h1 dir="auto">${addon.name}</h1>
    ${doneMessage(done)} ${problem !== null && html`<p class="problem" role="alert">${problem}</p>`}
    ${row !== null && row.due_at !== null && html`<p>${texts.next(momentInWords(row.due_at, site))}</p>`}
    <form method="post" action="${row === null ? `${path}${addon.id}/events/` : `${path}events/${row.id}/`}">
      ${csrf(csrfToken)}
      <p class="field">
        <label for="event">${texts.when}</label>
        <select id="event" name="event">
          ${offered.map(
            (value) =>
              html`<option value="${value}" ${String(value) === chosen && html`selected`}>
                ${texts.kinds[addonEventKinds[value] ?? "disabled"]}
              </option>`,
          )}
        </select>
        <span class="help">${texts.addHelp}</span>
      </p>
      ${parameterInputs(addon.parameters, { form, isFilled: problem !== null || row !== null })}
      <button class="button primary">${row === null ? texts.create : texts.save}</button>
    </form>
    ${
      row !== null &&
      html`<section aria-labelledby="runs">
          <h2 id="runs">${texts.runs}</h2>
          ${runs.length === 0 && html`<p>${texts.noRuns}</p>`}
          <ul class="credentials">
            ${runs.map((run) => runItem(run, site, csrfToken))}
          </ul>
        </section>
        <section>
          <form method="post" action="${path}events/${row.id}/remove/">
            ${csrf(csrfToken)}<button class="button danger">${texts.remove}</button>
          </form>
        </section>`
    }
    <p><a href="${path}">${all}</a></p>
  </div>`;
  return renderPage({ site, title: addon.name, section: null, robots: "noindex", main });
}
