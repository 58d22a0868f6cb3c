import { personLimits } from "../../contract/limits.ts";
import { type Site, renderPage } from "../../http/browsable/page-shell.ts";
import { pageTexts } from "../../texts/pages.ts";
import { html } from "../../http/text/html.ts";

export interface ForgotPasswordView {
  site: Site;
  /** Why the previous attempt failed; null otherwise. */
  problem: string | null;
  /** Whether the form was sent. The page is the same whether or not there is such an account. */
  isSent?: boolean;
}

/** Renders the page on which people ask for a new password by mail. */
export function renderForgotPasswordPage({ site, problem, isSent = false }: ForgotPasswordView): string {
  const texts = pageTexts(site).account;
  const title = isSent ? texts.mailSent : texts.forgot;
  const main = html`<div class="sign-in">
    <h1>${title}</h1>
    ${problem !== null && html`<p class="problem" role="alert">${problem}</p>`}
    ${
      isSent
        ? html`<p role="status">${texts.mailSentHelp}</p>
            <p><a class="button" href="${site.signIn}">${texts.signIn}</a></p>`
        : html`<form method="post" action="${site.forgotPassword}">
            <p class="field">
              <label for="name">${texts.usernameOrEmail}</label>
              <input
                id="name"
                name="name"
                autocomplete="username"
                autocapitalize="none"
                spellcheck="false"
                maxlength="${personLimits.email}"
                required
                autofocus
              />
            </p>
            <button class="button primary">${texts.sendLink}</button>
          </form>`
    }
  </div>`;
  return renderPage({ site, title, section: null, robots: "noindex", main });
}
