import { bellIcon, logOutIcon, menuIcon, uploadIcon } from "../../contract/icons.ts";
import { type Catalogue, pageTexts } from "../../texts/pages.ts";
import { type Html, type HtmlContent, html } from "../text/html.ts";
import { icon } from "../text/icon.ts";
import { type Section, type Site, type Visitor, documentsAddress } from "./site.ts";
import { toolsOf } from "./tools.ts";

/** The bar at the top of every page: the site's name, where one can go, and the visitor's own menu. */
export function siteBar({
  site,
  section,
  inBar,
}: {
  site: Site;
  section: Section | null;
  /** What stands there instead of the links, which are behind a button then. */
  inBar?: Html;
}): Html {
  const texts = pageTexts(site);
  return html`<header class="site-header">
    <div class="site-bar">
      <a class="brand" href="${site.home}"
        ><img src="${site.brand.logo ?? site.icon}" alt="" height="28" /><span>${site.brand.name}</span></a
      >
      <button
        class="button bare square site-menu-button"
        type="button"
        popovertarget="site-menu"
        aria-label="${texts.menu}"
      >
        ${icon(menuIcon)}
      </button>
      <nav class="site-nav" id="site-menu" popover aria-label="${texts.site}">
        <ul>
          ${linksOf(site, texts).map(
            ([name, href, of]) =>
              html`<li><a href="${href}" ${of === section && html`aria-current="true"`}>${name}</a></li>`,
          )}
        </ul>
      </nav>
      ${inBar} ${site.visitor !== undefined && visitorCorner(site, site.visitor)}
    </div>
  </header>`;
}

type SiteLink = readonly [name: string, href: string, section: Section];

/** Where one can go. Those who have signed in have more in their own menu. */
function linksOf(site: Site, texts: Catalogue): SiteLink[] {
  const { home, visitor } = site;
  const isKnown = typeof visitor?.name === "string";
  return [
    [texts.documents, documentsAddress(site), "documents"],
    [texts.projects, `${home}projects/`, "projects"],
    isKnown ? [texts.notes, `${home}notes/`, "notes"] : ["API", site.api, "api"],
  ];
}

function visitorCorner(site: Site, visitor: Visitor): Html {
  const { name, csrfToken, here, mayUpload, unread } = visitor;
  const texts = pageTexts(site);
  if (name === null)
    return html`<p class="visitor">
      <a class="button" href="${site.signIn}?next=${encodeURIComponent(here)}">${texts.signIn}</a>
    </p>`;
  if (csrfToken === null)
    return html`<p class="visitor">
      <span class="visitor-name" dir="auto"
        ><span class="visually-hidden">${texts.signedInAs} </span>${name}</span
      >
    </p>`;
  return html`<div class="visitor">
    ${
      mayUpload &&
      html`<a class="button primary upload-link" href="${site.upload}"
        >${icon(uploadIcon)}<span>${texts.upload}</span></a
      >`
    }
    <a class="button bare square bell" href="${site.home}notifications/">
      ${icon(bellIcon)}<span class="visually-hidden">${texts.notifications.bell(unread)}</span>
      ${unread > 0 && html`<span class="bell-count" aria-hidden="true">${unread > 99 ? "99+" : unread}</span>`}
    </a>
    <button class="avatar" type="button" popovertarget="own-menu" data-initials="${initialsOf(name)}">
      <span class="visually-hidden">${texts.ownMenu(name)}</span>
    </button>
    <div class="menu own-menu" id="own-menu" popover>${ownMenu(site, name, csrfToken, visitor)}</div>
  </div>`;
}

function ownMenu(
  site: Site,
  name: string,
  csrfToken: string,
  { here, isAdministrator, mayUpload }: Visitor,
): Html {
  const texts = pageTexts(site);
  return html`<p class="menu-head">${texts.signedInAs} <strong dir="auto">${name}</strong></p>
    ${mayUpload && html`<a class="menu-item upload-item" href="${site.upload}">${texts.upload}</a>`}
    ${menuLink(texts.account.title, site.account)} ${menuLink(texts.sharedWithYou, site.shared)}
    <hr />
    ${toolsOf(site).map(({ title, href }) => menuLink(title, href))}
    <hr />
    ${isAdministrator && menuLink(texts.adminPages[""], site.admin)} ${menuLink("API", site.api)}
    <hr />
    <form method="post" action="${site.signOut}">
      <input type="hidden" name="csrfmiddlewaretoken" value="${csrfToken}" />
      <input type="hidden" name="next" value="${here}" />
      <button class="menu-item" type="submit">${icon(logOutIcon)}${texts.signOut}</button>
    </form>`;
}

function menuLink(text: HtmlContent, href: string): Html {
  return html`<a class="menu-item" href="${href}">${text}</a>`;
}

/** The first letters of the first and the last word of a name. */
export function initialsOf(name: string): string {
  const [first = "", ...others] = name.split(/[\s._-]+/).filter((word) => word !== "");
  const letters = [first, others.at(-1) ?? ""].map((word) => /^./su.exec(word)?.[0] ?? "");
  return letters.join("").toLocaleUpperCase();
}
