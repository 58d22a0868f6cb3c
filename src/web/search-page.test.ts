import { describe, expect, it } from "vitest";
import { testSite } from "../testing/site.ts";
import { renderSearchPage } from "./search-page.ts";

function pageOf(pagesThatHoldIt: number): string {
  const pages = Array.from({ length: pagesThatHoldIt }, (_, index) => ({
    page: index + 1,
    href: `/documents/1-budget/#p${index + 1}`,
    fragment: "the <em>harbour</em> & <b>port",
  }));
  const one = {
    title: "Budget",
    href: "/documents/1-budget/",
    createdAt: "2025-01-31T14:05:00.000000Z",
    pageCount: 12,
    source: "",
    pages,
    notes: [{ page: 3, href: "/documents/1-budget/#p3", fragment: "see <em>dock</em> & <i>" }],
  };
  return renderSearchPage({
    site: testSite,
    query: "harbour",
    escaped: false,
    count: 1,
    found: [one],
    next: null,
  });
}

const shownIn = (page: string): number => page.split("<mark>harbour</mark>").length - 1;

describe("the search page", () => {
  it("shows the first five pages of a document that hold the words, and says how many more do", () => {
    expect([shownIn(pageOf(5)), pageOf(5).includes(" more.")]).toEqual([5, false]);
    expect([shownIn(pageOf(6)), pageOf(6).includes("And 1 page more.")]).toEqual([5, true]);
    expect([shownIn(pageOf(150)), pageOf(150).includes("And 145 pages more.")]).toEqual([5, true]);
  });

  it("has what stands in the document and its notes as text", () => {
    expect(pageOf(1)).toContain("<mark>harbour</mark> &#38; &#60;b&#62;port");
    expect(pageOf(1)).toContain("Note on page 3</a> see <mark>dock</mark> &#38; &#60;i&#62;");
  });
});
