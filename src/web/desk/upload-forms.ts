import { csrfField } from "../../http/request/csrf.ts";
import { type Html, html } from "../../http/text/html.ts";
import type { Catalogue } from "../../texts/pages.ts";

/** A form that was not accepted. */
export interface RefusedUpload {
  /** The choice in the form; empty if it is not known. */
  access: string;
  /** The address in the form. */
  address: string;
  /** Messages by field, in English: `plainUpload.messages` translates those that people often see. */
  errors: { access: readonly string[]; file: readonly string[]; file_url: readonly string[] };
}

export interface UploadForm {
  /** The address of the page, without a query. */
  action: string;
  csrfToken: string;
  refused: RefusedUpload | null;
}

type Texts = Catalogue["plainUpload"];

const nothingRefused: RefusedUpload = {
  access: "",
  address: "",
  errors: { access: [], file: [], file_url: [] },
};

/** A form that uploads one file, for browsers without scripts. */
export function plainUploadForm(
  { action, csrfToken, refused }: UploadForm,
  { plainUpload: texts, visibility }: Catalogue,
): Html {
  const { access, errors } = refused ?? nothingRefused;
  const levels = Object.entries(visibility.levels).map(
    ([level, name]) => html`<option value="${level}" ${level === access && html`selected`}>${name}</option>`,
  );
  return form(
    action,
    csrfToken,
    html`<p class="field">
        <label for="access">${visibility.label}</label>
        <select id="access" name="access" ${marks("access", errors.access)}>
          ${levels}
        </select>
        ${problem("access", errors.access, texts)}
      </p>
      ${fileField(texts.file, errors.file, texts)}
      <button class="button primary">${texts.upload}</button>`,
  );
}

/** A form that replaces the file of a document, for browsers without scripts. */
export function plainReplacementForm(
  { action, csrfToken, refused }: UploadForm,
  id: number,
  { plainUpload, replaceFile }: Catalogue,
): Html {
  const { address, errors } = refused ?? nothingRefused;
  return form(
    `${action}?replace=${id}`,
    csrfToken,
    html`${fileField(plainUpload.newFileOf(id), errors.file, plainUpload, false)}
      <p class="field">
        <label for="file_url">${plainUpload.orAddress}</label>
        <input
          id="file_url"
          name="file_url"
          type="url"
          value="${address}"
          ${marks("file_url", errors.file_url)}
        />
        ${problem("file_url", errors.file_url, plainUpload)}
      </p>
      <button class="button primary">${replaceFile}</button>`,
  );
}

/** The CSRF token has to precede the file. */
function form(action: string, csrfToken: string, fields: Html): Html {
  return html`<form class="fields" method="post" action="${action}" enctype="multipart/form-data">
    <input type="hidden" name="${csrfField}" value="${csrfToken}" />
    ${fields}
  </form>`;
}

function fileField(label: string, messages: readonly string[], texts: Texts, isRequired = true): Html {
  return html`<p class="field">
    <label for="file">${label}</label>
    <input id="file" name="file" type="file" ${isRequired && html`required`} ${marks("file", messages)} />
    ${problem("file", messages, texts)}
  </p>`;
}

const marks = (name: string, messages: readonly string[]): Html | false =>
  messages.length > 0 && html`aria-invalid="true" aria-describedby="${name}-problem" autofocus`;

const problem = (name: string, messages: readonly string[], texts: Texts): Html | false =>
  messages.length > 0 &&
  html`<span class="problem" id="${name}-problem" role="alert">
    ${messages.map((message) => texts.messages[message] ?? message).join(" ")}
  </span>`;
