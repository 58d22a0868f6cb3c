import { personLimits } from "../../contract/limits.ts";
import { type Site, renderPage } from "../../http/browsable/page-shell.ts";
import { pageTexts } from "../../texts/pages.ts";
import { type Html, html } from "../../http/text/html.ts";

export interface SetPasswordView {
  site: Site;
  token: string;
  username: string;
  /** Why the previous attempt failed; null on the first one. */
  problem: string | null;
}

/** Renders the page on which the user of a password link chooses a password. */
export function renderSetPasswordPage({ site, token, username, problem }: SetPasswordView): string {
  const texts = pageTexts(site).account;
  const main = html`<div class="sign-in">
    <h1>${texts.choosePassword}</h1>
    <p>
      ${texts.choosePasswordFor} <strong>${username}</strong>. ${texts.passwordRule(personLimits.minPassword)}
    </p>
    ${problem !== null && html`<p class="problem" role="alert">${problem}</p>`}
    <form method="post" action="${site.setPassword}">
      <input type="hidden" name="token" value="${token}" />
      <input type="hidden" name="username" value="${username}" autocomplete="username" />
      ${passwordField("password", texts.newPassword, true)}
      ${passwordField("repeated", texts.repeatPassword, false)}
      <button class="button primary">${texts.setPassword}</button>
    </form>
  </div>`;
  return renderPage({
    site,
    title: texts.choosePassword,
    section: null,
    robots: "noindex",
    main,
  });
}

/**
 * Renders the page for a link that is unknown, used or expired. `hasMail` says whether people get a new one by mail.
 */
export function renderEndedLinkPage(site: Site, hasMail: boolean): string {
  const texts = pageTexts(site).account;
  const main = html`<div class="sign-in">
    <h1>${texts.linkEnded}</h1>
    <p>${texts.linkEndedHelp} ${hasMail ? texts.haveLinkSent : texts.askForLink}</p>
    <p class="buttons">
      <a class="button primary" href="${site.signIn}">${texts.signIn}</a>
      ${hasMail && html`<a class="button" href="${site.forgotPassword}">${texts.sendLink}</a>`}
    </p>
  </div>`;
  return renderPage({
    site,
    title: texts.linkEnded,
    section: null,
    robots: "noindex",
    main,
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
      minlength="${personLimits.minPassword}"
      maxlength="${personLimits.password}"
      required
      ${isFirst && html`autofocus`}
    />
  </p>`;
}
