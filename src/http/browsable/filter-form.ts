import { type Html, type HtmlContent, html } from "../text/html.ts";

/** What a list can be narrowed to and sorted by, and what it is. */
export interface ListControls {
  filters: readonly ListFilter[];
  /** Empty where the order is fixed. */
  orderings: readonly { value: string; label: string }[];
  /** The ordering asked for, known or not; "" is the default one. */
  ordering: string;
  /** Parameters of the request that are neither, and stay: all but `cursor`, whose place another list does not have. */
  kept: readonly (readonly [name: string, value: string])[];
}

export interface ListFilter {
  name: string;
  label: string;
  /** How to write a value, or nothing. */
  help: string;
  /** As asked for; "" for no filter. */
  value: string;
  /** The only values there are; without them it is any text. */
  choices?: readonly string[];
}

/** A form that asks for the same list with other filters and in another order. Fields left empty do nothing. */
export function filterForm({ filters, orderings, ordering, kept }: ListControls, isOpen: boolean): Html {
  const inUse = filters.filter(({ value }) => value !== "").length + (ordering === "" ? 0 : 1);
  const withoutAll = new URLSearchParams(
    kept.map(([name, value]): [string, string] => [name, value]),
  ).toString();
  return html`<details class="panel" ${isOpen && html`open`}>
    <summary>
      Filter and order
      ${inUse > 0 && html`<span class="count">${inUse} <span class="visually-hidden">in use</span></span>`}
    </summary>
    <form class="panel-content" method="get">
      ${kept.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
      <div class="fields">
        ${orderings.length > 0 && orderingField(orderings, ordering)} ${filters.map(filterField)}
      </div>
      <div class="buttons">
        <button class="button primary" type="submit">Apply</button>
        ${inUse > 0 && html`<a class="button" href="?${withoutAll}">Clear all</a>`}
      </div>
    </form>
  </details>`;
}

function orderingField(orderings: ListControls["orderings"], ordering: string): Html {
  const choices = [{ value: "", label: "Default" }, ...orderings];
  return field("ordering", "Order", "", selection("ordering", choices, ordering));
}

function filterField({ name, label, help, value, choices }: ListFilter): Html {
  const control =
    choices === undefined
      ? html`<input
          type="text"
          id="filter-${name}"
          name="${name}"
          value="${value}"
          autocomplete="off"
          spellcheck="false"
          ${help !== "" && html`aria-describedby="help-${name}"`}
        />`
      : selection(
          name,
          [{ value: "", label: "Any" }, ...choices.map((one) => ({ value: one, label: one }))],
          value,
        );
  return field(name, label, help, control);
}

/** What was asked for stays, also when it is none of the choices: several of them with commas, for one. */
function selection(
  name: string,
  choices: readonly { value: string; label: string }[],
  selected: string,
): Html {
  const isKnown = choices.some(({ value }) => value === selected);
  const all = isKnown ? choices : [...choices, { value: selected, label: selected }];
  return html`<select id="filter-${name}" name="${name}">
    ${all.map(
      ({ value, label }) =>
        html`<option value="${value}" ${value === selected && html`selected`}>${label}</option>`,
    )}
  </select>`;
}

function field(name: string, label: string, help: string, control: HtmlContent): Html {
  return html`<div class="field">
    <label for="filter-${name}">${label}</label>
    ${control} ${help !== "" && html`<p class="help" id="help-${name}">${help}</p>`}
  </div>`;
}
