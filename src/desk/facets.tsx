import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { xIcon } from "../contract/icons.ts";
import { Icon } from "../viewer/form/icon.tsx";
import type { DeskApi } from "./model/desk-api.ts";
import type { DocumentList } from "./model/document-list.ts";
import { facetFields, facetOf, filterOf, valueOf } from "./model/list-query.ts";
import { languageName, texts } from "./model/texts.ts";

/** The number of values that are shown before the person asks for the others. */
const maxValues = 6;

/** A value of a field that documents can be filtered by. */
interface Choice {
  filter: string;
  text: string;
  count: number;
  isChosen: boolean;
}

/** The properties of the documents that match, with the number of documents that have each value. */
export function Facets({
  api,
  list,
  children,
}: {
  api: DeskApi;
  list: DocumentList;
  /** What stands above them. */
  children: ComponentChildren;
}) {
  // On a narrow screen the list comes first.
  const isOpen = useSignal(matchMedia("(min-width: 60rem)").matches);
  const facets = list.facets.counts.value;
  const chosen = chosenFilters(list).length;
  const { counted } = facets["access"] ?? {};
  const fields = [
    ...facetFields.map(([, field]) => field),
    ...Object.keys(facets).filter((name) => name.startsWith("data_")),
  ];
  return (
    <details
      class="facets"
      id="facets"
      open={isOpen.value}
      onToggle={({ currentTarget }) => (isOpen.value = currentTarget.open)}
    >
      <summary>
        {texts.filters} {chosen > 0 && <span class="help">({texts.filtersChosen(chosen)})</span>}
      </summary>
      {children}
      {counted !== undefined && <p class="help">{texts.countedAmong(counted)}</p>}
      {fields.map((field) => (
        <FacetGroup key={field} field={field} api={api} list={list} />
      ))}
    </details>
  );
}

function FacetGroup({ field, api, list }: { field: string; api: DeskApi; list: DocumentList }) {
  const id = useId();
  const isWhole = useSignal(false);
  const {
    values = [],
    more = false,
    counted: of = list.count.value,
  } = list.facets.counts.value[facetOf(field)] ?? {};
  const chosen = list.query.value.filters[field] ?? [];
  const counted: Choice[] = values.map(({ value, count }) => {
    const filter = filterOf(value);
    return {
      filter,
      count,
      text: filterInWords(api, list, field, filter),
      isChosen: chosen.includes(filter),
    };
  });
  // A chosen value that no document has any more, or that was typed into the address, can still be removed.
  const others = chosen
    .filter((filter) => !counted.some((choice) => choice.filter === filter))
    .map((filter) => ({ filter, count: 0, text: filterInWords(api, list, field, filter), isChosen: true }));
  const choices = [...counted, ...others];
  // A value that all documents have does not narrow them.
  const isUseful = choices.length > 1 || choices.some(({ count }) => count < of);
  if (chosen.length === 0 && !isUseful) return null;
  const shown = choices.filter(({ isChosen }, index) => isWhole.value || isChosen || index < maxValues);
  return (
    <fieldset class="facet">
      <legend dir="auto">{fieldInWords(field)}</legend>
      {field === "created_at" && <YearBars counted={counted} />}
      <ul>
        {shown.map(({ filter, text, count, isChosen }) => (
          <li key={filter} class="check">
            <input
              id={`${id}-${filter}`}
              type="checkbox"
              checked={isChosen}
              onChange={() => void list.toggleFilter(field, filter)}
            />
            <label for={`${id}-${filter}`}>
              <span dir="auto">{text}</span> <span class="facet-count">{texts.formats.number(count)}</span>
            </label>
          </li>
        ))}
      </ul>
      {choices.length > maxValues && (
        <button
          type="button"
          class="button small"
          aria-expanded={isWhole.value}
          onClick={() => (isWhole.value = !isWhole.value)}
        >
          {isWhole.value ? texts.showFewer : texts.showValues(choices.length)}
        </button>
      )}
      {isWhole.value && more && <p class="help">{texts.moreValues}</p>}
    </fieldset>
  );
}

/** How many documents each year has, as a picture of the numbers below it. */
function YearBars({ counted }: { counted: readonly Choice[] }) {
  const years = counted.toSorted((one, other) => (one.filter < other.filter ? -1 : 1));
  const max = Math.max(...years.map(({ count }) => count));
  if (years.length < 3) return null;
  return (
    <svg
      class="year-bars"
      viewBox={`0 0 ${years.length * 10} 40`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {years.map(({ filter, count }, index) => {
        const height = Math.max(2, Math.round((count / max) * 40));
        return <rect key={filter} x={index * 10} y={40 - height} width={8} height={height} />;
      })}
    </svg>
  );
}

/** The filters in force, each with a button that removes it. */
export function ChosenFilters({ api, list }: { api: DeskApi; list: DocumentList }) {
  const chosen = chosenFilters(list);
  if (chosen.length === 0) return null;
  return (
    <div class="chosen">
      <ul aria-label={texts.chosenFilters}>
        {chosen.map(([field, filter]) => {
          const text = texts.filter(fieldInWords(field), filterInWords(api, list, field, filter));
          return (
            <li key={`${field} ${filter}`}>
              <button
                type="button"
                class="chip"
                aria-label={texts.removeFilter(text)}
                onClick={() => void list.toggleFilter(field, filter)}
              >
                <span dir="auto">{text}</span>
                <Icon of={xIcon} />
              </button>
            </li>
          );
        })}
      </ul>
      {chosen.length > 1 && (
        <button type="button" class="button small bare" onClick={() => void list.show({ filters: {} })}>
          {texts.removeFilters}
        </button>
      )}
    </div>
  );
}

function chosenFilters(list: DocumentList): (readonly [field: string, filter: string])[] {
  return Object.entries(list.query.value.filters).flatMap(([field, filters]) =>
    filters.map((filter) => [field, filter] as const),
  );
}

function fieldInWords(field: string): string {
  return texts.fields[field] ?? field.replace(/^data_/, "");
}

function filterInWords({ options }: DeskApi, list: DocumentList, field: string, filter: string): string {
  const value = valueOf(filter);
  switch (field) {
    case "access":
      return texts.accessShort[value] ?? value;
    case "status":
      return texts.statuses[value] ?? value;
    case "language":
      return languageName(value);
    case "original_extension":
      return value.toUpperCase();
    case "user":
    case "organization":
    case "project": {
      const name = list.facets.nameOf(field, value) ?? value;
      return field === "user" && value === String(options.user) ? texts.you(name) : name;
    }
    default:
      return value;
  }
}
