import { type Html, html } from "../../http/text/html.ts";
import { type Parameter, parametersOf } from "./parameter-fields.ts";

export type Form = ReadonlyMap<string, readonly string[]>;

interface Filled {
  /** What a refused form had, or what is stored, by the names of the fields. */
  form: Form;
  /** Whether boxes without a tick are what the person wants. */
  isFilled: boolean;
}

/** A field for each property of an add-on's configuration. */
export function parameterInputs(schema: Readonly<Record<string, unknown>>, filled: Filled): Html[] {
  return parametersOf(schema).map((parameter) => field(filled, parameter));
}

function field({ form, isFilled }: Filled, parameter: Parameter): Html {
  const { name, title, help, kind, choices, isRequired, initial } = parameter;
  const id = `p-${name}`;
  const sent = form.get(id)?.at(-1);
  const value = sent ?? (isFilled ? "" : initial);
  const hint = help !== "" && html`<span class="help" dir="auto">${help}</span>`;
  if (kind === "boolean") {
    const isOn = isFilled ? sent !== undefined : initial === "true";
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
