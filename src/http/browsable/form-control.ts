import { takes, labelOf } from "../fields/field-metadata.ts";
import type { Field } from "../fields/fields.ts";
import { type Html, type HtmlContent, html } from "../text/html.ts";

/** A field of a form with its current value. */
export interface FormField {
  name: string;
  field: Field;
  /** As in JSON; undefined if there is no value yet. */
  value: unknown;
  /** The rejected input, which stays to be corrected. */
  sent?: string | undefined;
  /** The errors of that input. */
  messages: readonly string[];
}

/** A label, a control, help and messages, all bound to the control; `form` keeps ids on the page unique. */
export function formControl(view: FormField, form: string): Html {
  const { name, field, messages } = view;
  const id = `${form}-${name}`;
  const help = helpOf(field);
  const isList = field.type === "list";
  return html`<div class="${isWide(field) ? "field wide" : "field"}">
    ${
      isList
        ? html`<p class="label">${labelText(view)}</p>`
        : html`<label for="${id}">${labelText(view)}</label>`
    }
    ${isList ? html`<p>Lists are not supported in HTML input: use the raw data.</p>` : control(view, id)}
    ${help !== "" && html`<p class="help" id="${id}-help">${help}</p>`}
    <ul class="messages" id="${id}-messages" data-messages="${name}">
      ${messages.map((message) => html`<li>${message}</li>`)}
    </ul>
  </div>`;
}

function labelText({ name, field }: FormField): HtmlContent {
  return [labelOf(name, field), field.required === true && html` <span class="required">required</span>`];
}

function helpOf({ type, help = "" }: Field): string {
  const parts = [
    type === "json" ? "JSON" : "",
    help,
    type === "datetime" ? "As in 2030-01-31T12:00:00Z" : "",
  ];
  return parts.filter((part) => part !== "").join(". ");
}

const isWide = ({ type }: Field): boolean => type === "text" || type === "json";

function control(view: FormField, id: string): Html {
  const { name, field, messages, value, sent } = view;
  const attributes = html`id="${id}" name="${name}" data-type="${field.type}"
  aria-describedby="${id}-messages${helpOf(field) === "" ? "" : ` ${id}-help`}"
  ${field.required === true && html`aria-required="true"`} ${messages.length > 0 && html`aria-invalid="true"`}`;
  const text = sent ?? writtenValue(field, value);
  switch (field.type) {
    case "boolean": {
      if (!isCheckbox(field)) return selection(attributes, field, ["true", "false"], text);
      return html`<input type="checkbox" ${attributes} value="true" ${text === "true" && html`checked`} />`;
    }
    case "choice":
      return selection(attributes, field, field.choices ?? [], text);
    case "text":
    case "json":
      // HTML ignores a new line right after the start tag, whatever follows it.
      return html`<textarea ${attributes} rows="4" spellcheck="${String(field.type === "text")}">
${text}</textarea>`;
    case "file":
      return html`<input type="file" ${attributes} />`;
    case "string":
    case "url":
    case "integer":
    case "number":
    case "datetime":
    case "list":
      if (name === "password") return html`<input type="password" ${attributes} autocomplete="off" />`;
      return html`<input ${inputKind(field)} ${attributes} value="${text}" autocomplete="off" />`;
  }
}

/** An integer has a text input: a number input discards invalid text, and with it the text to correct. */
function inputKind({ type }: Field): Html {
  if (type === "url") return html`type="url"`;
  if (type === "integer") return html`type="text" inputmode="numeric"`;
  if (type === "number") return html`type="text" inputmode="decimal"`;
  return html`type="text"`;
}

/** An unchecked checkbox is not sent. So a field is a checkbox only if absence means false, not a default of true. */
function isCheckbox(field: Field): boolean {
  return field.default !== true && field.nullable !== true && !(field.required === true);
}

/**
 * The select has an empty option. If the field accepts an empty value, it is sent; otherwise it means "not chosen
 * yet" and is disabled, so that browsers do not send it.
 */
function selection(attributes: Html, field: Field, choices: readonly string[], text: string): Html {
  const allowsEmpty = takes(field, "") || field.nullable === true;
  const isKnown = text === "" || choices.includes(text);
  return html`<select ${attributes}>
    ${
      (allowsEmpty || text === "") &&
      html`<option value="" ${text === "" && html`selected`} ${!allowsEmpty && html`disabled`}>–</option>`
    }
    ${(isKnown ? choices : [...choices, text]).map(
      (choice) => html`<option value="${choice}" ${choice === text && html`selected`}>${choice}</option>`,
    )}
  </select>`;
}

function writtenValue({ type }: Field, value: unknown): string {
  if (value === undefined || value === null) return "";
  if (type === "json") return JSON.stringify(value, null, 2);
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean"
    ? String(value)
    : "";
}
