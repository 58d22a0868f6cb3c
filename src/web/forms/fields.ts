import { personLimits } from "../../contract/limits.ts";
import { csrfField } from "../../http/request/csrf.ts";
import { type Html, html } from "../../http/text/html.ts";
import type { Site } from "../../http/browsable/page-shell.ts";
import { pageTexts } from "../../texts/pages.ts";
import type { RefusedForm } from "./refused-form.ts";

/** What a form shows if it was rejected: the texts that were typed, and what is wrong with them. */
export interface FormState extends RefusedForm {
  /** Beside the label of a field that may stay empty. */
  optional: string;
}

export function stateOf(site: Site, refused: RefusedForm | null): FormState {
  const { optional } = pageTexts(site).account;
  const { texts, errors } = refused ?? { texts: {}, errors: {} };
  return { texts, errors, optional };
}

interface Input {
  name: string;
  label: string;
  /** Defaults to the name. */
  id?: string;
  type?: "text" | "email" | "password" | "date" | "url" | "number";
  value?: string;
  autocomplete?: string;
  minLength?: number;
  isOptional?: true;
  /** A sentence below it. */
  help?: string;
  maxLength?: number;
  /** Of a number, which begins at 1. */
  max?: number;
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
  const { texts, errors, optional } = state;
  const {
    name,
    label,
    id = name,
    type = "text",
    value = "",
    autocomplete = "off",
    isOptional,
    help,
    max,
  } = options;
  const { maxLength = maxLengths[type] ?? personLimits.name } = options;
  const isRejected = errors[name] !== undefined;
  const described = [...(isRejected ? [`${id}-errors`] : []), ...(help === undefined ? [] : [`${id}-help`])];
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
      ${type === "text" && html`dir="auto"`}
      ${type === "number" ? html`min="1" max="${max}"` : html`maxlength="${maxLength}"`}
      ${options.minLength !== undefined && html`minlength="${options.minLength}"`}
      ${isOptional !== true && html`required`}
      ${isRejected && html`autofocus aria-invalid="true"`}
      ${described.length > 0 && html`aria-describedby="${described.join(" ")}"`}
    />
    ${help !== undefined && html`<span class="help" id="${id}-help">${help}</span>`}
    ${faultOf(state, name, id)}
  </p>`;
}

/** A box to tick. */
export function checkbox(name: string, label: string, isChecked: boolean): Html {
  return html`<p class="check">
    <input id="${name}" name="${name}" type="checkbox" value="true" ${isChecked && html`checked`} />
    <label for="${name}">${label}</label>
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

/** A sentence about what a form has just done; null without one. */
export function doneMessage(done: string | null): Html | false {
  return done !== null && html`<p class="done" role="status">${done}</p>`;
}

/** A secret that was just made, below a sentence about it. This is the only time that it is shown. */
export function secretMessage(sentence: string, secret: string): Html {
  return html`<p class="done" role="status">${sentence}<br /><code class="token">${secret}</code></p>`;
}
