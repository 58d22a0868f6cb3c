import { type Site, renderPage } from "../../http/browsable/page-shell.ts";
import { type Html, html } from "../../http/text/html.ts";
import { maxPasswordLength, minPasswordLength } from "../../resources/users/add-user.ts";

export interface SetPasswordView {
  site: Site;
  token: string;
  username: string;
  /** Why the previous attempt failed; null on the first one. */
  problem: string | null;
}

/** Renders the page on which the user of a password link chooses a password. */
export function renderSetPasswordPage({ site, token, username, problem }: SetPasswordView): string {
  const main = html`<div class="sign-in">
    <h1>Choose a password</h1>
    <p>for <strong>${username}</strong>. Use at least ${minPasswordLength} characters, of any kind.</p>
    ${problem !== null && html`<p class="problem" role="alert">${problem}</p>`}
    <form method="post" action="${site.setPassword}">
      <input type="hidden" name="token" value="${token}" />
      <input type="hidden" name="username" value="${username}" autocomplete="username" />
      ${passwordField("password", "New password", true)}
      ${passwordField("repeated", "Repeat the password", false)}
      <button class="button primary">Set the password</button>
    </form>
  </div>`;
  return renderPage({
    site,
    title: "Choose a password",
    section: null,
    robots: "noindex",
    main,
    mainLanguage: "en",
  });
}

/** Renders the page for a link that is unknown, used or expired. `hasMail` says whether people get a new one by mail. */
export function renderEndedLinkPage(site: Site, hasMail: boolean): string {
  const main = html`<div class="sign-in">
    <h1>This link is no longer valid</h1>
    <p>
      A link to set a password works only once and for a limited time. If you have a password, sign in with
      it.
      ${hasMail ? "If not, have a new link sent to you." : "If not, ask the administrator of this server for a new link."}
    </p>
    <p class="buttons">
      <a class="button primary" href="${site.signIn}">Sign in</a>
      ${hasMail && html`<a class="button" href="${site.forgotPassword}">Send me a link</a>`}
    </p>
  </div>`;
  return renderPage({
    site,
    title: "This link is no longer valid",
    section: null,
    robots: "noindex",
    main,
    mainLanguage: "en",
  });
}

function passwordField(name: string, label: string, isFirst: boolean): Html {
  return html`<p class="field">
    <label for="${name}">${label}</label>
    <input
      id="${name}"
      name="${name}"
      type="password"
      autocomplete="new-password"
      minlength="${String(minPasswordLength)}"
      maxlength="${String(maxPasswordLength)}"
      required
      ${isFirst && html`autofocus`}
    />
  </p>`;
}
