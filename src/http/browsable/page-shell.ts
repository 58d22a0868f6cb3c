import packageJson from "../../../package.json" with { type: "json" };
import { chevronLeftIcon, chevronRightIcon } from "../../contract/icons.ts";
import { type Locale, utcEnglish } from "../../texts/formats.ts";
import { pageTexts } from "../../texts/pages.ts";
import { type Html, type HtmlContent, html } from "../text/html.ts";
import { icon } from "../text/icon.ts";
import { searchKeyHash, searchKeyScript } from "./search-key.ts";
import { type Section, type Site, documentsAddress } from "./site.ts";
import { siteBar } from "./site-bar.ts";

export { type PageBundle, type Site, type Visitor, documentsAddress } from "./site.ts";

export interface Page {
  site: Site;
  /** Without the name of the site, which the page adds. */
  title: string;
  /** The link in the header to which the page belongs. */
  section: Section | null;
  /** The content of the robots meta tag; null leaves it out. */
  robots: string | null;
  /** Additional elements for the page's head. */
  head?: Html | null;
  /** What the bar at the top has instead of links, which are behind a button then. */
  inBar?: Html;
  /** Whether the page itself shows the running work. */
  hasOwnTray?: boolean;
  main: Html;
}

/** The colours of a page, if they are not left to the browser. */
export type Theme = "light" | "dark";

/**
 * The Content-Security-Policy of every page: no script but that of the key "/", no inline style, nothing from other
 * origins. A page that embeds a file adds the file's origin.
 */
export const pageSecurityPolicy =
  "default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; " +
  `frame-ancestors 'none'; script-src ${searchKeyHash}`;

/** The policy of an error page in a frame of another site, where there is nothing to show. */
export const embedErrorPolicy = pageSecurityPolicy.replace("frame-ancestors 'none'", "frame-ancestors *");

/** The policy of a page whose forms need this site's script. */
export const formSecurityPolicy = `${pageSecurityPolicy} 'self'; connect-src 'self'`;

function pageHead(
  { site, title, robots, head }: Pick<Page, "site" | "title" | "robots" | "head">,
  theme: Theme | null = null,
): Html {
  return html`<head>
    <meta charset="utf-8" />
    <title>${title} – ${site.brand.name}</title>
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="${theme ?? "light dark"}" />
    ${robots !== null && html`<meta name="robots" content="${robots}" />`}
    <link rel="icon" href="${site.icon}" type="image/svg+xml" />
    ${site.fonts.map((font) => html`<link rel="preload" href="${font}" as="font" type="font/woff2" crossorigin />`)}
    <link rel="stylesheet" href="${site.stylesheet}" />
    ${site.brand.colours !== null && html`<link rel="stylesheet" href="${site.brand.colours}" />`} ${head}
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
  const { site, main } = page;
  const texts = pageTexts(site);
  return html`<!doctype html>
    <html ${languageOf(site)}>
      ${pageHead(page)}
      <body ${page.inBar !== undefined && html`class="titled"`} data-search="${documentsAddress(site)}">
        <a class="skip" href="#content">${texts.skip}</a>
        ${siteBar(page)} ${bannerOf(site)}
        <main class="frame" id="content" tabindex="-1">${main}</main>
        ${tray(page)} ${searchKeyScript}
        <footer class="site-footer">
          <div class="frame">
            <p>${texts.servedBy(packageJson.version)}</p>
            <ul>
              ${footerLink(texts.imprint, site.brand.imprint)}
              ${footerLink(texts.privacy, site.brand.privacy)}
              ${footerLink(texts.apiDocumentation, `${site.api}schema/docs/`)}
            </ul>
          </div>
        </footer>
      </body>
    </html>`.toString();
}

/** The tray of running work, on the pages of people for whom something runs. Its script fills it. */
function tray({ site, hasOwnTray }: Page): HtmlContent {
  if (site.visitor?.hasWork !== true || hasOwnTray === true) return null;
  const { title } = pageTexts(site).work;
  return html`<aside class="tray" aria-label="${title}" data-tray="${site.work}">
      <a href="${site.work}">${title}</a>
    </aside>
    <script type="module" src="${site.trayScript}"></script>`;
}

/** The policy of a page, with what the tray needs. */
export const withTray = (policy: string): string =>
  policy.includes("connect-src")
    ? policy
    : `${policy.replace(searchKeyHash, `${searchKeyHash} 'self'`)}; connect-src 'self'`;

function footerLink(name: string, href: string | null): HtmlContent {
  return href !== null && html`<li><a href="${href}">${name}</a></li>`;
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
    ${pageButton(html`${icon(chevronLeftIcon, { turns: true })}${texts.previous}`, previous, "prev", target)}
    ${pageButton(html`${texts.next}${icon(chevronRightIcon, { turns: true })}`, next, "next", target)}
  </nav>`;
}

function pageButton(name: Html, href: string | null, rel: string, target?: string): Html {
  if (href === null) return html`<span class="button" aria-disabled="true">${name}</span>`;
  const where = target !== undefined && html` target="${target}"`;
  return html`<a class="button" href="${href}" rel="${rel}" ${where}>${name}</a>`;
}
