import packageJson from "../../../package.json" with { type: "json" };
import { type Locale, utcEnglish } from "../../texts/formats.ts";
import type { Language } from "../../texts/languages.ts";
import { pageTexts } from "../../texts/pages.ts";
import { type Html, type HtmlContent, html } from "../text/html.ts";

/**
 * The addresses to which every page links: the home page, the root of the API, sign-in, and the static files. The
 * language and the time zone are those of the person who views the page.
 */
export interface Site extends Locale {
  home: string;
  api: string;
  signIn: string;
  signOut: string;
  /** Where users manage their own account. */
  account: string;
  /** Where people find what others have shared with them. */
  shared: string;
  /** Where a password link leads. */
  setPassword: string;
  /** Where people ask for a new password by mail. */
  forgotPassword: string;
  stylesheet: string;
  icon: string;
  /** The script that sends the forms of the browsable page. */
  script: string;
  /** The script that makes and uses passkeys. */
  passkeyScript: string;
  /** What shows a document's pages, by language. */
  viewer: Readonly<Record<Language, PageBundle>>;
  /** Where people upload files. */
  upload: string;
  /** Where people find, sort and change their documents. */
  manage: string;
  /** The pages for administrators. */
  admin: string;
  /** What administrators tell everyone on every page; null if it is nothing. */
  banner: string | null;
  /** Whether the server changes nothing for now. */
  isReadOnly: boolean;
  /** The pages on which people upload and edit documents, by language. */
  desk: Readonly<Record<Language, PageBundle>>;
  /**
   * The person who views the page. Absent if the page offers neither signing in nor signing out, as the sign-in page
   * does.
   */
  visitor?: Visitor;
}

/** The addresses of what a page runs in the browser, in one language. */
export interface PageBundle {
  readonly script: string;
  readonly stylesheet: string;
  /** The parts of the script that it imports at once. */
  readonly chunks: readonly string[];
}

export interface Visitor {
  /** Null for an anonymous visitor. */
  name: string | null;
  /** Whether they can upload files. */
  mayUpload: boolean;
  /** Whether they see the pages for administrators. */
  isAdministrator: boolean;
  /** The CSRF token for signing out; null if there is no session to end. */
  csrfToken: string | null;
  /** The path and query to return to after signing in or out. */
  here: string;
}

export interface Page {
  site: Site;
  /** Without the name of the site, which the page adds. */
  title: string;
  /** The link in the header to which the page belongs. */
  section: "documents" | "projects" | "notes" | "upload" | "manage" | "admin" | "api" | null;
  /** The content of the robots meta tag; null leaves it out. */
  robots: string | null;
  /** Additional elements for the page's head. */
  head?: Html | null;
  main: Html;
}

/** The colours of a page, if they are not left to the browser. */
export type Theme = "light" | "dark";

/**
 * The Content-Security-Policy of every page: no script, no inline style, nothing from other origins. A page that
 * embeds a file adds the file's origin.
 */
export const pageSecurityPolicy =
  "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/** The policy of an error page in a frame of another site, where there is nothing to show. */
export const embedErrorPolicy = pageSecurityPolicy.replace("frame-ancestors 'none'", "frame-ancestors *");

/** The policy of a page whose forms need this site's script. */
export const formSecurityPolicy = `${pageSecurityPolicy}; script-src 'self'; connect-src 'self'`;

function pageHead(
  { site, title, robots, head }: Pick<Page, "site" | "title" | "robots" | "head">,
  theme: Theme | null = null,
): Html {
  return html`<head>
    <meta charset="utf-8" />
    <title>${title} – Quire</title>
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="${theme ?? "light dark"}" />
    ${robots !== null && html`<meta name="robots" content="${robots}" />`}
    <link rel="icon" href="${site.icon}" type="image/svg+xml" />
    <link rel="stylesheet" href="${site.stylesheet}" />
    ${head}
  </head>`;
}

/** A complete HTML document without the site's header and footer. */
export function renderBarePage(
  page: Pick<Page, "site" | "title" | "robots" | "head" | "main"> & { theme: Theme | null },
): string {
  return html`<!doctype html>
    <html ${languageOf(page.site)} ${page.theme !== null && html`data-theme="${page.theme}"`}>
      ${pageHead(page, page.theme)}
      <body class="bare">
        <main>${page.main}</main>
      </body>
    </html>`.toString();
}

/** A complete HTML document. */
export function renderPage(page: Page): string {
  const { site, section, main } = page;
  const texts = pageTexts(site);
  return html`<!doctype html>
    <html ${languageOf(site)}>
      ${pageHead(page)}
      <body>
        <a class="skip" href="#content">${texts.skip}</a>
        <header class="site-header">
          <div class="frame">
            <a class="brand" href="${site.home}"
              ><img src="${site.icon}" alt="" width="28" height="28" />Quire</a
            >
            <nav aria-label="${texts.site}">
              <ul>
                ${siteLink(texts.documents, site.home, section === "documents")}
                ${siteLink(texts.projects, `${site.home}projects/`, section === "projects")}
                ${
                  typeof site.visitor?.name === "string" &&
                  siteLink(texts.notes, `${site.home}notes/`, section === "notes")
                }
                ${site.visitor?.mayUpload === true && siteLink(texts.upload, site.upload, section === "upload")}
                ${site.visitor?.mayUpload === true && siteLink(texts.manage, site.manage, section === "manage")}
                ${site.visitor?.isAdministrator === true && siteLink(texts.admin, site.admin, section === "admin")}
                ${siteLink("API", site.api, section === "api")}
              </ul>
            </nav>
            ${site.visitor !== undefined && visitorCorner(site, site.visitor)}
          </div>
        </header>
        ${bannerOf(site)}
        <main class="frame" id="content" tabindex="-1">${main}</main>
        <footer class="site-footer">
          <div class="frame">
            <p>${texts.servedBy(packageJson.version)}</p>
            <p><a href="${site.api}schema/docs/">${texts.apiDocumentation}</a></p>
          </div>
        </footer>
      </body>
    </html>`.toString();
}

/** What everyone must know now. The words of administrators are shown as they are. */
function bannerOf({ banner, isReadOnly, language }: Site): HtmlContent {
  const text = banner ?? (isReadOnly ? pageTexts({ language }).readOnly : null);
  return (
    text !== null && html`<div class="site-banner" role="note"><p class="frame" dir="auto">${text}</p></div>`
  );
}

/**
 * The language of the page, and the time zone in which its scripts show moments, if the person who views it has chosen
 * one.
 */
function languageOf({ language, timeZone }: Site): Html {
  return timeZone === "" ? html`lang="${language}"` : html`lang="${language}" data-time-zone="${timeZone}"`;
}

function siteLink(name: string, href: string, isCurrent: boolean): Html {
  return html`<li><a href="${href}" ${isCurrent && html`aria-current="true"`}>${name}</a></li>`;
}

function visitorCorner(site: Site, { name, csrfToken, here }: Visitor): Html {
  const { signIn, signOut, account, shared } = site;
  const texts = pageTexts(site);
  if (name === null) {
    return html`<p class="visitor">
      <a href="${signIn}?next=${encodeURIComponent(here)}">${texts.signIn}</a>
    </p>`;
  }
  const visitorName = html`<span dir="auto"
    ><span class="visually-hidden">${texts.signedInAs} </span>${name}</span
  >`;
  if (csrfToken === null)
    return html`<p class="visitor"><span class="visitor-name">${visitorName}</span></p>`;
  return html`<form class="visitor" method="post" action="${signOut}">
    <a href="${shared}">${texts.sharedWithYou}</a>
    <a class="visitor-name" href="${account}">${visitorName}</a>
    <input type="hidden" name="csrfmiddlewaretoken" value="${csrfToken}" />
    <input type="hidden" name="next" value="${here}" />
    <button class="button small" type="submit">${texts.signOut}</button>
  </form>`;
}

/**
 * Links to the previous and the next page of a list; nothing for a list of one page. The label distinguishes several
 * such groups on a page.
 */
export function pageButtons(
  previous: string | null,
  next: string | null,
  { label, locale = utcEnglish, target }: { label?: string; locale?: Locale; target?: "_self" } = {},
): HtmlContent {
  if (previous === null && next === null) return null;
  const texts = pageTexts(locale);
  return html`<nav class="pages" aria-label="${label ?? texts.pages}">
    ${pageButton(html`<span aria-hidden="true">←</span> ${texts.previous}`, previous, "prev", target)}
    ${pageButton(html`${texts.next} <span aria-hidden="true">→</span>`, next, "next", target)}
  </nav>`;
}

function pageButton(name: Html, href: string | null, rel: string, target?: string): Html {
  if (href === null) return html`<span class="button" aria-disabled="true">${name}</span>`;
  const where = target !== undefined && html` target="${target}"`;
  return html`<a class="button" href="${href}" rel="${rel}" ${where}>${name}</a>`;
}
