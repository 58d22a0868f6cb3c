import { type Html, type HtmlContent, html } from "../text/html.ts";

/** The filters and orderings of a list, and their current values. */
export interface ListControls {
  filters: readonly ListFilter[];
  /** Empty if the order is fixed. */
  orderings: readonly { value: string; label: string }[];
  /** The requested ordering, known or not; "" is the default one. */
  ordering: string;
  /**
   * The other parameters of the request, which the form keeps: all but `cursor`, which is a position in the present
   * list.
   */
  kept: readonly (readonly [name: string, value: string])[];
}

export interface ListFilter {
  name: string;
  label: string;
  /** The format of a value; may be empty. */
  help: string;
  /** The requested value; "" for no filter. */
  value: string;
  /** The allowed values; without them any text is allowed. */
  choices?: readonly string[];
}

/** A form that requests the same list with other filters and in another order. Empty fields have no effect. */
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
          [{ value: "", label: "Any" }, ...choices.map((choice) => ({ value: choice, label: choice }))],
          value,
        );
  return field(name, label, help, control);
}

/**
 * The current value stays selected even if it is not one of the choices: several choices separated by commas, for
 * example.
 */
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
