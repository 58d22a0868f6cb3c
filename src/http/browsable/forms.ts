import { type FormField, formControl } from "./form-control.ts";
import { type Html, type HtmlContent, html } from "../text/html.ts";

export type FormMethod = "POST" | "PUT" | "PATCH";

/** What a visitor may do at an address, as forms. */
export interface Forms {
  /** What a session's changes carry; null where there is no session. */
  csrfToken: string | null;
  groups: readonly FormGroup[];
}

/** The ways to send one kind of thing: by fields and as JSON. */
export interface FormGroup {
  /** Sets its controls apart from those of others on the page. */
  id: string;
  heading: string;
  /** Each is a button. */
  methods: readonly FormMethod[];
  /** Null where there is only raw data, as for many things at once. */
  fields: readonly FormField[] | null;
  /** The type of body in which a browser sends the form by itself; null where our script has to. */
  enctype: string | null;
  /** What is sent is a list; the fields describe its one item. */
  takesList: boolean;
  /** What the page links to after a POST that left nothing to read here, relative to this address; null: it is read here. */
  leadsTo: string | null;
  /** What raw data begins with. */
  raw: string;
  /** The types in which raw data may be sent. */
  mediaTypes: readonly string[];
  /** The tag of what is shown here: what has changed meanwhile is not overwritten as a whole. */
  etag: string | null;
  /** What was wrong with what was sent, beside the messages at the fields; null: nothing was sent. */
  faults: readonly string[] | null;
}

/** The forms of a page. A browser sends POST by itself; for everything else there is the script. */
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
      ${panel("Raw data", fields === null && faults !== null, rawForm(group))}
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

/** For the script: how what it sends goes out, and where it leads. */
const sendingOf = ({ etag, takesList, leadsTo }: FormGroup): HtmlContent => [
  etag !== null && html`data-etag="${etag}" `,
  takesList && html`data-list `,
  leadsTo !== null && html`data-leads-to="${leadsTo}"`,
];

/** Announced when it is filled, and where the focus goes then. */
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

/** Disabled until the script is there that they need. */
function buttons({ methods, enctype }: FormGroup, kind: "fields" | "raw"): Html {
  const needsScript = kind === "raw" || enctype === null;
  return html`<div class="buttons">
    ${methods.map((method) =>
      needsScript
        ? html`<button class="button primary" type="submit" data-method="${method}" disabled>
            ${method}
          </button>`
        : html`<button class="button primary" type="submit">${method}</button>`,
    )}
    ${
      kind === "fields" &&
      methods.length > 1 &&
      html`<p class="help">PUT sends everything; PATCH sends what you have changed.</p>`
    }
  </div>`;
}

/** A button that asks before it deletes. */
export function deleteButton(name: string, csrfToken: string | null): Html {
  return html`<div class="deleting" data-csrf="${csrfToken ?? ""}">
    <button class="button danger" type="button" data-opens="delete" disabled>DELETE</button>
    <dialog id="delete" aria-labelledby="delete-heading">
      <form data-send="nothing">
        <h2 id="delete-heading">Delete “<bdi>${name}</bdi>”?</h2>
        <p>It cannot be brought back.</p>
        ${summary(null)}
        <div class="buttons">
          <button class="button" type="button" data-closes>Cancel</button>
          <button class="button danger" type="submit" data-method="DELETE">Delete</button>
        </div>
      </form>
    </dialog>
  </div>`;
}
