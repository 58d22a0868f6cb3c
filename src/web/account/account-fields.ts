import { personLimits } from "../../contract/limits.ts";
import { csrfField } from "../../http/request/csrf.ts";
import { type Html, html } from "../../http/text/html.ts";
import type { Site } from "../../http/browsable/page-shell.ts";
import { pageTexts } from "../../texts/pages.ts";

/** The forms whose input can be rejected. */
export type AccountForm = "profile" | "preferences" | "password" | "token";

export interface RefusedForm {
  form: AccountForm;
  texts: Readonly<Record<string, string>>;
  errors: Readonly<Record<string, readonly string[]>>;
}

/** What a form shows if it was rejected: the texts that were typed, and what is wrong with them. */
export interface FormState {
  texts: Readonly<Record<string, string>>;
  errors: Readonly<Record<string, readonly string[]>>;
  /** Beside the label of a field that may stay empty. */
  optional: string;
}

export function stateOf(refused: RefusedForm | null, form: AccountForm, site: Site): FormState {
  const { optional } = pageTexts(site).account;
  return { optional, ...(refused?.form === form ? refused : { texts: {}, errors: {} }) };
}

interface Input {
  name: string;
  label: string;
  /** Defaults to the name. */
  id?: string;
  type?: "text" | "email" | "password" | "date";
  value?: string;
  autocomplete?: string;
  minLength?: number;
  isOptional?: true;
  /** A sentence below it. */
  help?: string;
  maxLength?: number;
}

const maxLengths: Partial<Record<string, number>> = {
  email: personLimits.email,
  password: personLimits.password,
};

/** The attributes of a field that was rejected. The first such field of the page gets the focus. */
export function faultMarks({ errors }: FormState, name: string, id = name): Html | false {
  return errors[name] !== undefined && html`aria-invalid="true" aria-describedby="${id}-errors" autofocus`;
}

/** Why a field was rejected, below it. */
export function faultOf({ errors }: FormState, name: string, id = name): Html | false {
  const messages = errors[name];
  return (
    messages !== undefined &&
    html`<span class="problem" id="${id}-errors" role="alert">${messages.join(" ")}</span>`
  );
}

export function input(state: FormState, options: Input): Html {
  const { texts, optional } = state;
  const {
    name,
    label,
    id = name,
    type = "text",
    value = "",
    autocomplete = "off",
    isOptional,
    help,
  } = options;
  const { maxLength = maxLengths[type] ?? personLimits.name } = options;
  return html`<p class="field">
    <label for="${id}-input"
      >${label}${isOptional === true && html` <span class="help">${optional}</span>`}</label
    >
    <input
      id="${id}-input"
      name="${name}"
      type="${type}"
      value="${type === "password" ? "" : (texts[name] ?? value)}"
      autocomplete="${autocomplete}"
      maxlength="${maxLength}"
      ${options.minLength !== undefined && html`minlength="${String(options.minLength)}"`}
      ${isOptional !== true && html`required`}
      ${faultMarks(state, name, id) || (help !== undefined && html`aria-describedby="${id}-help"`)}
    />
    ${help !== undefined && html`<span class="help" id="${id}-help">${help}</span>`}
    ${faultOf(state, name, id)}
  </p>`;
}

export function csrf(token: string): Html {
  return html`<input type="hidden" name="${csrfField}" value="${token}" />`;
}

export function option(value: string, text: string, chosen: string, lang?: string): Html {
  return html`<option
    value="${value}"
    ${value === chosen && html`selected`}
    ${lang !== undefined && html`lang="${lang}"`}
  >
    ${text}
  </option>`;
}
