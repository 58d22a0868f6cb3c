import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { searchKeyHash } from "../http/browsable/search-key.ts";
import { type DescribingTexts, describingNames } from "../contract/describing-fields.ts";
import { testSite } from "../testing/site.ts";
import type { ShownDocument } from "./document-facts.ts";
import {
  type DocumentPageView,
  documentSecurityPolicy,
  renderDocumentPage,
  robotsFor,
} from "./document-page.ts";

const textsAs = (text: string): DescribingTexts =>
  Object.fromEntries(describingNames.map((name) => [name, text])) as DescribingTexts;

const document: ShownDocument = {
  id: 20059,
  title: "Budget",
  texts: textsAs(""),
  organization: "",
  contributor: "",
  projects: [],
  original: null,
  copies: [],
  withheld: [],
  language: "",
  pageCount: 3,
  pageSpec: "",
  originalExtension: "pdf",
  fileHash: "",
  access: "public",
  status: "success",
  createdAt: "2025-01-31T14:05:00.000000Z",
  updatedAt: "2025-02-01T00:00:00.000000Z",
  data: {},
  noindex: false,
  adminNoindex: false,
};

const view: DocumentPageView = {
  site: testSite,
  document,
  description: null,
  files: [
    { href: "https://files.a.org/documents/1/budget.pdf", extension: "pdf", bytes: 1_234_567 },
    { href: "https://files.a.org/documents/1/budget.txt", extension: "txt", bytes: null },
  ],
  isOnlyRead: false,
  assets: "https://files.a.org/",
  fragment: null,
  imageType: "gif",
  canonical: "https://a.org/documents/20059-budget/",
  links: null,
  record: "/api/documents/20059/?format=json",
  browsable: "/api/documents/20059/?format=api",
  citations: [],
  csrfToken: null,
  account: null,
  family: {
    folder: null,
    contents: "https://documents.example.org/tree/?container=12",
    containers: [],
    children: [],
    areAttached: false,
    all: null,
    imported: null,
    thread: [],
    equal: { count: 1, locations: 1, others: [] },
    similar: [],
  },
  plain: { query: "", pages: [] },
};

const withDocument = (changes: Partial<ShownDocument>): string =>
  renderDocumentPage({ ...view, document: { ...document, ...changes } });

const read = (markup: string): string =>
  markup
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim();

/** The visible name and value of every fact. */
function factsIn(page: string): Record<string, string> {
  const facts = page.matchAll(/<dt>(.*?)<\/dt>\s*<dd>(.*?)<\/dd>/gs);
  return Object.fromEntries(Array.from(facts, ([, name = "", value = ""]) => [read(name), read(value)]));
}

/** The tags of a page that has this text in every position, without attribute values. */
function tagsWith(text: string): string[] {
  const texts = { title: text, texts: textsAs(text), organization: text, language: text };
  const codes = { originalExtension: text, fileHash: text, access: text, status: text, pageSpec: text };
  const page = withDocument({ ...texts, ...codes, data: { [text]: [text, text] } });
  return (page.match(/<[^>]*>/g) ?? []).map((tag) => tag.replaceAll(/"[^"]*"/g, '""'));
}

describe("the history of the file", () => {
  const at = "2025-01-31T12:00:00.000000Z";
  const receipt = { at, outcome: "done", milliseconds: 5 };
  const account = {
    progress: null,
    numbers: [{ begin: "ABC001", end: "ABC003" }],
    receipts: [
      { ...receipt, step: "received", details: { bytes: 1_234_567 } },
      {
        ...receipt,
        step: "recognised",
        milliseconds: 2_500,
        details: { pages: 1, language: "eng", confidence: 94 },
      },
      { ...receipt, step: "read", outcome: "failed", details: { message: "broken: <b>" } },
    ],
  };

  it("is shown step by step to viewers who may change the document, and to nobody else", () => {
    const text = read(renderDocumentPage({ ...view, account }));
    expect(text).toContain("31 January 2025, 12:00 UTC Received, 1,234,567 bytes");
    expect(text).toContain("Text recognised on 1 page (eng, 94 % sure) 2.5 s");
    expect(text).toContain("broken: &#60;b&#62;");
    expect(read(renderDocumentPage(view))).not.toContain("History of the file");
  });

  it("is updated during processing without reloading the page", () => {
    const progress = { step: "reading", done: 3, total: 10 };
    const page = renderDocumentPage({ ...view, account: { progress, receipts: [], numbers: [] } });
    expect(page).not.toContain("http-equiv");
    expect(page).toContain("data-events");
    expect(page).toContain('value="3" max="10"');
    expect(read(page)).toContain("Being read , 3 of 10 pages done");
    expect(renderDocumentPage({ ...view, account })).not.toContain("data-events");
  });
});

describe("the page of a document", () => {
  it("shows every fact", () => {
    const page = withDocument({
      texts: {
        ...textsAs(""),
        source: "County clerk",
        related_article: "https://news.org/?a&b",
        published_url: "https://news.org/doc",
      },
      organization: "The Daily Planet",
      language: "eng",
      pageSpec: "612.0x792.0:0-1;612x1008:2",
      fileHash: "da39a3ee5e6b4b0d3255bfef95601890afd80709",
      status: "readable",
      data: { cid: ["12"], email: ["one", "two"], none: [] },
    });
    expect(factsIn(page)).toEqual({
      Pages: "3 pages",
      "Page size": "Letter, 216 × 279 mm: 2 pages Legal, 216 × 356 mm: 1 page",
      Language: "English",
      Source: "County clerk",
      Organization: "The Daily Planet",
      "Related article": "https://news.org/?a&#38;b",
      "Published at": "https://news.org/doc",
      Added: "31 January 2025, 14:05 UTC",
      Updated: "1 February 2025, 00:00 UTC",
      "Original file": "PDF",
      Access: "Public",
      Status: "Readable, still being processed",
      Number: "20059",
      "SHA-1": "da39a3ee5e6b4b0d3255bfef95601890afd80709",
      cid: "12",
      email: "one two",
    });
    expect(page).toContain(`<a href="https://news.org/?a&#38;b" rel="nofollow noreferrer">`);
  });

  it("omits unknown facts", () => {
    expect(Object.keys(factsIn(renderDocumentPage(view)))).toEqual([
      "Pages",
      "Added",
      "Updated",
      "Original file",
      "Access",
      "Status",
      "Number",
    ]);
  });

  it("links to the record, and to each file to download", () => {
    const page = renderDocumentPage({
      ...view,
      files: [...view.files, { href: "https://files.a.org/1/sums.xlsx", extension: "xlsx", bytes: 2_000 }],
    });
    expect(page).toContain(`href="/api/documents/20059/?format=json"`);
    expect(page).toContain(`href="/api/documents/20059/?format=api"`);
    expect(page).toContain(`<link rel="canonical" href="https://a.org/documents/20059-budget/" />`);
    const downloads = Array.from(
      page.matchAll(/href="(\S*)" download\s*>(.*?)<\/a/gs),
      ([, href, name = ""]) => [href, name.trim()],
    );
    expect(downloads).toEqual([
      ["https://files.a.org/documents/1/budget.pdf", "Download PDF (1.2 MB)"],
      ["https://files.a.org/documents/1/budget.txt", "Download text"],
      ["https://files.a.org/1/sums.xlsx", "Download XLSX (2 kB)"],
    ]);
  });

  it("has what the viewer needs: its script, the id, the API and the type of page images", () => {
    const page = renderDocumentPage(view);
    expect(page).toContain('<script type="module" src="/static/viewer.js">');
    expect(page).toContain('<link rel="stylesheet" href="/static/viewer.css" />');
    expect(page).toMatch(
      /data-document="20059"\s+data-api="\/api\/"\s+data-files="https:\/\/files\.a\.org\/"\s+data-language=""\s+data-images="gif"/,
    );
    expect(renderDocumentPage({ ...view, imageType: null })).not.toContain("data-images");
  });

  it("explains a missing file and one that browsers do not show", () => {
    const file = { href: "https://files.a.org/1/sums.xlsx", extension: "xlsx", bytes: null };
    const sums = renderDocumentPage({ ...view, files: [file] });
    expect(sums).toContain("This file has no pages here.");
    expect(sums).toContain(`<a href="https://files.a.org/1/sums.xlsx">`);
    const none = renderDocumentPage({ ...view, files: [] });
    expect(none).not.toContain("download>");
    expect(none).toContain("There is no file for this document here.");
    const pending = { ...view, document: { ...view.document, status: "pending" }, files: [] };
    expect(renderDocumentPage(pending)).toContain("Its pages will appear here.");
    expect(renderDocumentPage(view)).not.toMatch(/There is no file|cannot be read/);
  });

  it("names the contributor and links to the projects", () => {
    const projects = [{ title: "Ships & quays", href: "https://a.org/projects/3-ships/" }];
    const page = withDocument({ contributor: "Mara Voss", projects });
    expect(factsIn(page)).toMatchObject({ "Contributed by": "Mara Voss", Project: "Ships &#38; quays" });
    expect(page).toContain('<a href="https://a.org/projects/3-ships/">');
  });

  it("links web addresses only, wherever the text comes from", () => {
    const script = "javascript:alert(1)";
    const page = renderDocumentPage({
      ...view,
      files: [{ href: script, extension: "pdf", bytes: null }],
      document: {
        ...document,
        texts: { ...document.texts, related_article: script, published_url: ` ${script}` },
        data: { a: [script] },
      },
    });
    expect(page).not.toMatch(/(href|data)="\s*javascript/);
    expect(factsIn(page)["Published at"]).toBe(script);
  });

  it("has the same tags whatever text it contains", () => {
    const hostile = fc.string({
      unit: fc.constantFrom("<", ">", '"', "'", "&", "/", "script", "__proto__", " ", "x"),
    });
    fc.assert(
      fc.property(hostile, (text) => {
        expect(tagsWith(`x${text}`)).toEqual(tagsWith("x"));
      }),
    );
  });
});

describe("the robots directive of a document", () => {
  it.each([
    [false, false, null],
    [true, false, "noindex"],
    [false, true, "noindex"],
  ])("with noindex %s and admin_noindex %s is %s", (noindex, adminNoindex, robots) => {
    expect(robotsFor({ noindex, adminNoindex })).toBe(robots);
    const meta = `<meta name="robots" content="noindex" />`;
    expect(withDocument({ noindex, adminNoindex }).includes(meta)).toBe(robots !== null);
  });
});

const links = (page: string): number[] =>
  Array.from(page.matchAll(/\?page=(\d+)"/g), ([, number]) => Number(number));

const pagesFrom = (first: number, last: number): number[] =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);

describe("the pages for browsers without scripts", () => {
  const plainPage = { page: 3, image: "https://files.a.org/p3.gif", width: 100, height: 200, text: "a <b>" };
  const shown = (pageCount: number, first: number): string =>
    renderDocumentPage({
      ...view,
      document: { ...document, pageCount },
      plain: { query: "ship", pages: [{ ...plainPage, page: first }] },
    });

  it("are images with their text, and a search box", () => {
    const page = shown(30, 3);
    expect(page).toMatch(/<img\s+src="https:\/\/files.a.org\/p3.gif"\s+width="1000"\s+height="2000"/);
    expect(page).toContain("a &#60;b&#62;");
    expect(page).toContain('action="https://a.org/documents/20059-budget/search/"');
    expect(page).toContain('aria-label="Search in this document"');
  });

  it("link to the pages around, the first and the last, and a form leads to any page", () => {
    expect(links(shown(30_000, 250))).toEqual([1, ...pagesFrom(240, 260), 30_000]);
    expect(links(shown(7, 3))).toEqual(pagesFrom(1, 7));
    expect(links(shown(30, 30))).toEqual([1, ...pagesFrom(20, 30)]);
    expect(shown(30_000, 250)).toMatch(
      /<form[^>]+method="get" action="https:\/\/a.org\/documents\/20059-budget\/"[^]+name="page" min="1" max="30000"/,
    );
  });

  it("take no more room for more pages", () => {
    expect(shown(1_000_000_000, 5).length).toBeLessThan(shown(100, 5).length + 100);
  });
});

describe("the security policy of a document's page", () => {
  it("allows this site's script, and images and texts from the store of the files", () => {
    const policy = documentSecurityPolicy(["https://files.a.org/x/"]);
    expect(policy).toBe(
      "default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self' https://files.a.org; form-action 'self'; " +
        `base-uri 'none'; frame-ancestors 'none'; script-src ${searchKeyHash} 'self'; ` +
        "connect-src 'self' https://files.a.org; frame-src 'self'",
    );
    expect(policy).not.toContain("unsafe");
  });

  it.each(["data:application/pdf,x", "javascript:alert(1)", "/files/"])(
    "allows no other store: %s",
    (assets) => {
      expect(documentSecurityPolicy([assets])).not.toMatch(/data:|javascript:|files/);
    },
  );
});
