import { personLimits } from "../../contract/limits.ts";
import { csrfField } from "../../http/request/csrf.ts";
import { type Html, html } from "../../http/text/html.ts";
import { pageTexts } from "../../texts/pages.ts";
import { type Site, renderPage } from "../../http/browsable/page-shell.ts";
import { providerLinks } from "./provider-pages.ts";

export interface SignInPageView {
  site: Site;
  /** The redirect target: a path of this service, or an absolute address of an allowed origin. */
  next: string;
  /** The username of the previous attempt. */
  username: string;
  /** Why the previous attempt failed; null on the first one. */
  problem: string | null;
  /** Whether people can ask for a new password by mail. */
  hasMail: boolean;
  /** The identity providers at which people can sign in. */
  providers: readonly { id: number; name: string }[];
  /** Whether a password is only for administrators. */
  isForAdministrators: boolean;
}

/** Renders the sign-in page. Providers come first; the form for a password is folded up if few people need it. */
export function renderSignInPage(view: SignInPageView): string {
  const { site, next, problem, providers, isForAdministrators } = view;
  const texts = pageTexts(site).account;
  const isFolded = isForAdministrators && providers.length > 0 && problem === null;
  const main = html`<div class="sign-in">
    <h1>${texts.signIn}</h1>
    ${problem !== null && html`<p class="problem" role="alert">${problem}</p>`}
    ${providers.length > 0 && providerLinks(site, providers, next)}
    ${
      isFolded
        ? html`<details>
            <summary>${texts.withPassword}</summary>
            ${passwordForm(view)}
          </details>`
        : passwordForm(view)
    }
  </div>`;
  return page(site, texts.signIn, main);
}

function passwordForm({ site, next, username, providers, ...view }: SignInPageView): Html {
  const texts = pageTexts(site).account;
  const { hasMail, isForAdministrators } = view;
  const takesFocus = providers.length === 0;
  return html`${isForAdministrators && html`<p class="help">${texts.onlyAdministrators}</p>`}
    <form method="post" action="${site.signIn}">
      <input type="hidden" name="next" value="${next}" />
      <p class="field">
        <label for="username">${texts.username}</label>
        <input
          id="username"
          name="username"
          value="${username}"
          autocomplete="username"
          autocapitalize="none"
          spellcheck="false"
          maxlength="${personLimits.username}"
          required
          ${username === "" && takesFocus && html`autofocus`}
        />
      </p>
      <p class="field">
        <label for="password">${texts.password}</label>
        <input
          id="password"
          name="password"
          type="password"
          autocomplete="current-password"
          maxlength="${personLimits.password}"
          required
          ${username !== "" && html`autofocus`}
        />
      </p>
      <button class="button primary">${texts.signIn}</button>
    </form>
    ${hasMail && html`<p><a href="${site.forgotPassword}">${texts.forgot}</a></p>`}
    ${!isForAdministrators && html`<p class="help">${texts.howToGetAccount}</p>`}`;
}

export interface SignedInPageView {
  site: Site;
  next: string;
  username: string;
  csrfToken: string;
}

/** The sign-in page of a user who has already signed in. */
export function renderSignedInPage({ site, next, username, csrfToken }: SignedInPageView): string {
  const texts = pageTexts(site).account;
  const main = html`<div class="sign-in">
    <h1>${texts.signedIn}</h1>
    <p>${texts.signedInAs} <strong>${username}</strong>.</p>
    <form method="post" action="${site.signOut}">
      <input type="hidden" name="${csrfField}" value="${csrfToken}" />
      <input type="hidden" name="next" value="${next}" />
      <p class="buttons">
        <a class="button primary" href="${next}">${texts.continue}</a>
        <button class="button">${texts.signOut}</button>
      </p>
    </form>
  </div>`;
  return page(site, texts.signedIn, main);
}

function page(site: Site, title: string, main: Html): string {
  return renderPage({ site, title, section: null, robots: "noindex", main });
}
