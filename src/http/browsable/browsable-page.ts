import { type ListControls, filterForm } from "./filter-form.ts";
import { type Forms, deleteButton, formSection } from "./forms.ts";
import { type Html, html } from "../text/html.ts";
import { jsonMarkup } from "./json-markup.ts";
import { type Site, pageButtons, renderPage } from "./page-shell.ts";

/**
 * A response of the API as a person sees it. Addresses (`href`, `next`, `previous`) come from the caller and become
 * links unchanged.
 */
export interface BrowsableView {
  site: Site;
  /** The name of the view: "Document List". */
  name: string;
  /** Plain text; empty lines separate paragraphs. */
  description: string;
  /** The views above this one, starting at the root of the API. */
  breadcrumbs: readonly { label: string; href: string }[];
  method: string;
  /** The path and query of the request. */
  target: string;
  status: number;
  /** The status in words: "OK". */
  reason: string;
  /** As a program would have received them, in this order. */
  headers: readonly (readonly [name: string, value: string])[];
  /** The JSON that a program would have received; may be empty. */
  body: string;
  /** The representations of this response; `format=api`, this page, is one of them. */
  formats: readonly { name: string; href: string }[];
  /** The JSON response to OPTIONS; null where OPTIONS is not allowed. */
  options: string | null;
  /** The neighbouring pages; both null for a view without pages. */
  previous: string | null;
  next: string | null;
  /** Null for a view that cannot be filtered or ordered. */
  controls: ListControls | null;
  /** Null if this viewer may send nothing. */
  forms: Forms | null;
  /** The object that the DELETE button names; null if this viewer may not delete. */
  deletes: { name: string; csrfToken: string | null } | null;
  /** The address of the object that was just created; null if there is none. */
  made: string | null;
}

/**
 * Renders a page for people around a response for programs. Reading and adding work without scripts (the response to
 * OPTIONS is already on the page); a script is included only if something can be changed or deleted.
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
    ${made !== null && html`<p class="made" role="status">It was created. <a href="${made}">Go to it</a></p>`}
    <div class="panels">
      ${controls !== null && filterForm(controls, view.status === 400 && view.method === "GET")}
      ${options !== null && optionsPanel(options)}
    </div>
    ${exchange(view)} ${pageButtons(previous, next, { label: "Pages, at the end" })}
    ${forms !== null && formSection(forms)}
  `;
  const script = hasForms && { head: html`<script type="module" src="${site.script}"></script>` };
  return renderPage({ site, title: name, section: "api", robots: "noindex,noarchive", ...script, main });
}

/** The link for GET is empty, which is the page's own address: the requested address may not be safe to link to. */
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
      <p>The response to OPTIONS at this address:</p>
      <pre class="json">${jsonMarkup(options)}</pre>
    </div>
  </details>`;
}

/** The maximum number of characters of a response that a page shows: more would take browsers and the server long. */
export const maxShown = 128 * 1024;

function exchange({ method, target, status, reason, headers, body }: BrowsableView): Html {
  const lines = [
    html`<span class="status status-${Math.floor(status / 100)}">HTTP ${status} ${reason}</span>`,
    ...headers.map(([name, value]) => html`<span class="header">${name}:</span> ${value}`),
  ].map((line) => html`${line}${"\n"}`);
  const isCut = body.length > maxShown;
  const answer = [lines, body !== "" && ["\n", jsonMarkup(isCut ? body.slice(0, maxShown) : body)]];
  return html`
    <section aria-labelledby="request">
      <h2 class="visually-hidden" id="request">Request</h2>
      <pre class="request"><b>${method}</b> ${target}</pre>
    </section>
    <section aria-labelledby="response">
      <h2 class="visually-hidden" id="response">Response</h2>
      <pre class="response json">${answer}</pre>
      ${
        isCut &&
        html`<p class="notice">
          This is the beginning of a long response. Get it as json to have all ${body.length} characters.
        </p>`
      }
    </section>
  `;
}
