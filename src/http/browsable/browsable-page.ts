import { type ListControls, filterForm } from "./filter-form.ts";
import { type Forms, deleteButton, formSection } from "./forms.ts";
import { type Html, html } from "../text/html.ts";
import { jsonMarkup } from "./json-markup.ts";
import { type Site, pageButtons, renderPage } from "./page-shell.ts";

/**
 * An answer of the API as a person sees it. Addresses (`href`, `next`, `previous`) are the caller's own: they become
 * links as they are.
 */
export interface BrowsableView {
  site: Site;
  /** What the operation is called: "Document List". */
  name: string;
  /** Plain text; empty lines part its paragraphs. */
  description: string;
  /** The views above this one, from the root of the API on. */
  breadcrumbs: readonly { label: string; href: string }[];
  method: string;
  /** Path and query as they were asked for. */
  target: string;
  status: number;
  /** The status in words: "OK". */
  reason: string;
  /** As a program would have got them, in this order. */
  headers: readonly (readonly [name: string, value: string])[];
  /** The JSON that a program would have got, or nothing. */
  body: string;
  /** Ways to get this same answer; `format=api`, this page, among them. */
  formats: readonly { name: string; href: string }[];
  /** The JSON that OPTIONS answers here; null where nobody may ask. */
  options: string | null;
  /** The pages beside this one, both null for what has no pages. */
  previous: string | null;
  next: string | null;
  /** Null for what cannot be filtered or ordered. */
  controls: ListControls | null;
  /** Null where this viewer may send nothing. */
  forms: Forms | null;
  /** What a DELETE button asks about; null where this viewer may not delete. */
  deletes: { name: string; csrfToken: string | null } | null;
  /** Where what was just made is; null where nothing was. */
  made: string | null;
}

/**
 * A page for people around an answer for programs. Reading and adding work without scripts (OPTIONS is on the page
 * already); there is one only where something may be changed or deleted.
 */
export function renderBrowsablePage(view: BrowsableView): string {
  const { site, name, description, breadcrumbs, options, controls, previous, next } = view;
  const { forms, deletes, made } = view;
  const hasForms = forms !== null || deletes !== null;
  const paragraphs = description.split(/\n\s*\n/).filter((text) => text.trim() !== "");
  const main = html`
    <nav class="breadcrumbs" aria-label="Breadcrumbs">
      <ol>
        ${breadcrumbs.map(({ label, href }) => html`<li><a href="${href}">${label}</a></li>`)}
        <li aria-current="page">${name}</li>
      </ol>
    </nav>
    <h1>${name}</h1>
    ${paragraphs.map((text) => html`<p class="description">${text}</p>`)}
    <div class="tools">
      ${formatLinks(view)} ${deletes !== null && deleteButton(deletes.name, deletes.csrfToken)}
      ${pageButtons(previous, next)}
    </div>
    ${made !== null && html`<p class="made" role="status">It is made. <a href="${made}">Go to it</a></p>`}
    <div class="panels">
      ${controls !== null && filterForm(controls, view.status === 400 && view.method === "GET")}
      ${options !== null && optionsPanel(options)}
    </div>
    ${exchange(view)} ${pageButtons(previous, next, "Pages, at the end")}
    ${forms !== null && formSection(forms)}
  `;
  const script = hasForms && { head: html`<script type="module" src="${site.script}"></script>` };
  return renderPage({ site, title: name, section: "api", robots: "noindex,noarchive", ...script, main });
}

/** The link of GET is empty, which is the page's own address: what was asked for need not be safe to link to. */
function formatLinks({ formats }: BrowsableView): Html {
  return html`<div class="button-group" role="group" aria-label="Get this again">
    <a class="button primary" href="">GET</a>
    ${formats.map(
      ({ name, href }) =>
        html`<a class="button" href="${href}"><span class="visually-hidden">GET as </span>${name}</a>`,
    )}
  </div>`;
}

function optionsPanel(options: string): Html {
  return html`<details class="panel">
    <summary>OPTIONS</summary>
    <div class="panel-content">
      <p>What OPTIONS answers at this address:</p>
      <pre class="json">${jsonMarkup(options)}</pre>
    </div>
  </details>`;
}

function exchange({ method, target, status, reason, headers, body }: BrowsableView): Html {
  const lines = [
    html`<span class="status status-${Math.floor(status / 100)}">HTTP ${status} ${reason}</span>`,
    ...headers.map(([name, value]) => html`<span class="header">${name}:</span> ${value}`),
  ].map((line) => html`${line}${"\n"}`);
  const answer = [lines, body !== "" && ["\n", jsonMarkup(body)]];
  return html`
    <section aria-labelledby="request">
      <h2 class="visually-hidden" id="request">Request</h2>
      <pre class="request"><b>${method}</b> ${target}</pre>
    </section>
    <section aria-labelledby="response">
      <h2 class="visually-hidden" id="response">Response</h2>
      <pre class="response json">${answer}</pre>
    </section>
  `;
}
