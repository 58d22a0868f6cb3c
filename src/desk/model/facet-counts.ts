import { signal } from "@preact/signals";
import type { Named } from "../../contract/project.ts";
import type { Facet } from "../../contract/search.ts";
import type { Page } from "../../contract/shape.ts";
import { searchLimits } from "../../contract/limits.ts";
import type { DeskApi } from "./desk-api.ts";
import { type ListQuery, facetFields, facetOf, isDataField, parametersOf } from "./list-query.ts";

const { facets: maxFacets } = searchLimits;

export type Counts = Readonly<Record<string, Facet>>;

const textOfName = ({ title = "", name = "", username = "" }: Named): string => title || name || username;

/** How many of the documents that match a query have each value of each property. */
export class FacetCounts {
  readonly counts = signal<Counts>({});
  readonly #api: DeskApi;
  /** The keys of data that the documents found last have, the most frequent first. */
  #dataKeys: readonly string[] = [];
  /** The names of users, organizations and projects that are filtered by and that no document found has. */
  readonly #names = signal<ReadonlyMap<string, string>>(new Map());

  constructor(api: DeskApi) {
    this.#api = api;
  }

  /** The names of the facets that a search for this query counts, as its parameter. */
  parameterFor(query: ListQuery): string {
    return [...facetFields.map(([facet]) => facet), "data", ...this.#dataFacets(query)].join(",");
  }

  #dataFacets({ filters }: ListQuery): string[] {
    const chosen = Object.keys(filters).filter((field) => field.startsWith("data_"));
    // Imported documents may have keys by which nothing can be counted.
    const keys = this.#dataKeys.map((key) => `data_${key}`).filter(isDataField);
    const all = new Set([...chosen, ...keys]);
    return [...all].slice(0, maxFacets - facetFields.length - 1);
  }

  /** Counts the values of each filtered field as if the field were not filtered: they are what else can be chosen. */
  async countChosen(query: ListQuery): Promise<Counts> {
    const counted = Object.keys(query.filters).filter(
      (field) => field.startsWith("data_") || facetFields.some(([, other]) => other === field),
    );
    const facets = counted.map((field) => {
      const { [field]: _, ...filters } = query.filters;
      return this.#count({ ...query, filters }, [facetOf(field)]);
    });
    return Object.assign({}, ...(await Promise.all(facets))) as Counts;
  }

  /** Takes counts that were asked for later. */
  add(counts: Counts): void {
    this.counts.value = { ...this.counts.peek(), ...counts };
  }

  /**
   * Takes the counts that a search has returned, and those of the filtered fields. The returned function completes
   * them: it counts the values under keys of data that were not counted before, and finds the names of chosen values.
   */
  take(found: Counts, chosen: Counts, query: ListQuery): (isLatest: () => boolean) => Promise<void> {
    const { data, ...facets } = found;
    this.counts.value = { ...facets, ...chosen };
    const before = new Set(this.#dataFacets(query));
    this.#dataKeys = data?.values.map(({ value }) => String(value)) ?? [];
    const added = this.#dataFacets(query).filter((facet) => !before.has(facet));
    return async (isLatest) => {
      const countAdded = async (): Promise<void> => {
        if (added.length === 0) return;
        const more = await this.#count(query, added);
        if (isLatest()) this.add(more);
      };
      await Promise.all([countAdded(), this.#findNames(query)]);
    };
  }

  async #count(query: ListQuery, facets: readonly string[]): Promise<Counts> {
    const parameters = parametersOf(query);
    parameters.set("per_page", "1");
    parameters.set("facets", facets.join(","));
    return (await this.#api.search(parameters)).facets ?? {};
  }

  /** The name of a user, organization or project by which the list is filtered; undefined while it is unknown. */
  nameOf(field: "user" | "organization" | "project", id: string): string | undefined {
    const { user, userName } = this.#api.options;
    if (field === "user" && id === String(user)) return userName;
    const known = this.counts.value[field]?.values.find(({ value }) => String(value) === id);
    return known?.label ?? this.#names.value.get(`${field} ${id}`);
  }

  /** Finds the names of chosen users, organizations and projects that the counts do not have. */
  async #findNames({ filters }: ListQuery): Promise<void> {
    await Promise.all(
      (["user", "organization", "project"] as const).map(async (field) => {
        const ids = (filters[field] ?? []).filter(
          (id) => /^\d+$/.test(id) && this.nameOf(field, id) === undefined,
        );
        if (ids.length === 0) return;
        const { results } = await this.#api.get<Page<Named>>(
          `${field}s/?per_page=100&id__in=${ids.join(",")}`,
        );
        const found = results.map((item) => [`${field} ${item.id}`, textOfName(item)] as const);
        this.#names.value = new Map([...this.#names.peek(), ...found]);
      }),
    );
  }
}
