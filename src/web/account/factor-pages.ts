import { renderSVG } from "uqr";
import { maxFactorCodeLength, personLimits } from "../../contract/limits.ts";
import { type Html, html, markupFrom } from "../../http/text/html.ts";
import { type Site, renderPage } from "../../http/browsable/page-shell.ts";
import { shownCode } from "../../resources/users/credentials/second-factor.ts";
import { pageTexts } from "../../texts/pages.ts";
import { momentInWords } from "../wording.ts";
import { csrf, doneMessage } from "../forms/fields.ts";

/** An app that is being set up. */
export interface NewApp {
  secret: string;
  /** What an app reads from the picture. */
  address: string;
}

interface SecondStepView {
  site: Site;
  problem: string | null;
  /** What a browser needs to use a passkey; null if the account has none. */
  passkeys: object | null;
  /** Whether the account has an app, or recovery codes. */
  takesCode: boolean;
}

const page = (site: Site, title: string, main: Html, head: Html | null = null): string =>
  renderPage({ site, title, section: null, robots: "noindex", main, head });

const problemOf = (problem: string | null): Html | false =>
  problem !== null && html`<p class="problem" role="alert">${problem}</p>`;

const script = (site: Site): Html => html`<script type="module" src="${site.passkeyScript}"></script>`;

/** The page that asks for the second factor after the password. */
export function renderSecondStepPage({ site, problem, passkeys, takesCode }: SecondStepView): string {
  const texts = pageTexts(site).account;
  const words = texts.factors;
  const action = `${site.signIn}second/`;
  const main = html`<div class="sign-in">
    <h1>${words.title}</h1>
    ${problemOf(problem)}
    ${passkeys !== null && passkeyForm(site, { action, options: passkeys, isNew: false })}
    ${
      takesCode &&
      html`<form method="post" action="${action}">
        ${codeField(words.code, words.codeHelp, passkeys === null)}
        <button class="button ${passkeys === null && "primary"}">${texts.signIn}</button>
      </form>`
    }
    <p><a href="${site.signIn}">${texts.toSignIn}</a></p>
  </div>`;
  return page(site, words.title, main, passkeys === null ? null : script(site));
}

/** The page on which somebody who needs a second factor sets one up, before the first session. */
export function renderRequiredSetUpPage(site: Site, app: NewApp, problem: string | null): string {
  const words = pageTexts(site).account.factors;
  const main = html`<div class="sign-in">
    <h1>${words.setUp}</h1>
    <p>${words.required}</p>
    ${problemOf(problem)}
    <form method="post" action="${site.signIn}second/">
      ${appPart(site, app)}
      <button class="button primary">${words.confirm}</button>
    </form>
  </div>`;
  return page(site, words.setUp, main);
}

/** The recovery codes, in the only moment in which anybody sees them. */
export function renderRecoveryCodesPage(site: Site, codes: readonly string[], next: string): string {
  const texts = pageTexts(site).account;
  const words = texts.factors;
  const main = html`<div class="sign-in">
    <h1>${words.codes}</h1>
    <p>${words.codesHelp}</p>
    <ul class="recovery-codes">
      ${codes.map((code) => html`<li><code>${shownCode(code)}</code></li>`)}
    </ul>
    <p><a class="button primary" href="${next}">${texts.continue}</a></p>
  </div>`;
  return page(site, words.codes, main);
}

export interface FactorsView {
  site: Site;
  csrfToken: string;
  factors: readonly {
    id: number;
    kind: "totp" | "passkey";
    name: string;
    created_at: string;
    used_at: string | null;
  }[];
  /** How many recovery codes are left. */
  codesLeft: number;
  done: string | null;
  problem: string | null;
}

/** The page on which people manage their second factors. */
export function renderFactorsPage({
  site,
  csrfToken,
  factors,
  codesLeft,
  done,
  problem,
}: FactorsView): string {
  const texts = pageTexts(site).account;
  const words = texts.factors;
  const since = (word: string, at: string): Html =>
    html`${word} <time datetime="${at}">${momentInWords(at, site)}</time>`;
  const main = html`<div class="account">
    <h1>${words.title}</h1>
    <p>${words.help}</p>
    ${doneMessage(done)} ${problemOf(problem)}
    <p class="buttons">
      <a class="button primary" href="${site.account}factors/app/">${words.addApp}</a>
      <a class="button" href="${site.account}factors/passkey/">${words.addPasskey}</a>
    </p>
    ${
      factors.length > 0 &&
      html`<ul class="credentials">
        ${factors.map(
          ({ id, kind, name, created_at, used_at }) =>
            html`<li>
              <div>
                <strong dir="auto">${name === "" ? words.kinds[kind] : name}</strong>
                <p class="help">
                  ${name !== "" && `${words.kinds[kind]}, `}${since(texts.since, created_at)},
                  ${used_at === null ? texts.neverUsed : since(texts.lastUsed, used_at)}
                </p>
              </div>
              ${changeForm(site, csrfToken, { name: "remove", value: String(id), label: words.remove })}
            </li>`,
        )}
        <li>
          <div>
            <strong>${words.codes}</strong>
            <p class="help">${words.codesLeft(codesLeft)}</p>
          </div>
          ${changeForm(site, csrfToken, { name: "codes", value: "new", label: words.newCodes })}
        </li>
      </ul>`
    }
    <p><a href="${site.account}">${texts.title}</a></p>
  </div>`;
  return page(site, words.title, main);
}

/** A change that needs the password. Each has a form of its own, so that Enter in its field does nothing else. */
function changeForm(
  site: Site,
  csrfToken: string,
  { name, value, label }: { name: "remove" | "codes"; value: string; label: string },
): Html {
  return html`<details>
    <summary>${label}</summary>
    <form method="post" action="${site.account}factors/">
      ${csrf(csrfToken)} ${passwordField(pageTexts(site).account.currentPassword, `${name}-${value}`)}
      <button class="button" name="${name}" value="${value}">${label}</button>
    </form>
  </details>`;
}

/** The part of the account page about second factors. */
export function factorPart(site: Site, count: number): Html {
  const words = pageTexts(site).account.factors;
  return html`<section aria-labelledby="factors">
    <h2 id="factors">${words.title}</h2>
    <p>${words.help} ${words.count(count)}</p>
    <p class="buttons"><a class="button" href="${site.account}factors/">${words.manage}</a></p>
  </section>`;
}

interface AdditionView {
  site: Site;
  csrfToken: string;
  problem: string | null;
}

export function renderNewAppPage({ site, csrfToken, problem }: AdditionView, app: NewApp): string {
  const texts = pageTexts(site).account;
  const words = texts.factors;
  const main = html`<div class="account">
    <h1>${words.addApp}</h1>
    ${problemOf(problem)}
    <form method="post" action="${site.account}factors/app/">
      ${csrf(csrfToken)} ${appPart(site, app)} ${passwordField(texts.currentPassword)}
      <button class="button primary">${words.confirm}</button>
    </form>
  </div>`;
  return page(site, words.addApp, main);
}

export function renderNewPasskeyPage({ site, csrfToken, problem }: AdditionView, options: object): string {
  const words = pageTexts(site).account.factors;
  const action = `${site.account}factors/passkey/`;
  const main = html`<div class="account">
    <h1>${words.addPasskey}</h1>
    <p>${words.passkeyHelp}</p>
    ${problemOf(problem)} ${passkeyForm(site, { action, options, isNew: true, csrfToken })}
  </div>`;
  return page(site, words.addPasskey, main, script(site));
}

/** A picture for the app, the same as a text, and the field for the code that it shows. */
function appPart(site: Site, { secret, address }: NewApp): Html {
  const words = pageTexts(site).account.factors;
  const spaced = secret.replaceAll(/(.{4})(?=.)/g, "$1 ");
  return html`<p>${words.scan}</p>
    <div class="qr" role="img" aria-label="${words.picture}">
      ${markupFrom(renderSVG(address, { border: 2 }))}
    </div>
    <p>${words.orType} <code>${spaced}</code></p>
    ${codeField(words.codeOfApp, "", true)}`;
}

function codeField(label: string, help: string, takesFocus: boolean): Html {
  return html`<p class="field">
    <label for="code">${label}</label>
    <input
      id="code"
      name="code"
      autocomplete="one-time-code"
      autocapitalize="none"
      spellcheck="false"
      maxlength="${maxFactorCodeLength}"
      required
      ${help !== "" && html`aria-describedby="code-help"`}
      ${takesFocus && html`autofocus`}
    />
    ${help !== "" && html`<span class="help" id="code-help">${help}</span>`}
  </p>`;
}

function passwordField(label: string, id = "current_password"): Html {
  return html`<p class="field">
    <label for="${id}">${label}</label>
    <input
      id="${id}"
      name="current_password"
      type="password"
      autocomplete="current-password"
      maxlength="${personLimits.password}"
      required
    />
  </p>`;
}

/** A form that the script fills with what the browser answers. */
function passkeyForm(
  site: Site,
  {
    action,
    options,
    isNew,
    csrfToken,
  }: { action: string; options: object; isNew: boolean; csrfToken?: string },
): Html {
  const texts = pageTexts(site).account;
  const words = texts.factors;
  return html`<form
    method="post"
    action="${action}"
    data-passkey="${isNew ? "new" : "known"}"
    data-options="${JSON.stringify(options)}"
    data-unknown="${words.noPasskeys}"
    data-failed="${words.passkeyFailed}"
  >
    ${csrfToken !== undefined && csrf(csrfToken)}
    <input type="hidden" name="credential" value="" />
    ${
      isNew &&
      html`<p class="field">
          <label for="name">${words.passkeyName}</label>
          <input id="name" name="name" autocomplete="off" maxlength="${personLimits.name}" required />
        </p>
        ${passwordField(texts.currentPassword)}`
    }
    <p class="problem" role="alert" data-problem></p>
    <button type="button" class="button primary" data-asks disabled>
      ${isNew ? words.makePasskey : words.usePasskey}
    </button>
    <noscript><p>${pageTexts(site).needsScript}</p></noscript>
  </form>`;
}
