import { guestLinkLimits } from "../../contract/limits.ts";
import { type Site, pageButtons, renderPage } from "../../http/browsable/page-shell.ts";
import { html } from "../../http/text/html.ts";
import { pageTexts } from "../../texts/pages.ts";
import { csrf } from "../forms/fields.ts";
import { type ListedDocument, documentList } from "../document-rows.ts";

interface WelcomeView {
  secret: string;
  hasPassword: boolean;
  /** The person who has signed in in this browser. */
  person: { name: string; csrfToken: string } | null;
  /** Where they go on if their account sees what the link opens: to the document, or their list of guest links. */
  instead: { kind: "document" | "links"; href: string } | null;
  problem: string | null;
}

/** The page that a guest link leads to, with the button that opens it. Reading it changes nothing. */
export function renderWelcomePage(site: Site, view: WelcomeView): string {
  const { guests: texts } = pageTexts(site);
  const { secret, hasPassword, person, instead, problem } = view;
  const main = html`<div class="account">
    <h1>${texts.welcome}</h1>
    <p>${texts.welcomeHelp(site.brand.name)}</p>
    ${person !== null && instead === null && html`<p>${texts.signedIn(person.name)}</p>`}
    ${problem !== null && html`<p class="problem" role="alert">${problem}</p>`}
    ${
      instead !== null
        ? html`<p class="notice">${texts.needless}</p>
            <p>
              <a class="button" href="${instead.href}"
                >${instead.kind === "document" ? texts.toOwn : texts.title}</a
              >
            </p>`
        : html`<form method="post" action="${site.home}guest/">
            ${person !== null && csrf(person.csrfToken)}<input type="hidden" name="link" value="${secret}" />
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
export function renderLandingPage(
  site: Site,
  opened: readonly OpenedView[],
  csrfToken: string | null,
): string {
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
        ${csrfToken !== null && csrf(csrfToken)}
        <p class="help">${texts.leaveHelp}</p>
        <button class="button">${texts.leave}</button>
      </form>`
    }`;
  return renderPage({ site, title: texts.landing, section: null, robots: "noindex", main });
}
