import { takes, labelOf } from "../fields/field-metadata.ts";
import type { Field } from "../fields/fields.ts";
import { type Html, type HtmlContent, html } from "../text/html.ts";

/** A field of a form as it is shown. */
export interface FormField {
  name: string;
  field: Field;
  /** As JSON has it; undefined where there is none yet. */
  value: unknown;
  /** What was sent and refused, which stays to be corrected. */
  sent?: string | undefined;
  /** What was wrong with it. */
  messages: readonly string[];
}

/** Label, control, help and messages, each bound to the control; `form` sets it apart from its like on the page. */
export function formControl(shown: FormField, form: string): Html {
  const { name, field, messages } = shown;
  const id = `${form}-${name}`;
  const help = helpOf(field);
  const isList = field.type === "list";
  return html`<div class="${isWide(field) ? "field wide" : "field"}">
    ${
      isList
        ? html`<p class="label">${labelText(shown)}</p>`
        : html`<label for="${id}">${labelText(shown)}</label>`
    }
    ${isList ? html`<p>Lists are not supported in HTML input: use the raw data.</p>` : control(shown, id)}
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

function control(shown: FormField, id: string): Html {
  const { name, field, messages, value, sent } = shown;
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
      // The first new line within the element does not count, whatever follows it.
      return html`<textarea ${attributes} rows="4" spellcheck="${String(field.type === "text")}">
${text}</textarea>`;
    default:
      if (name === "password") return html`<input type="password" ${attributes} autocomplete="off" />`;
      return html`<input ${inputKind(field)} ${attributes} value="${text}" autocomplete="off" />`;
  }
}

/** An integer is typed as text: a number's input loses what was typed when it is none, and with it what to correct. */
function inputKind({ type }: Field): Html {
  if (type === "url") return html`type="url"`;
  if (type === "integer") return html`type="text" inputmode="numeric"`;
  if (type === "number") return html`type="text" inputmode="decimal"`;
  return html`type="text"`;
}

/** A checkbox that is not checked is not sent: that has to mean false, not a default that is true. */
function isCheckbox(field: Field): boolean {
  return field.default !== true && field.nullable !== true && !(field.required === true);
}

/**
 * With a choice of nothing: it is sent where the field takes it. Elsewhere it stands for "not chosen yet" and stays
 * away, as disabled options do.
 */
function selection(attributes: Html, field: Field, choices: readonly string[], text: string): Html {
  const takesNothing = takes(field, "") || field.nullable === true;
  const isKnown = text === "" || choices.includes(text);
  return html`<select ${attributes}>
    ${
      (takesNothing || text === "") &&
      html`<option value="" ${text === "" && html`selected`} ${!takesNothing && html`disabled`}>–</option>`
    }
    ${(isKnown ? choices : [...choices, text]).map(
      (one) => html`<option value="${one}" ${one === text && html`selected`}>${one}</option>`,
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
