import { type Site, renderPage } from "../../http/browsable/page-shell.ts";
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
  const title = isSent ? "Look into your mail" : "Forgot your password?";
  const main = html`<div class="sign-in">
    <h1>${title}</h1>
    ${problem !== null && html`<p class="problem" role="alert">${problem}</p>`}
    ${
      isSent
        ? html`<p role="status">
              If there is an account with this username or email address, a mail with a link to choose a new
              password is on its way. The link works once, within two hours.
            </p>
            <p><a class="button" href="${site.signIn}">Sign in</a></p>`
        : html`<form method="post" action="${site.forgotPassword}">
            <p class="field">
              <label for="name">Username or email address</label>
              <input
                id="name"
                name="name"
                autocomplete="username"
                autocapitalize="none"
                spellcheck="false"
                maxlength="254"
                required
                autofocus
              />
            </p>
            <button class="button primary">Send me a link</button>
          </form>`
    }
  </div>`;
  return renderPage({ site, title, section: null, robots: "noindex", main });
}
