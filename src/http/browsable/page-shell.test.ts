import { hash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { testSite } from "../../testing/site.ts";
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
  site: { ...testSite, home: "/home", stylesheet: "/static/quire-1.css" },
  title: "A <b>",
  section: "documents",
  robots: null,
  main: html`<h1>Hello</h1>`,
};

const banner = (site: Partial<Page["site"]>): string | undefined =>
  /class="site-banner"[^>]*><p [^>]*>(.*?)<\/p>/.exec(
    renderPage({ ...page, site: { ...page.site, ...site } }),
  )?.[1];

describe("a page", () => {
  it("uses the site's stylesheet and links to the home page and the API", () => {
    const markup = renderPage(page);
    expect(markup).toContain(`<link rel="stylesheet" href="/static/quire-1.css" />`);
    expect(markup).toContain(`<link rel="icon" href="/static/icon.svg" type="image/svg+xml" />`);
    expect(markup).toMatch(/<a class="brand" href="\/home"\s*>/);
    expect(markup).toContain(`<li><a href="/homedocuments/" aria-current="true">Documents</a></li>`);
    expect(markup).toContain(`<li><a href="/api/" >API</a></li>`);
    expect(markup).toContain("<title>A &#60;b&#62; – Quire</title>");
    expect(markup).toMatch(/<main [^>]*id="content"[^>]*><h1>Hello<\/h1><\/main>/);
  });

  it("says which version served it", () => {
    expect(renderPage(page)).toMatch(/<p>Served by Quire \d+\.\d+\.\d+: /);
  });

  it("shows what administrators tell everyone, or else that nothing can be changed", () => {
    expect(banner({})).toBeUndefined();
    expect(banner({ banner: "Down at <noon>" })).toBe("Down at &#60;noon&#62;");
    expect(banner({ isReadOnly: true })).toContain("This server is being maintained");
    expect(banner({ isReadOnly: true, language: "de" })).toContain("Dieser Server wird gewartet");
    expect(banner({ banner: "Until noon", isReadOnly: true })).toBe("Until noon");
  });

  it("has a robots tag only if one is given", () => {
    expect(renderPage(page)).not.toContain("robots");
    expect(renderPage({ ...page, robots: "noindex" })).toContain(`<meta name="robots" content="noindex" />`);
  });

  it("allows no script but that of a key, and nothing from other origins", () => {
    expect(pageSecurityPolicy).toMatch(/^default-src 'none'; /);
    expect(pageSecurityPolicy).not.toMatch(/unsafe|\*|http/);
    const scripts = Array.from(
      renderPage(page).matchAll(/<script>(.*?)<\/script>/gs),
      ([, text = ""]) => text,
    );
    const hashes = scripts.map((text) => `'sha256-${hash("sha256", text, "base64")}'`);
    expect(pageSecurityPolicy.split("script-src ").slice(1)).toEqual(hashes);
  });

  it("allows only this site's script and its requests if there are forms", () => {
    expect(formSecurityPolicy).toBe(`${pageSecurityPolicy} 'self'; connect-src 'self'`);
  });
});

const seenBy = (visitor: Visitor): string => renderPage({ ...page, site: { ...page.site, visitor } });

describe("what the site says of itself", () => {
  it("is its name, its colour, and where its imprint and its privacy notice are", () => {
    const brand = {
      ...testSite.brand,
      name: "Harbour <News>",
      colours: "/static/colours.css",
      imprint: "https://example.org/imprint",
    };
    const markup = renderPage({ ...page, site: { ...page.site, brand } });
    expect(markup).toContain("<title>A &#60;b&#62; – Harbour &#60;News&#62;</title>");
    expect(markup).toMatch(/class="brand" href="\/home"\s*>.*<span>Harbour &#60;News&#62;<\/span>/);
    expect(markup).toContain(`<link rel="stylesheet" href="/static/colours.css" />`);
    expect(markup).toContain(`<li><a href="https://example.org/imprint">Imprint</a></li>`);
    expect(markup).not.toContain("Privacy");
  });
});

describe("the sign-in links of a page", () => {
  it("offers to sign in and return here", () => {
    const markup = seenBy({
      name: null,
      mayUpload: false,
      unread: 0,
      hasWork: false,
      isAdministrator: false,
      csrfToken: null,
      here: "/api/documents/?user=1&page=2",
    });
    expect(markup).toContain(
      `<a class="button" href="/sign-in/?next=%2Fapi%2Fdocuments%2F%3Fuser%3D1%26page%3D2">Sign in</a>`,
    );
    expect(markup).not.toContain("Sign out");
  });

  it("names the signed-in user and signs out with the CSRF token", () => {
    const markup = seenBy({
      name: "A <b>",
      mayUpload: true,
      unread: 0,
      hasWork: false,
      isAdministrator: false,
      csrfToken: "abc",
      here: "/?a=1&b=2",
    });
    expect(markup).toContain("A &#60;b&#62;");
    expect(markup).toMatch(
      /data-initials="A&#60;"\s*>\s*<span class="visually-hidden">Your menu, A &#60;b&#62;</,
    );
    expect(markup).toMatch(/<form method="post" action="\/sign-out\/">/);
    expect(markup).toContain(`<input type="hidden" name="csrfmiddlewaretoken" value="abc" />`);
    expect(markup).toContain(`<input type="hidden" name="next" value="/?a=1&#38;b=2" />`);
    expect(markup).not.toContain("Sign in<");
  });

  it("has no sign-out button without a session", () => {
    const markup = seenBy({
      name: "A",
      mayUpload: true,
      unread: 0,
      hasWork: false,
      isAdministrator: false,
      csrfToken: null,
      here: "/",
    });
    expect(markup).not.toMatch(/<form|Sign out/);
  });

  it("is omitted on the sign-in page", () => {
    expect(renderPage(page)).not.toMatch(/class="visitor"/);
  });
});

const shown = (previous: string | null, next: string | null): string =>
  html`${pageButtons(previous, next)}`.toString();

describe("the links to the pages of a list", () => {
  it("are omitted for a list of one page", () => {
    expect(shown(null, null)).toBe("");
  });

  it("lead both ways in the middle and one way at the ends", () => {
    expect(shown("/a", "/b")).toMatch(/href="\/a" rel="prev".*href="\/b" rel="next"/s);
    expect(shown(null, "/b")).toMatch(/<span class="button" aria-disabled="true">.*Previous.*href="\/b"/s);
    expect(shown("/a", null)).toMatch(/href="\/a".*<span class="button" aria-disabled="true">Next/s);
  });
});
