import { guestLinkLimits } from "../../contract/limits.ts";
import { type Site, pageButtons, renderPage } from "../../http/browsable/page-shell.ts";
import { html } from "../../http/text/html.ts";
import { pageTexts } from "../../texts/pages.ts";
import { type ListedDocument, documentList } from "../document-rows.ts";

/** The page that a guest link leads to, with the button that opens it. Reading it changes nothing. */
export function renderWelcomePage(
  site: Site,
  view: { secret: string; hasPassword: boolean; isSignedIn: boolean; problem: string | null },
): string {
  const { guests: texts } = pageTexts(site);
  const { secret, hasPassword, isSignedIn, problem } = view;
  const main = html`<div class="account">
    <h1>${texts.welcome}</h1>
    <p>${texts.welcomeHelp(site.brand.name)}</p>
    ${problem !== null && html`<p class="problem" role="alert">${problem}</p>`}
    ${
      isSignedIn
        ? html`<p>${texts.signedIn}</p>`
        : html`<form method="post" action="${site.home}guest/">
            <input type="hidden" name="link" value="${secret}" />
            ${
              hasPassword &&
              html`<p class="field">
                <label for="password">${texts.password}</label>
                <input
                  id="password"
                  name="password"
                  type="password"
                  maxlength="${String(guestLinkLimits.password)}"
                  autocomplete="off"
                  required
                  aria-describedby="password-help"
                />
                <span class="help" id="password-help">${texts.askPassword}</span>
              </p>`
            }
            <button class="button primary">${texts.open}</button>
          </form>`
    }
  </div>`;
  return renderPage({ site, title: texts.welcome, section: null, robots: "noindex", main });
}

export function renderNoLinkPage(site: Site): string {
  const { guests: texts } = pageTexts(site);
  const main = html`<div class="account">
    <h1>${texts.notThere}</h1>
    <p>${texts.notThereHelp}</p>
  </div>`;
  return renderPage({ site, title: texts.notThere, section: null, robots: "noindex", main });
}

/** What one link has opened. */
export interface OpenedView {
  title: string;
  documents: readonly ListedDocument[];
  previous: string | null;
  next: string | null;
}

/** What the links that a browser has opened cover at this moment. */
export function renderLandingPage(site: Site, opened: readonly OpenedView[]): string {
  const { guests: texts, untitled } = pageTexts(site);
  const main = html`<h1>${texts.landing}</h1>
    ${opened.length === 0 && html`<p class="notice">${texts.emptyLanding}</p>`}
    ${opened.map(
      ({ title, documents, previous, next }) =>
        html`<section>
          <h2 dir="auto">${title === "" ? untitled : title}</h2>
          ${
            documents.length === 0
              ? html`<p class="notice">${texts.noDocuments}</p>`
              : documentList(documents, site)
          }
          ${pageButtons(previous, next, { locale: site })}
        </section>`,
    )}
    ${
      opened.length > 0 &&
      html`<form class="leave" method="post" action="${site.home}guest/leave/">
        <p class="help">${texts.leaveHelp}</p>
        <button class="button">${texts.leave}</button>
      </form>`
    }`;
  return renderPage({ site, title: texts.landing, section: null, robots: "noindex", main });
}
