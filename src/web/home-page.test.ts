import { describe, expect, it } from "vitest";
import { testSite } from "../testing/site.ts";
import { type ListedDocument, documentList } from "./document-rows.ts";
import { type HomePageView, renderHomePage, renderRowsPage } from "./home-page.ts";

const document: ListedDocument = {
  title: "Budget",
  href: "/documents/1-budget/",
  image: "/files/documents/1/pages/budget-p1-small.gif",
  createdAt: "2025-01-31T14:05:00.000000Z",
  pageCount: 12,
  source: "County clerk",
  organization: "The Daily Planet",
  language: "deu",
  extension: "pdf",
  access: "public",
  status: "success",
};

const list = (changes: Partial<ListedDocument>): string =>
  documentList([{ ...document, ...changes }], testSite).toString();

const home = (changes: Partial<HomePageView>): string =>
  renderHomePage({ site: testSite, count: 1, projects: [], documents: [document], ...changes });

/** The visible text below the title. */
const factsIn = (page: string): string[] =>
  Array.from(
    page.matchAll(/<li>((?:<(?:time|span)[^>]*>)?[^<]*)(?:<\/(?:time|span)>)?<\/li>/g),
    ([, text = ""]) => text.replaceAll(/<[^>]*>/g, ""),
  );

describe("a list of documents", () => {
  it("lists documents with their known facts", () => {
    const page = list({});
    expect(page).toContain(`<h2 dir="auto"><a href="/documents/1-budget/">Budget</a></h2>`);
    expect(page).toContain(`<time datetime="2025-01-31T14:05:00.000000Z">31 January 2025</time>`);
    expect(factsIn(page)).toEqual([
      "31 January 2025",
      "12 pages",
      "PDF",
      "German",
      "County clerk",
      "The Daily Planet",
    ]);
  });

  it("omits unknown facts and repeats nothing", () => {
    const nothing = { title: "", source: "", organization: "", language: "", extension: "", pageCount: 1 };
    expect(factsIn(list(nothing))).toEqual(["31 January 2025", "1 page"]);
    expect(list(nothing)).toContain(">Untitled</a>");
    expect(
      factsIn(list({ organization: "County clerk" })).filter((fact) => fact === "County clerk"),
    ).toHaveLength(1);
  });

  it("shows the access of documents that are not public, and an unfinished status", () => {
    const hidden = list({ access: "private", status: "nofile", pageCount: 0 });
    expect(factsIn(hidden).at(-1)).toBe("Waiting for its file");
    expect(factsIn(hidden)).not.toContain("0 pages");
    expect(hidden).toMatch(/class="access is-private".*<span>Private<\/span>/s);
    expect(list({ access: "organization", status: "readable" })).toContain("Its organization only");
    expect(list({})).not.toContain('class="access');
  });

  it("names no language that nobody has chosen, because the texts may be in another one", () => {
    expect(list({ language: "eng" })).not.toContain("English");
  });

  it("shows markup in a title as text", () => {
    expect(list({ title: "<script>alert(1)</script>" })).toContain(
      "&#60;script&#62;alert(1)&#60;/script&#62;</a>",
    );
  });

  it("shows the first page, if it has an image", () => {
    expect(list({})).toContain('<img src="/files/documents/1/pages/budget-p1-small.gif" alt=""');
    expect(list({ image: null })).not.toContain("<img");
  });

  it("links to the neighbouring pages", () => {
    const page = renderRowsPage(testSite, {
      documents: [document],
      previous: "/?cursor=a",
      next: "/?cursor=b&c",
    });
    expect(page).toContain(`href="/?cursor=a" rel="prev"`);
    expect(page).toContain(`href="/?cursor=b&#38;c" rel="next"`);
  });
});

const signedIn = { name: "Ada", isAdministrator: false, csrfToken: "x", here: "/" };

describe("the first page of the site", () => {
  it("says what the site is, whose, and how many documents it has", () => {
    const brand = { ...testSite.brand, name: "Harbour News", about: "The papers <behind> our reporting" };
    const page = home({ site: { ...testSite, brand }, count: 1234 });
    expect(page).toContain("The papers &#60;behind&#62; our reporting</h1>");
    expect(page).toContain("1,234 documents on Harbour News.");
    expect(home({ count: 10_001 })).toContain("More than 10,000 documents on");
    expect(page).toContain("<title>Documents – Harbour News</title>");
  });

  it("has the projects with the numbers of their documents, as far as they are counted", () => {
    const project = {
      title: "Harbour",
      description: "All of it",
      href: "/projects/1/",
      updated_at: "2025-01-31T14:05:00Z",
    };
    const page = home({
      projects: [
        { ...project, count: 3 },
        { ...project, title: "Quay", count: 10_001 },
      ],
    });
    expect(page.match(/(?:More than [\d,]*)?\d+ documents?(?= ·)/g)).toEqual([
      "3 documents",
      "More than 10,000 documents",
    ]);
    expect(page).toContain('<a href="/projects/1/">Quay</a>');
  });

  it("says what to do if there are no documents: upload, sign in, or import", () => {
    const nothing = { count: 0, documents: [] };
    const visited = (visitor: NonNullable<typeof testSite & { visitor: object }>["visitor"]) =>
      home({ ...nothing, site: { ...testSite, visitor } as never });
    expect(visited({ ...signedIn, mayUpload: true })).toContain("Upload your first documents");
    const stranger = visited({ ...signedIn, name: null, csrfToken: null, mayUpload: false });
    expect(stranger).not.toContain("Upload your first documents");
    expect(stranger).toContain("npm run quire -- import");
    expect(home({})).not.toContain("import");
  });
});
