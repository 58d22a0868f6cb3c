import { mentionKinds } from "../contract/search.ts";
import type { Query } from "../http/request/query.ts";
import type { Facet } from "../resources/documents/search/facets.ts";
import type { FacetValue, FoundFacet } from "../resources/documents/search/present-facets.ts";
import { type Locale, utcEnglish } from "../texts/formats.ts";
import { pageTexts } from "../texts/pages.ts";
import { accessInWords, languageInWords } from "./wording.ts";

/** A property by which users can narrow the results of a search, with the links for this. */
export interface FacetView {
  title: string;
  /** Whether the values are years. */
  isYear: boolean;
  /** How many of the results were counted, the newest. Null if all were. */
  counted: number | null;
  values: readonly {
    text: string;
    /** The number of matching documents with the value. */
    count: number;
    /** The address of the search with this value as a filter, or without the filter if the value is chosen. */
    href: string;
    isChosen: boolean;
  }[];
}

interface ShownFacet {
  facet: Facet;
  /** The query parameter that filters by a value. */
  parameter: string;
  inWords: (value: FacetValue, locale: Locale) => string;
}

const labelOf = ({ label, value }: FacetValue): string => label ?? String(value);

function shown(
  by: Extract<Facet["by"], string>,
  inWords: ShownFacet["inWords"] = labelOf,
  parameter: string = by,
): ShownFacet {
  return { facet: { name: by, by }, parameter, inWords };
}

/** A value of `mention` is a kind, which leads to the page of its values, or (as a filter) one of these. */
function mentionKindInWords({ value }: FacetValue, locale: Locale): string {
  const kind = mentionKinds.find((one) => one === value);
  return kind === undefined ? String(value) : pageTexts(locale).mentions.kinds[kind];
}

const shownFacets: readonly ShownFacet[] = [
  shown("year", labelOf, "created_at"),
  shown("text_language", ({ value }, locale) =>
    value === "" ? pageTexts(locale).unknown : languageInWords(String(value), locale),
  ),
  shown("original_extension", ({ value }) => String(value).toUpperCase()),
  shown("organization"),
  shown("project"),
  shown("mention", mentionKindInWords),
  shown("access", ({ value }, locale) => accessInWords(String(value), locale)),
];

/** The facets that the search page requests. */
export const facetsOfPage: readonly Facet[] = shownFacets.map(({ facet }) => facet);

/** The same for all documents, where counting what they mention would take longer than the rest of the page. */
export const facetsOfAll: readonly Facet[] = facetsOfPage.filter(({ by }) => by !== "mention");

/** A value as a filter. An empty parameter would mean no filter, so the empty value is quoted. */
const asFilter = (value: string | number): string => (value === "" ? '""' : String(value));

/** The maximum number of values per facet on the page. */
const maxValues = 6;

/**
 * The facets with more than one value among the results, and those that already filter them. `linkTo` returns the
 * address of a search with other parameters, and `linkToValues` that of the values that its documents mention.
 */
export function facetViews(
  found: readonly FoundFacet[],
  query: Query,
  linkTo: (query: Query) => string,
  linkToValues: (query: Query) => string,
  locale: Locale = utcEnglish,
): FacetView[] {
  return found.flatMap(({ facet, values, counted }) => {
    const ofPage = shownFacets.find(({ facet: { name } }) => name === facet.name);
    if (ofPage === undefined) return [];
    const { parameter, inWords } = ofPage;
    const title = pageTexts(locale).facets[facet.name] ?? facet.name;
    const chosen = query.last(parameter) ?? null;
    const isOfMentions = facet.name === "mention";
    if (chosen === null && values.length < (isOfMentions ? 1 : 2)) return [];
    const current = values.find(({ value }) => asFilter(value) === chosen);
    const unchosen = chosen === null ? values.slice(0, isOfMentions ? mentionKinds.length : maxValues) : [];
    const views = unchosen.map((value) => ({
      text: inWords(value, locale),
      count: value.count,
      href: isOfMentions
        ? linkToValues(query.with("kind", String(value.value)))
        : linkTo(query.with(parameter, asFilter(value.value))),
      isChosen: false,
    }));
    if (chosen !== null) {
      const text = current === undefined ? chosen : inWords(current, locale);
      const href = linkTo(query.with(parameter, null));
      views.push({ text, count: current?.count ?? 0, href, isChosen: true });
    }
    return [{ title, isYear: facet.name === "year" && chosen === null, counted, values: views }];
  });
}
