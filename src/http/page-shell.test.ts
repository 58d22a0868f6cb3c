import { describe, expect, it } from "vitest";
import { html } from "./html.ts";
import { type Page, pageButtons, pageSecurityPolicy, renderPage } from "./page-shell.ts";

const page: Page = {
  site: { home: "/home", api: "/api/", stylesheet: "/static/quire-1.css", icon: "/static/icon.svg" },
  title: "A <b>",
  section: "documents",
  robots: null,
  main: html`<h1>Hello</h1>`,
};

describe("a page", () => {
  it("is drawn with the site's stylesheet and leads to the front page and the API", () => {
    const markup = renderPage(page);
    expect(markup).toContain(`<link rel="stylesheet" href="/static/quire-1.css" />`);
    expect(markup).toContain(`<link rel="icon" href="/static/icon.svg" type="image/svg+xml" />`);
    expect(markup).toContain(`<li><a href="/home" aria-current="true">Documents</a></li>`);
    expect(markup).toContain(`<li><a href="/api/" >API</a></li>`);
    expect(markup).toContain("<title>A &#60;b&#62; – Quire</title>");
    expect(markup).toMatch(/<main [^>]*id="content"[^>]*><h1>Hello<\/h1><\/main>/);
  });

  it("tells search engines something only if it has to", () => {
    expect(renderPage(page)).not.toContain("robots");
    expect(renderPage({ ...page, robots: "noindex" })).toContain(`<meta name="robots" content="noindex" />`);
  });

  it("allows no script, and nothing from elsewhere", () => {
    expect(pageSecurityPolicy).toMatch(/^default-src 'none'; /);
    expect(pageSecurityPolicy).not.toMatch(/unsafe|script|\*|http/);
  });
});

const shown = (previous: string | null, next: string | null): string =>
  html`${pageButtons(previous, next)}`.toString();

describe("the links to the pages of a list", () => {
  it("are not there where there is one page", () => {
    expect(shown(null, null)).toBe("");
  });

  it("lead both ways in the middle, and one way at the ends", () => {
    expect(shown("/a", "/b")).toMatch(/href="\/a" rel="prev".*href="\/b" rel="next"/s);
    expect(shown(null, "/b")).toMatch(/<span class="button" aria-disabled="true">.*Previous.*href="\/b"/s);
    expect(shown("/a", null)).toMatch(/href="\/a".*<span class="button" aria-disabled="true">Next/s);
  });
});
