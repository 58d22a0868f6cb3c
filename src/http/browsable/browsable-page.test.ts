import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { testSite } from "../../testing/site.ts";
import { inEachLanguage } from "../../texts/languages.ts";
import type { FormGroup } from "./forms.ts";
import { type BrowsableView, renderBrowsablePage } from "./browsable-page.ts";

const view: BrowsableView = {
  site: testSite,
  name: "Document List",
  description: "First\nparagraph.\n\nSecond paragraph.",
  breadcrumbs: [{ label: "Api Root", href: "/api/" }],
  method: "GET",
  target: "/api/documents/?per_page=1&user=7",
  status: 200,
  reason: "OK",
  headers: [
    ["Allow", "GET, HEAD, OPTIONS"],
    ["Content-Type", "application/json"],
  ],
  body: `{"next":"https://a.org/api/?cursor=1&per_page=1","results":[{"id":1.0,"title":"<script>"}]}`,
  formats: [
    { name: "json", href: "?format=json" },
    { name: "api", href: "?format=api" },
  ],
  options: `{"name":"Document List"}`,
  previous: null,
  next: "https://a.org/api/?cursor=1&format=api",
  controls: {
    filters: [{ name: "user", label: "User", help: "Ids", value: "7" }],
    orderings: [{ value: "-id", label: "id, descending" }],
    ordering: "",
    kept: [["per_page", "1"]],
  },
  forms: null,
  deletes: null,
  made: null,
};

/** The visible text of the matching elements. */
function textsOf(page: string, element: RegExp): string[] {
  return Array.from(page.matchAll(element), ([, content = ""]) =>
    content
      .replaceAll(/<[^>]*>/g, "")
      .replaceAll(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
      .replaceAll("&amp;", "&"),
  );
}

const tagsOf = (page: string): string[] => page.match(/<[^>]*>/g) ?? [];

/** The page's tags and attributes, without the attributes' values. */
const skeletonOf = (page: string): string[] => tagsOf(page).map((tag) => tag.replaceAll(/"[^"]*"/g, '""'));

describe("the browsable page", () => {
  const page = renderBrowsablePage(view);

  it("has the view's name and is hidden from search engines", () => {
    expect(page).toMatch(/^<!doctype html>/);
    expect(page).toContain(`<html lang="en">`);
    expect(page).toContain("<title>Document List – Quire</title>");
    expect(page).toContain(`<meta name="robots" content="noindex,noarchive" />`);
    expect(textsOf(page, /<h1>(.*?)<\/h1>/gs)).toEqual(["Document List"]);
    expect(textsOf(page, /<p class="description">(.*?)<\/p>/gs)).toEqual([
      "First\nparagraph.",
      "Second paragraph.",
    ]);
  });

  it("shows the beginning of a long response, and says so", () => {
    const body = JSON.stringify(Array.from({ length: 50_000 }, (_, id) => ({ id })));
    const long = renderBrowsablePage({ ...view, body });
    expect(long).toContain(`to have all ${body.length} characters`);
    expect(long).toContain('<span class="number">0</span>');
    expect(long).not.toContain('<span class="number">49999</span>');
    expect(page).not.toContain("beginning of a long response");
  });

  it("shows the request line", () => {
    expect(textsOf(page, /<pre class="request">(.*?)<\/pre>/gs)).toEqual([
      "GET /api/documents/?per_page=1&user=7",
    ]);
  });

  it("shows status, headers and the indented body of the JSON response", () => {
    expect(textsOf(page, /<pre class="response json">(.*?)<\/pre>/gs)).toEqual([
      [
        "HTTP 200 OK",
        "Allow: GET, HEAD, OPTIONS",
        "Content-Type: application/json",
        "",
        "{",
        `    "next": "https://a.org/api/?cursor=1&per_page=1",`,
        `    "results": [`,
        "        {",
        `            "id": 1.0,`,
        `            "title": "<script>"`,
        "        }",
        "    ]",
        "}",
      ].join("\n"),
    ]);
    expect(page).toContain(`<a href="https://a.org/api/?cursor=1&#38;per_page=1" rel="nofollow noreferrer">`);
  });

  it("ends with the headers if there is no body", () => {
    const [answer] = textsOf(
      renderBrowsablePage({ ...view, body: "" }),
      /<pre class="response json">(.*?)<\/pre>/gs,
    );
    expect(answer).toBe("HTTP 200 OK\nAllow: GET, HEAD, OPTIONS\nContent-Type: application/json\n");
  });

  it("links to its parents, its neighbouring pages and its other formats", () => {
    expect(page).toMatch(
      /<li><a href="\/api\/">Api Root<\/a><\/li>\s*<li aria-current="page">Document List<\/li>/,
    );
    expect(page.match(/href="https:\/\/a.org\/api\/\?cursor=1&#38;format=api" rel="next"/g)).toHaveLength(2);
    expect(page).not.toContain(`rel="prev"`);
    expect(page).toContain(`href="?format=json"`);
    expect(page).toContain(`<a class="button primary" href="">GET</a>`);
  });

  it("includes the response to OPTIONS", () => {
    expect(textsOf(page, /<pre class="json">(.*?)<\/pre>/gs)).toEqual([`{\n    "name": "Document List"\n}`]);
  });

  it("omits parts that the view does not have", () => {
    const bare = renderBrowsablePage({ ...view, options: null, controls: null, next: null });
    expect(bare).not.toMatch(/<details|<form|class="pages"/);
  });

  it("opens the filter form if a filter was invalid", () => {
    const isOpen = /<details class="panel" open>\s*<summary>\s*Filter/;
    expect(page).not.toMatch(isOpen);
    expect(renderBrowsablePage({ ...view, status: 400, reason: "Bad Request" })).toMatch(isOpen);
  });

  it("needs no script but that of a key, and no inline style", () => {
    const tags = tagsOf(page);
    expect(tags.filter((tag) => tag.startsWith("<script"))).toEqual(["<script>"]);
    for (const tag of tags) expect(tag).not.toMatch(/^<style|\s(style|on\w+)=/i);
  });

  it("has the same tags whatever text it contains", () => {
    const hostile = fc.string({
      unit: fc.constantFrom("<", ">", '"', "'", "&", "/", "script", "--", "=", " ", "x", "\u202e"),
    });
    fc.assert(
      fc.property(hostile, (text) => {
        const filled = renderBrowsablePage(viewOf(`x${text}x`));
        expect(skeletonOf(filled)).toEqual(skeletonOf(renderBrowsablePage(viewOf("x"))));
      }),
    );
  });
});

/** A view with this text in every position that takes text. */
function viewOf(text: string): BrowsableView {
  const bundle = { script: text, stylesheet: text, chunks: [text] };
  return {
    site: {
      language: "en",
      timeZone: "",
      brand: { name: text, about: text, logo: text, colours: text, imprint: text, privacy: text },
      fonts: [text],
      banner: text,
      isReadOnly: false,
      shared: text,
      home: text,
      api: text,
      stylesheet: text,
      icon: text,
      script: text,
      passkeyScript: text,
      trayScript: text,
      work: text,
      viewer: inEachLanguage(() => bundle),
      upload: text,
      addons: text,
      mailIn: text,
      admin: text,
      forgotPassword: text,
      manage: text,
      desk: inEachLanguage(() => bundle),
      signIn: text,
      signOut: text,
      account: text,
      setPassword: text,
      visitor: {
        name: text,
        mayUpload: true,
        unread: 0,
        hasWork: false,
        isAdministrator: false,
        csrfToken: text,
        here: text,
      },
    },
    name: text,
    description: text,
    breadcrumbs: [{ label: text, href: text }],
    method: text,
    target: text,
    status: 200,
    reason: text,
    headers: [[text, text]],
    body: JSON.stringify({ [text]: [text] }),
    formats: [{ name: text, href: text }],
    options: JSON.stringify([text]),
    previous: text,
    next: text,
    controls: {
      filters: [
        { name: text, label: text, help: text, value: text },
        { name: text, label: text, help: text, value: text, choices: [text] },
      ],
      orderings: [{ value: text, label: text }],
      ordering: text,
      kept: [[text, text]],
    },
    forms: { csrfToken: text, groups: [formGroupOf(text)] },
    deletes: { name: text, csrfToken: text },
    made: text,
  };
}

function formGroupOf(text: string): FormGroup {
  const types = [
    "string",
    "text",
    "url",
    "boolean",
    "integer",
    "choice",
    "datetime",
    "list",
    "json",
  ] as const;
  return {
    id: text,
    heading: text,
    methods: ["PUT"],
    fields: types.map((type) => ({
      name: text,
      field: { type, read: String, label: text, help: text, choices: ["a"] },
      value: text,
      sent: text,
      messages: [text],
    })),
    enctype: null,
    takesList: true,
    leadsTo: text,
    raw: text,
    mediaTypes: [text],
    etag: text,
    faults: [text],
  };
}
