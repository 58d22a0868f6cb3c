import type { Addon, AddonRun } from "../../contract/addon.ts";
import { addonLimits } from "../../contract/limits.ts";
import { type Site, renderPage } from "../../http/browsable/page-shell.ts";
import { type Html, html } from "../../http/text/html.ts";
import { pageTexts } from "../../texts/pages.ts";
import { csrf } from "../account/account-fields.ts";
import { momentInWords } from "../wording.ts";
import { type Parameter, parametersOf } from "./parameter-fields.ts";

interface PageOf {
  site: Site;
  csrfToken: string;
}

export interface AddonsView extends PageOf {
  addons: readonly Addon[];
  /** With their add-ons in place of the ids. */
  runs: readonly (AddonRun & { addon: Addon })[];
  /** The query of the address, which says what to run on; empty or with its question mark. */
  chosen: string;
  /** A sentence about the last action; null without one. */
  done: string | null;
}

/** The add-ons that a person may run, and their runs. */
export function renderAddonsPage(view: AddonsView): string {
  const { site, addons, runs, chosen, done } = view;
  const texts = pageTexts(site).addons;
  const main = html`<div class="account">
    <h1>${texts.title}</h1>
    <p>${texts.help}</p>
    ${done !== null && html`<p class="done" role="status">${done}</p>`}
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
        ${runs.map((run) => runItem(view, run))}
      </ul>
    </section>
    <p><a href="${site.account}">${texts.account}</a></p>
  </div>`;
  return renderPage({ site, title: texts.title, section: null, robots: "noindex", main });
}

function runItem({ site, csrfToken }: AddonsView, run: AddonsView["runs"][number]): Html {
  const texts = pageTexts(site).addons;
  const { uuid, addon, status, progress, message, file_url, created_at } = run;
  const isOpen = status === "queued" || status === "in_progress";
  const state = status === "in_progress" ? texts.progress(progress) : texts.statuses[status];
  const action = isOpen ? "cancel" : "dismiss";
  return html`<li>
    <div>
      <strong dir="auto">${addon.name}</strong>
      <p class="help">${`${momentInWords(created_at, site)} · ${state}`}</p>
      ${message !== "" && html`<p dir="auto">${message}</p>`}
      ${
        file_url !== null &&
        html`<p>
          <a href="${file_url}" download>${texts.file}<span class="visually-hidden"> ${addon.name}</span></a>
        </p>`
      }
    </div>
    <form method="post" action="${site.account}addons/runs/${uuid}/${action}/">
      ${csrf(csrfToken)}<button class="button" aria-label="${texts.actionOf(texts[action], addon.name)}">
        ${texts[action]}
      </button>
    </form>
  </li>`;
}

export interface AddonView extends PageOf {
  addon: Addon;
  /** Cleaned HTML. */
  description: Html;
  instructions: Html;
  /** What the form had: the texts of a refused one, or what the address says. */
  texts: ReadonlyMap<string, readonly string[]>;
  /** Whether the form was refused, so that boxes without a tick are what the person wants. */
  problem: string | null;
}

/** The form of an add-on, as its configuration describes it. */
export function renderAddonPage(view: AddonView): string {
  const { site, csrfToken, addon, description, instructions, problem } = view;
  const texts = pageTexts(site).addons;
  const text = (name: string): string => view.texts.get(name)?.at(-1) ?? "";
  const main = html`<div class="account">
    <h1 dir="auto">${addon.name}</h1>
    ${description} ${instructions} ${problem !== null && html`<p class="problem" role="alert">${problem}</p>`}
    <form method="post" action="${site.account}addons/${addon.id}/">
      ${csrf(csrfToken)}
      <p class="field">
        <label for="documents">${texts.documents}</label>
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
      ${parametersOf(addon.parameters).map((parameter) => field(view, parameter))}
      <button class="button primary">${texts.run}</button>
    </form>
    <p><a href="${site.account}addons/">${texts.title}</a></p>
  </div>`;
  return renderPage({ site, title: addon.name, section: null, robots: "noindex", main });
}

function field({ texts, problem }: AddonView, parameter: Parameter): Html {
  const { name, title, help, kind, choices, isRequired, initial } = parameter;
  const id = `p-${name}`;
  const sent = texts.get(name)?.at(-1);
  const value = sent ?? (problem === null ? initial : "");
  const hint = help !== "" && html`<span class="help" dir="auto">${help}</span>`;
  if (kind === "boolean") {
    const isOn = problem === null ? initial === "true" : sent !== undefined;
    return html`<p class="check">
      <input id="${id}" name="${id}" type="checkbox" value="true" ${isOn && html`checked`} />
      <label for="${id}" dir="auto">${title}</label> ${hint}
    </p>`;
  }
  return html`<p class="field">
    <label for="${id}" dir="auto">${title}</label>
    ${
      choices !== null
        ? html`<select id="${id}" name="${id}">
            ${!isRequired && html`<option value=""></option>`}
            ${choices.map((choice) => html`<option ${choice === value && html`selected`}>${choice}</option>`)}
          </select>`
        : kind === "list" || kind === "json"
          ? html`<textarea id="${id}" name="${id}" rows="4">${value}</textarea>`
          : html`<input
              id="${id}"
              name="${id}"
              type="${kind === "number" ? "number" : "text"}"
              ${kind === "number" && html`step="any"`}
              value="${value}"
              ${isRequired && html`required`}
            />`
    }
    ${hint}
  </p>`;
}
