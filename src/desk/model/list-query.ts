import { listedFacets } from "../../contract/page-options.ts";

/**
 * The documents that the list shows. It is written in three ways: as the address of the page, as parameters of the API,
 * and as one text of the query language, which saved searches contain.
 */
export interface ListQuery {
  /** What the person typed. */
  q: string;
  /**
   * Values by field of the query language, as the API's parameters have them (see {@link filterOf}). A document matches
   * one value of each field.
   */
  filters: Readonly<Record<string, readonly string[]>>;
  sort: string;
  /** From 1. */
  page: number;
}

/**
 * The properties that the list counts documents by: the name of the facet, and the field that filters by its values.
 */
export const facetFields: readonly (readonly [facet: string, field: string])[] = listedFacets.map((facet) => [
  facet,
  facet === "year" ? "created_at" : facet,
]);

/** The field that filters by a facet, or the facet that counts a field's values. */
export const fieldOf = (facet: string): string => (facet === "year" ? "created_at" : facet);
export const facetOf = (field: string): string => (field === "created_at" ? "year" : field);

const fields: ReadonlySet<string> = new Set([
  ...facetFields.map(([, field]) => field),
  "id",
  "page_count",
  "parent",
  "folder",
  "container",
  "text_language",
  "updated_at",
  "slug",
  "noindex",
]);

/** Fields that only a typed query uses, and their aliases. */
const otherFields: ReadonlySet<string> = new Set(
  "title source description text doctext tag document account group projects pages sort order hl".split(" "),
);

export const isDataField = (name: string): boolean => /^data_[\w-]{1,50}$/.test(name);

/** Whether a field is a filter of the list. */
export const isFilter = (name: string): boolean => fields.has(name) || isDataField(name);

export const byScore = "score";
export const newestFirst = "created_at";

/** The order in which a query's documents come if nothing else is chosen. */
export const usualSort = (q: string): string => (q.trim() === "" ? newestFirst : byScore);

/** A value of a facet as a filter. */
export function filterOf(value: string | number): string {
  const text = String(value);
  return /^[\w.]+$/.test(text) ? text : `"${text.replaceAll(/["\\]/g, "\\$&")}"`;
}

/** The value of a filter without its quotes. */
export function valueOf(filter: string): string {
  return /^".*"$/s.test(filter) ? filter.slice(1, -1).replaceAll(/\\(.)/gs, "$1") : filter;
}

// The address

/** Reads the part of the page's address after the path. */
export function readAddress(search: string): ListQuery {
  const parameters = new URLSearchParams(search);
  const q = parameters.get("q") ?? "";
  const filters: Record<string, string[]> = {};
  for (const [name, value] of parameters)
    if (isFilter(name) && value.trim() !== "") (filters[name] ??= []).push(value);
  const page = Number(parameters.get("page") ?? "1");
  return {
    q,
    filters,
    sort: parameters.get("sort") ?? usualSort(q),
    page: Number.isSafeInteger(page) && page > 0 ? page : 1,
  };
}

/** The part of the page's address after the path. It is never empty: an empty one means the person's own documents. */
export function addressOf({ q, filters, sort, page }: ListQuery): string {
  const parameters = parametersOf({ q, filters });
  parameters.set("sort", sort);
  if (page > 1) parameters.set("page", String(page));
  return `?${parameters}`;
}

/** The query as parameters of the API, without order and page. */
export function parametersOf({ q, filters }: Pick<ListQuery, "q" | "filters">): URLSearchParams {
  const parameters = new URLSearchParams();
  if (q.trim() !== "") parameters.set("q", q.trim());
  for (const [name, values] of Object.entries(filters))
    for (const value of values) parameters.append(name, value);
  return parameters;
}

// The query language

/** With operators, the language reads fields as part of the query: only a plus makes them narrow it. */
const hasOperators = (q: string): boolean => /(?:^|[\s()])(?:AND|OR)(?=[\s()]|$)|&&|\|\|/.test(q);

/** The query as one text of the query language. */
export function textOf({ q, filters, sort }: ListQuery): string {
  const words = q.trim();
  const clauses = Object.entries(filters).flatMap(([name, values]) => {
    if (values.length === 0) return [];
    return [`${name}:${values.length === 1 ? values[0] : `(${values.join(" ")})`}`];
  });
  const isMixed = hasOperators(words) && clauses.length > 0;
  return [
    ...(words === "" ? [] : [isMixed ? `+(${words})` : words]),
    ...clauses.map((clause) => (isMixed ? `+${clause}` : clause)),
    ...(sort === usualSort(words) ? [] : [`sort:${sort}`]),
  ].join(" ");
}

const value = String.raw`(?:"(?:[^"\\]|\\.)*"|[[{][^[\]{}"]*[\]}]|[^\s()"[\]{}:+-][^\s()"[\]{}]*)`;
const lastClause = new RegExp(
  String.raw`(?:^|\s)(\+?)([a-z_][\w-]*):(?:(${value})|\((${value}(?: ${value})*)\))$`,
  "s",
);
const lastSort = /(?:^|\s)sort:(-?[a-z][\w-]*)$/;

/** Reads a text of the query language. What {@link textOf} appends to a query becomes filters and order again. */
export function readText(text: string): ListQuery {
  let rest = text.trim();
  const sort = lastSort.exec(rest)?.[1];
  if (sort !== undefined) rest = rest.replace(lastSort, "");
  const filters: [name: string, values: string[]][] = [];
  const withoutSort = rest;
  let isMixed: boolean | null = null;
  for (let found = lastClause.exec(rest); found !== null; found = lastClause.exec(rest)) {
    const [whole, plus, name = "", one, several = ""] = found;
    if (!isFilter(name) || (isMixed ?? plus === "+") !== (plus === "+")) break;
    isMixed = plus === "+";
    const values =
      one === undefined ? Array.from(several.matchAll(new RegExp(value, "gs")), ([v]) => v) : [one];
    filters.unshift([name, values]);
    rest = rest.slice(0, -whole.length).trimEnd();
  }
  const isRepeated = new Set(filters.map(([name]) => name)).size < filters.length;
  const inner = isMixed === true ? /^\+\((.*)\)$/s.exec(rest)?.[1] : rest;
  if (inner === undefined || isRepeated || hasOperators(inner) !== (isMixed ?? hasOperators(inner))) {
    return { q: withoutSort, filters: {}, sort: sort ?? usualSort(withoutSort), page: 1 };
  }
  return { q: inner, filters: Object.fromEntries(filters), sort: sort ?? usualSort(inner), page: 1 };
}

/** Names in a query that look like fields. No field has such a name, so Quire searches for it as text. */
export function unknownFields(q: string): string[] {
  const unquoted = q.replaceAll(/"(?:[^"\\]|\\.)*"/gs, '""');
  const names = Array.from(
    unquoted.matchAll(/(?:^|[\s(+!-])([A-Za-z_][\w-]*)\s?:(?=[^\s)/])/g),
    ([, name = ""]) => name,
  );
  return [...new Set(names)].filter(
    (name) => !isFilter(name) && !otherFields.has(name) && !/^page_no_[1-9]\d{0,5}$/.test(name),
  );
}
