import { describe, expect, it } from "vitest";
import { testSite } from "../testing/site.ts";
import { type ListedDocument, renderHomePage } from "./home-page.ts";

const document: ListedDocument = {
  title: "Budget",
  href: "/documents/1-budget/",
  createdAt: "2025-01-31T14:05:00.000000Z",
  pageCount: 12,
  source: "County clerk",
  organization: "The Daily Planet",
  language: "eng",
  extension: "pdf",
  access: "public",
  status: "success",
};

const home = (changes: Partial<ListedDocument>): string =>
  renderHomePage({ site: testSite, documents: [{ ...document, ...changes }], previous: null, next: null });

/** The visible text below the title. */
const factsIn = (page: string): string[] =>
  Array.from(
    page.matchAll(/<li>((?:<(?:time|span)[^>]*>)?[^<]*)(?:<\/(?:time|span)>)?<\/li>/g),
    ([, text = ""]) => text.replaceAll(/<[^>]*>/g, ""),
  );

describe("the home page", () => {
  it("lists documents with their known facts", () => {
    const page = home({});
    expect(page).toContain(`<h2 dir="auto"><a href="/documents/1-budget/">Budget</a></h2>`);
    expect(page).toContain(`<time datetime="2025-01-31T14:05:00.000000Z">31 January 2025</time>`);
    expect(factsIn(page)).toEqual([
      "31 January 2025",
      "12 pages",
      "PDF",
      "English",
      "County clerk",
      "The Daily Planet",
    ]);
  });

  it("omits unknown facts and repeats nothing", () => {
    const nothing = { title: "", source: "", organization: "", language: "", extension: "", pageCount: 1 };
    expect(factsIn(home(nothing))).toEqual(["31 January 2025", "1 page"]);
    expect(home(nothing)).toContain(">Untitled</a>");
    expect(
      factsIn(home({ organization: "County clerk" })).filter((fact) => fact === "County clerk"),
    ).toHaveLength(1);
  });

  it("shows the access of documents that are not public, and an unfinished status", () => {
    const facts = factsIn(home({ access: "private", status: "nofile", pageCount: 0 }));
    expect(facts.slice(-2)).toEqual(["Private", "Waiting for its file"]);
    expect(facts).not.toContain("0 pages");
    expect(factsIn(home({ access: "organization", status: "readable" })).at(-1)).toBe(
      "Its organization only",
    );
  });

  it("shows markup in a title as text", () => {
    expect(home({ title: "<script>alert(1)</script>" })).toContain(
      "&#60;script&#62;alert(1)&#60;/script&#62;</a>",
    );
  });

  it("links to the neighbouring pages", () => {
    const page = renderHomePage({
      site: testSite,
      documents: [document],
      previous: "/?cursor=a",
      next: "/?cursor=b&c",
    });
    expect(page).toContain(`href="/?cursor=a" rel="prev"`);
    expect(page).toContain(`href="/?cursor=b&#38;c" rel="next"`);
  });

  it("explains how to import documents if there are none", () => {
    const empty = renderHomePage({ site: testSite, documents: [], previous: null, next: null });
    expect(empty).toContain("npm run quire -- import");
    const pastTheEnd = renderHomePage({ site: testSite, documents: [], previous: "/?cursor=a", next: null });
    expect(pastTheEnd).not.toContain("import");
  });
});
