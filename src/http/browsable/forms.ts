import { type FormField, formControl } from "./form-control.ts";
import { type Html, type HtmlContent, html } from "../text/html.ts";

export type FormMethod = "POST" | "PUT" | "PATCH";

/** The forms of a page: one group for each kind of request that a visitor may send. */
export interface Forms {
  /** The session's CSRF token; null if there is no session. */
  csrfToken: string | null;
  groups: readonly FormGroup[];
}

/** The forms for one kind of request: by fields and as JSON. */
export interface FormGroup {
  /** Keeps the ids of its controls unique on the page. */
  id: string;
  heading: string;
  /** One button each. */
  methods: readonly FormMethod[];
  /** Null if there is only raw data, as for bulk requests. */
  fields: readonly FormField[] | null;
  /** The content type in which a browser can send the form itself; null if the script has to send it. */
  enctype: string | null;
  /** The body is a list; the fields describe its single item. */
  takesList: boolean;
  /**
   * The page to link to after a POST, relative to this address, if this address cannot be read or the response is shown
   * only once. Null if the page of the created object opens instead.
   */
  leadsTo: string | null;
  /** The initial content of the raw data form. */
  raw: string;
  /** The content types of raw data. */
  mediaTypes: readonly string[];
  /** The entity tag of the shown object, so that PUT does not overwrite a later change. */
  etag: string | null;
  /** The errors of a rejected request, besides the messages at the fields; null if nothing was rejected. */
  faults: readonly string[] | null;
}

/** Renders the forms of a page. The browser sends POST itself; the script sends everything else. */
export function formSection({ csrfToken, groups }: Forms): HtmlContent {
  const needsScript = groups.some(({ methods, enctype }) => enctype === null || !methods.includes("POST"));
  return html`<section class="forms" aria-label="Forms" data-csrf="${csrfToken ?? ""}">
    ${
      needsScript &&
      html`<noscript><p class="notice">Changing, deleting and sending raw data need scripts.</p></noscript>`
    }
    ${groups.map((group) => formGroup(group, csrfToken))}
  </section>`;
}

function formGroup(group: FormGroup, csrfToken: string | null): Html {
  const { id, heading, methods, fields, faults } = group;
  const panel = (name: string, isOpen: boolean, content: Html): Html =>
    html`<details class="panel" name="${id}" ${isOpen && html`open`}>
      <summary>${name} <span class="methods">${methods.join(", ")}</span></summary>
      ${content}
    </details>`;
  return html`<section aria-labelledby="${id}-heading">
    <h2 id="${id}-heading">${heading}</h2>
    <div class="panels">
      ${fields !== null && panel("Form", faults !== null, fieldForm(group, fields, csrfToken))}
      ${group.mediaTypes.length > 0 && panel("Raw data", fields === null && faults !== null, rawForm(group))}
    </div>
  </section>`;
}

function fieldForm(group: FormGroup, fields: readonly FormField[], csrfToken: string | null): Html {
  const { id, enctype } = group;
  const sending =
    enctype === null
      ? html`data-send="fields" data-raw="${id}-raw" ${sendingOf(group)}`
      : html`method="post" action="?format=api" enctype="${enctype}"`;
  return html`<form class="panel-content" novalidate ${sending}>
    ${summary(group.faults)}
    ${
      enctype !== null &&
      csrfToken !== null &&
      html`<input type="hidden" name="csrfmiddlewaretoken" value="${csrfToken}" />`
    }
    <div class="fields">${fields.map((field) => formControl(field, id))}</div>
    ${buttons(group, "fields")}
  </form>`;
}

function rawForm(group: FormGroup): Html {
  const { id, raw, mediaTypes } = group;
  return html`<form class="panel-content" novalidate data-send="raw" ${sendingOf(group)}>
    ${summary(null)}
    <div class="field">
      <label for="${id}-type">Media type</label>
      <select id="${id}-type" data-part="type">
        ${mediaTypes.map((type) => html`<option value="${type}">${type}</option>`)}
      </select>
    </div>
    <div class="field">
      <label for="${id}-raw">Content</label>
      <textarea id="${id}-raw" data-part="content" rows="12" spellcheck="false" class="code">${raw}</textarea>
    </div>
    ${buttons(group, "raw")}
  </form>`;
}

/** Data attributes that tell the script how to send the form and where to go afterwards. */
const sendingOf = ({ etag, takesList, leadsTo }: FormGroup): HtmlContent => [
  etag !== null && html`data-etag="${etag}" `,
  takesList && html`data-list `,
  leadsTo !== null && html`data-leads-to="${leadsTo}"`,
];

/** An alert for screen readers, which receives the focus when it is filled. */
function summary(faults: readonly string[] | null): Html {
  return html`<div class="form-answer" role="alert" tabindex="-1" data-part="answer">
    ${
      faults !== null &&
      html`<p class="form-status">This was not accepted. See the messages below.</p>
        <ul class="messages">
          ${faults.map((fault) => html`<li>${fault}</li>`)}
        </ul>`
    }
  </div>`;
}

/** The name of each button, by the method that it sends. */
const buttonNames: Readonly<Record<FormMethod, string>> = {
  POST: "Send (POST)",
  PUT: "Replace everything (PUT)",
  PATCH: "Save what has changed (PATCH)",
};

/** Buttons that need the script stay disabled until it has loaded. */
function buttons({ methods, enctype }: FormGroup, kind: "fields" | "raw"): Html {
  const needsScript = kind === "raw" || enctype === null;
  return html`<div class="buttons">
    ${methods.map((method) =>
      needsScript
        ? html`<button class="button primary" type="submit" data-method="${method}" disabled>
            ${buttonNames[method]}
          </button>`
        : html`<button class="button primary" type="submit">${buttonNames[method]}</button>`,
    )}
  </div>`;
}

/** A button that asks for confirmation before it deletes. */
export function deleteButton(name: string, csrfToken: string | null): Html {
  return html`<div class="deleting" data-csrf="${csrfToken ?? ""}">
    <button class="button danger" type="button" data-opens="delete" disabled>DELETE</button>
    <dialog id="delete" aria-labelledby="delete-heading">
      <form data-send="nothing">
        <h2 id="delete-heading">Delete “<bdi>${name}</bdi>”?</h2>
        <p>This cannot be undone.</p>
        ${summary(null)}
        <div class="buttons">
          <button class="button" type="button" data-closes>Cancel</button>
          <button class="button danger" type="submit" data-method="DELETE">Delete</button>
        </div>
      </form>
    </dialog>
  </div>`;
}
