import { describe, expect, it } from "vitest";
import { html } from "../text/html.ts";
import {
  type Page,
  type Visitor,
  formSecurityPolicy,
  pageButtons,
  pageSecurityPolicy,
  renderPage,
} from "./page-shell.ts";

const page: Page = {
  site: {
    home: "/home",
    api: "/api/",
    stylesheet: "/static/quire-1.css",
    icon: "/static/icon.svg",
    script: "/static/forms.js",
    progressScript: "/static/progress.js",
    signIn: "/sign-in/",
    signOut: "/sign-out/",
  },
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

  it("allows our own script and what it asks for, and no other, where there are forms", () => {
    expect(formSecurityPolicy).toBe(`${pageSecurityPolicy}; script-src 'self'; connect-src 'self'`);
  });
});

const seenBy = (visitor: Visitor): string => renderPage({ ...page, site: { ...page.site, visitor } });

describe("the corner of whoever looks at a page", () => {
  it("offers to sign in and come back here", () => {
    const markup = seenBy({ name: null, csrfToken: null, here: "/api/documents/?user=1&page=2" });
    expect(markup).toContain(
      `<a href="/sign-in/?next=%2Fapi%2Fdocuments%2F%3Fuser%3D1%26page%3D2">Sign in</a>`,
    );
    expect(markup).not.toContain("Sign out");
  });

  it("names who has signed in, and lets them sign out with their session's token", () => {
    const markup = seenBy({ name: "A <b>", csrfToken: "abc", here: "/?a=1&b=2" });
    expect(markup).toContain("A &#60;b&#62;");
    expect(markup).toMatch(/<form class="visitor" method="post" action="\/sign-out\/">/);
    expect(markup).toContain(`<input type="hidden" name="csrfmiddlewaretoken" value="abc" />`);
    expect(markup).toContain(`<input type="hidden" name="next" value="/?a=1&#38;b=2" />`);
    expect(markup).not.toContain("Sign in<");
  });

  it("has nothing to end where there is no session", () => {
    const markup = seenBy({ name: "A", csrfToken: null, here: "/" });
    expect(markup).not.toMatch(/<form|Sign out/);
  });

  it("is not there where signing in is what the page is for", () => {
    expect(renderPage(page)).not.toMatch(/class="visitor"/);
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
