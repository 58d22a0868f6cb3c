import { describe, expect, it } from "vitest";
import { html } from "../http/text/html.ts";
import { testSite } from "../testing/site.ts";
import { type ListPageView, renderListPage } from "./search-page.ts";

const plainly = { escaped: false, wildcardsIgnored: false, leftOut: [], isRough: false };

function pageOf(more: number, view: Partial<ListPageView> = {}): string {
  const one = {
    title: "Budget",
    href: "/documents/1-budget/",
    createdAt: "2025-01-31T14:05:00.000000Z",
    pageCount: 12,
    source: "",
    image: null,
    organization: "",
    language: "",
    extension: "",
    access: "public",
    status: "success",
    pages: [{ page: 160, href: "/documents/1-budget/#p160", fragment: "the <em>harbour</em> & <b>port" }],
    more: { count: more, href: "/documents/1-budget/search/?q=harbour" },
    notes: [{ page: 3, href: "/documents/1-budget/#p3", fragment: "see <em>dock</em> & <i>" }],
    copies: null,
  };
  return renderListPage({
    site: testSite,
    head: html``,
    action: "/",
    query: "harbour",
    reading: plainly,
    count: 1,
    found: [one],
    facets: [],
    suggestion: null,
    branch: null,
    previous: null,
    next: null,
    ...view,
  });
}

const linkSaying = (text: string): string => `<a href="/documents/1-budget/search/?q=harbour">${text}</a>`;

describe("the search page", () => {
  it("counts the further matching pages of a document and links to them", () => {
    expect(pageOf(0)).not.toContain(" more");
    expect(pageOf(1)).toContain(linkSaying("And 1 page more"));
    expect(pageOf(1145)).toContain(linkSaying("And 1,145 pages more"));
  });

  it("says that wildcards were ignored, with a link to sign in", () => {
    expect(pageOf(0)).not.toContain("wildcards");
    const page = pageOf(0, { reading: { ...plainly, wildcardsIgnored: true } });
    expect(page).toMatch(
      /wildcards \*, \? and ~ were not used: only people who have signed in .*\s*<a href="[^"]*\?next=/,
    );
  });

  it("links the words that were left out to searches that demand them, and says that the order is rough", () => {
    const leftOut = [{ text: "<the>", href: "/?q=the+harbour+%2Bthe" }];
    const page = pageOf(0, { reading: { ...plainly, leftOut, isRough: true } });
    expect(page).toMatch(/left out.*<a href="\/\?q=the\+harbour\+%2Bthe"[^>]*>&#60;the&#62;<\/a>/);
    expect(page).toContain("in a rough order");
    expect(pageOf(0)).not.toMatch(/left out|rough/);
  });

  it("links to a corrected query, and to narrower searches", () => {
    const href = "/?q=harbour&language=deu";
    const page = pageOf(0, {
      suggestion: { text: "<harbour>", href: "/?q=%3Charbour%3E" },
      facets: [
        {
          title: "Language",
          isYear: false,
          counted: null,
          values: [{ text: "German & co", count: 1234, href, isChosen: false }],
        },
      ],
    });
    expect(page).toContain('Did you mean <a href="/?q=%3Charbour%3E">&#60;harbour&#62;</a>?');
    expect(page).toMatch(
      /<a href="[^"]*language=deu"><span dir="auto">German &#38; co<\/span> <span class="documents-with">1,234</,
    );
  });

  it("shows markup in documents and notes as text", () => {
    expect(pageOf(1)).toContain("<mark>harbour</mark> &#38; &#60;b&#62;port");
    expect(pageOf(1)).toContain("Note on page 3</a> see <mark>dock</mark> &#38; &#60;i&#62;");
  });
});
