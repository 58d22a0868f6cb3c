import { describe, expect, it } from "vitest";
import { Query } from "../http/request/query.ts";
import type { FacetValue } from "../resources/documents/search/present-facets.ts";
import { type FacetView, facetViews, facetsOfPage } from "./search-facets.ts";

const linkTo = (query: Query): string => `/${query.asSent()}`;
const linkToValues = (query: Query): string => `/mentioned/${query.asSent()}`;

function viewsOf(name: string, values: FacetValue[], query = "q=x"): FacetView[] {
  const facet = facetsOfPage.find((shown) => shown.name === name);
  if (facet === undefined) throw new Error(name);
  return facetViews(
    [{ facet, values, isCut: false, counted: null }],
    Query.parse(query),
    linkTo,
    linkToValues,
  );
}

describe("the links that narrow a search", () => {
  it("filter by each value, and show its name", () => {
    const languages = [
      { value: "deu", count: 3 },
      { value: "", count: 1 },
    ];
    expect(viewsOf("text_language", languages)).toEqual([
      {
        title: "Language",
        isYear: false,
        counted: null,
        values: [
          { text: "German", count: 3, href: "/?q=x&text_language=deu", isChosen: false },
          { text: "Unknown", count: 1, href: "/?q=x&text_language=%22%22", isChosen: false },
        ],
      },
    ]);
    const [year] = viewsOf("year", [
      { value: "2024", count: 3 },
      { value: "2020", count: 1 },
    ]);
    expect(year?.values[0]?.href).toBe("/?q=x&created_at=2024");
  });

  it("lead from a kind of mentions to the page of its values", () => {
    const [mentions] = viewsOf("mention", [{ value: "iban", count: 1 }]);
    const href = "/mentioned/?q=x&kind=iban";
    expect(mentions?.values).toEqual([{ text: "Account numbers", count: 1, href, isChosen: false }]);
  });

  it("are omitted if they would change nothing", () => {
    expect(viewsOf("organization", [{ value: 1, label: "Port Watch", count: 3 }])).toEqual([]);
    expect(viewsOf("organization", [])).toEqual([]);
  });

  it("remove a chosen value, even if no document has it", () => {
    const chosen = { text: "Port Watch", count: 3, href: "/?q=x", isChosen: true };
    expect(
      viewsOf("organization", [{ value: 1, label: "Port Watch", count: 3 }], "q=x&organization=1"),
    ).toEqual([{ title: "Organization", isYear: false, counted: null, values: [chosen] }]);
    expect(viewsOf("organization", [], "q=x&organization=7")[0]?.values).toEqual([
      { text: "7", count: 0, href: "/?q=x", isChosen: true },
    ]);
  });
});
