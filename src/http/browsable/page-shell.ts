import { type Html, type HtmlContent, html } from "../text/html.ts";

/** Where things are that every page links to: the site's front page, the API's root, and what the pages are drawn with. */
export interface Site {
  home: string;
  api: string;
  signIn: string;
  signOut: string;
  stylesheet: string;
  icon: string;
  /** What sends the forms of the browsable page. */
  script: string;
  /** What keeps the page of a document up to date while it is being read. */
  progressScript: string;
  /** Who looks at it. Absent where neither signing in nor out is offered, as on the page for signing in. */
  visitor?: Visitor;
}

export interface Visitor {
  /** Null for one who has not signed in. */
  name: string | null;
  /** What signing out has to carry; null where there is no session to end. */
  csrfToken: string | null;
  /** Where to come back to: path and query. */
  here: string;
}

export interface Page {
  site: Site;
  /** Without the name of the site, which is added. */
  title: string;
  /** Which of the links at the top the page belongs under. */
  section: "documents" | "projects" | "api" | null;
  /** What search engines are told; null: nothing. */
  robots: string | null;
  /** More for the page's head. */
  head?: Html | null;
  main: Html;
}

/**
 * The Content-Security-Policy of every page: no script, no inline style, nothing from elsewhere. A page that shows a
 * file adds where from.
 */
export const pageSecurityPolicy =
  "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/** Of a page that stands in frames of other sites, and shows images from there. */
export function embedSecurityPolicy(imageOrigin: string): string {
  return `default-src 'none'; style-src 'self'; img-src 'self' ${imageOrigin}; base-uri 'none'; form-action 'none'; frame-ancestors *`;
}

/** Of a page whose forms need our own script. */
export const formSecurityPolicy = `${pageSecurityPolicy}; script-src 'self'; connect-src 'self'`;

function pageHead({ site, title, robots, head }: Pick<Page, "site" | "title" | "robots" | "head">): Html {
  return html`<head>
    <meta charset="utf-8" />
    <title>${title} – Quire</title>
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    ${robots !== null && html`<meta name="robots" content="${robots}" />`}
    <link rel="icon" href="${site.icon}" type="image/svg+xml" />
    <link rel="stylesheet" href="${site.stylesheet}" />
    ${head}
  </head>`;
}

/** A whole HTML document with nothing of the site around it. */
export function renderBarePage(page: Pick<Page, "site" | "title" | "robots" | "head" | "main">): string {
  return html`<!doctype html>
    <html lang="en">
      ${pageHead(page)}
      <body class="bare">
        <main>${page.main}</main>
      </body>
    </html>`.toString();
}

/** A whole HTML document. */
export function renderPage(page: Page): string {
  const { site, section, main } = page;
  return html`<!doctype html>
    <html lang="en">
      ${pageHead(page)}
      <body>
        <a class="skip" href="#content">Skip to the content</a>
        <header class="site-header">
          <div class="frame">
            <a class="brand" href="${site.home}"
              ><img src="${site.icon}" alt="" width="28" height="28" />Quire</a
            >
            <nav aria-label="Site">
              <ul>
                ${siteLink("Documents", site.home, section === "documents")}
                ${siteLink("Projects", `${site.home}projects/`, section === "projects")}
                ${siteLink("API", site.api, section === "api")}
              </ul>
            </nav>
            ${site.visitor !== undefined && visitorCorner(site, site.visitor)}
          </div>
        </header>
        <main class="frame" id="content" tabindex="-1">${main}</main>
        <footer class="site-footer">
          <div class="frame"><p>Served by Quire: documents for people and for programs.</p></div>
        </footer>
      </body>
    </html>`.toString();
}

function siteLink(name: string, href: string, isCurrent: boolean): Html {
  return html`<li><a href="${href}" ${isCurrent && html`aria-current="true"`}>${name}</a></li>`;
}

function visitorCorner({ signIn, signOut }: Site, { name, csrfToken, here }: Visitor): Html {
  if (name === null) {
    return html`<p class="visitor"><a href="${signIn}?next=${encodeURIComponent(here)}">Sign in</a></p>`;
  }
  const shown = html`<span class="visitor-name" dir="auto"
    ><span class="visually-hidden">Signed in as </span>${name}</span
  >`;
  if (csrfToken === null) return html`<p class="visitor">${shown}</p>`;
  return html`<form class="visitor" method="post" action="${signOut}">
    ${shown}
    <input type="hidden" name="csrfmiddlewaretoken" value="${csrfToken}" />
    <input type="hidden" name="next" value="${here}" />
    <button class="button small" type="submit">Sign out</button>
  </form>`;
}

/** The pages before and after this one of a list; nothing where the list has one page. The label tells it from others. */
export function pageButtons(previous: string | null, next: string | null, label = "Pages"): HtmlContent {
  if (previous === null && next === null) return null;
  return html`<nav class="pages" aria-label="${label}">
    ${pageButton(html`<span aria-hidden="true">←</span> Previous`, previous, "prev")}
    ${pageButton(html`Next <span aria-hidden="true">→</span>`, next, "next")}
  </nav>`;
}

function pageButton(name: Html, href: string | null, rel: string): Html {
  if (href === null) return html`<span class="button" aria-disabled="true">${name}</span>`;
  return html`<a class="button" href="${href}" rel="${rel}">${name}</a>`;
}
