import { personLimits } from "../../contract/limits.ts";
import { type Html, html } from "../../http/text/html.ts";
import { type Site, renderPage } from "../../http/browsable/page-shell.ts";
import { toolsOf } from "../../http/browsable/tools.ts";
import { type ConnectionsView, connectionsPart } from "../connections/connections-part.ts";
import { providerPart } from "./provider-pages.ts";
import type { WaysIn } from "../../resources/identities/connect.ts";
import type { Quotas } from "../../resources/documents/uploads/quotas.ts";
import type { presentProfile, presentSession, presentToken } from "../../resources/account/present.ts";
import { languages, ownNames } from "../../texts/languages.ts";
import { pageTexts } from "../../texts/pages.ts";
import { currentZone, currentZones } from "../../texts/time-zones.ts";
import {
  checkbox,
  csrf,
  doneMessage,
  faultMarks,
  faultOf,
  input,
  option,
  secretMessage,
  stateOf,
} from "../forms/fields.ts";
import type { RefusedForm } from "../forms/refused-form.ts";
import { browserInWords } from "./browser-in-words.ts";
import { factorPart } from "./factor-pages.ts";
import { noticesForm } from "./notifications-page.ts";
import { momentInWords } from "../wording.ts";

/** The forms whose input can be rejected. */
export type AccountForm = "profile" | "preferences" | "password" | "token";

export interface RefusedAccountForm extends RefusedForm {
  form: AccountForm;
}

export interface AccountPageView extends WaysIn {
  site: Site;
  csrfToken: string;
  profile: ReturnType<typeof presentProfile>;
  /** Whether a mail server is set up. */
  hasMail: boolean;
  tokens: readonly ReturnType<typeof presentToken>[];
  sessions: readonly ReturnType<typeof presentSession>[];
  /** The connected assistants; null where none can be connected. */
  connections: ConnectionsView["connections"] | null;
  /** The address that people enter in their assistant. */
  mcpAddress: string;
  /** The number of second factors; null where nobody can have one. */
  factors: number | null;
  /** The token that was just created. This is the only time that it is shown. */
  newToken: string | null;
  /** What the person and their organization have used of what they may use. */
  quotas: Readonly<Record<"person" | "organization", Quotas | null>>;
  /** Whether the person may set legal holds of an organization. */
  holdsOrganization: boolean;
  /** A sentence about the last action; null without one. */
  done: string | null;
  /** The rejected form with its texts, except passwords, and its errors by field. */
  refused: RefusedAccountForm | null;
}

/** Renders the page on which users manage their own account. */
export function renderAccountPage(view: AccountPageView): string {
  const { site, profile, newToken, done } = view;
  const texts = pageTexts(site).account;
  const main = html`<div class="account">
    <h1>${texts.title}</h1>
    <p>${texts.youAre} <strong>${profile.username}</strong>.</p>
    ${doneMessage(done)} ${newToken !== null && secretMessage(texts.newToken, newToken)} ${profileForm(view)}
    ${preferencesForm(view)} ${noticesForm(view)} ${view.hasPassword && passwordForm(view)}
    ${view.factors !== null && view.hasPassword && factorPart(site, view.factors)}
    ${view.providers.length > 0 && providerPart(view)} ${tokenPart(view)}
    ${view.connections !== null && connectionsPart({ ...view, connections: view.connections })}
    ${toolsPart(view)} ${sessionPart(view)} ${storagePart(view)}
  </div>`;
  return renderPage({
    site,
    title: texts.title,
    section: null,
    robots: "noindex",
    main,
  });
}

/** Nothing where no setting limits the storage or the pages. */
function storagePart({ site, quotas: { person, organization } }: AccountPageView): Html | null {
  const texts = pageTexts(site).account;
  const sentences = [
    person?.bytes && texts.personBytes(person.bytes.used, person.bytes.limit),
    person?.pages && texts.personPages(person.pages.used, person.pages.limit),
    organization?.bytes && texts.organizationBytes(organization.bytes.used, organization.bytes.limit),
    organization?.pages && texts.organizationPages(organization.pages.used, organization.pages.limit),
  ].filter((sentence) => typeof sentence === "string");
  if (sentences.length === 0) return null;
  return html`<section aria-labelledby="storage">
    <h2 id="storage">${texts.storage}</h2>
    ${sentences.map((sentence) => html`<p>${sentence}</p>`)}
  </section>`;
}

function profileForm({ site, csrfToken, profile, refused, hasPassword }: AccountPageView): Html {
  const texts = pageTexts(site).account;
  const state = stateOf(site, refused?.form === "profile" ? refused : null);
  return html`<section aria-labelledby="profile">
    <h2 id="profile">${texts.nameAndEmail}</h2>
    <form method="post" action="${site.account}">
      ${csrf(csrfToken)}
      ${input(state, { name: "name", label: texts.name, value: profile.name, autocomplete: "name" })}
      ${input(state, {
        name: "email",
        label: texts.email,
        value: profile.email,
        type: "email",
        autocomplete: "email",
        isOptional: true,
      })}
      ${
        hasPassword &&
        input(state, {
          name: "current_password",
          id: "profile-password",
          label: texts.currentPassword,
          type: "password",
          autocomplete: "current-password",
          isOptional: true,
          help: texts.passwordForEmail,
        })
      }
      <button class="button primary">${texts.saveName}</button>
    </form>
  </section>`;
}

function preferencesForm({ site, csrfToken, profile, refused }: AccountPageView): Html {
  const texts = pageTexts(site).account;
  const state = stateOf(site, refused?.form === "preferences" ? refused : null);
  const { texts: typed } = state;
  const language = typed["language"] ?? profile.language;
  const zone = currentZone(typed["time_zone"] ?? profile.time_zone);
  const zones = currentZones();
  const known = zone === "" || zones.includes(zone) ? zones : [zone, ...zones];
  return html`<section aria-labelledby="preferences">
    <h2 id="preferences">${texts.languageAndZone}</h2>
    <form method="post" action="${site.account}preferences/">
      ${csrf(csrfToken)}
      <p class="field">
        <label for="language">${texts.language}</label>
        <select id="language" name="language" ${faultMarks(state, "language")}>
          ${option("", texts.browserLanguage, language)}
          ${languages.map((code) => option(code, ownNames[code], language, code))}
        </select>
        ${faultOf(state, "language")}
      </p>
      <p class="field">
        <label for="time-zone">${texts.timeZone}</label>
        <select id="time-zone" name="time_zone" ${faultMarks(state, "time_zone")}>
          ${option("", "UTC", zone)} ${known.map((name) => option(name, name.replaceAll("_", " "), zone))}
        </select>
        ${faultOf(state, "time_zone")}
      </p>
      <button class="button primary">${texts.saveLanguage}</button>
    </form>
  </section>`;
}

function passwordForm({ site, csrfToken, refused }: AccountPageView): Html {
  const texts = pageTexts(site).account;
  const state = stateOf(site, refused?.form === "password" ? refused : null);
  return html`<section aria-labelledby="password">
    <h2 id="password">${texts.password}</h2>
    <p class="help">${texts.passwordHelp(personLimits.minPassword)}</p>
    <form method="post" action="${site.account}password/">
      ${csrf(csrfToken)}
      ${input(state, {
        name: "current_password",
        label: texts.currentPassword,
        type: "password",
        autocomplete: "current-password",
      })}
      ${input(state, {
        name: "password",
        label: texts.newPassword,
        type: "password",
        autocomplete: "new-password",
        minLength: personLimits.minPassword,
      })}
      <button class="button primary">${texts.changePassword}</button>
    </form>
  </section>`;
}

function tokenPart({ site, csrfToken, tokens, refused }: AccountPageView): Html {
  const texts = pageTexts(site).account;
  const state = stateOf(site, refused?.form === "token" ? refused : null);
  const mayWrite = state.texts["may_write"] !== undefined;
  const since = (words: string, timestamp: string): Html => html`${words} ${moment(timestamp, site)}`;
  return html`<section aria-labelledby="tokens">
    <h2 id="tokens">${texts.tokens}</h2>
    <p class="help">${texts.tokensHelp}</p>
    ${
      tokens.length > 0 &&
      html`<ul class="credentials">
        ${tokens.map(
          (token) =>
            html`<li>
              <div>
                <strong dir="auto">${token.name}</strong> <code>${token.prefix}…</code>
                <p class="help">
                  ${token.may_write ? texts.readsAndWrites : texts.readsOnly},
                  ${token.expires_at === null ? texts.neverExpires : since(texts.expires, token.expires_at)},
                  ${token.last_used_at === null ? texts.neverUsed : since(texts.lastUsed, token.last_used_at)}
                </p>
              </div>
              <form method="post" action="${site.account}tokens/${String(token.id)}/">
                ${csrf(csrfToken)}<button class="button" aria-label="${texts.revokeToken(token.name)}">
                  ${texts.revoke}
                </button>
              </form>
            </li>`,
        )}
      </ul>`
    }
    ${
      tokens.length > 1 &&
      html`<form method="post" action="${site.account}tokens/revoke/">
        ${csrf(csrfToken)}<button class="button">${texts.revokeAll}</button>
      </form>`
    }
    <form method="post" action="${site.account}tokens/">
      ${csrf(csrfToken)} ${input(state, { name: "name", label: texts.tokenPurpose, id: "token-name" })}
      ${checkbox("may_write", texts.mayWrite, mayWrite)}
      ${input(state, { name: "expires_at", label: texts.expiresOn, type: "date", isOptional: true })}
      <button class="button primary">${texts.createToken}</button>
    </form>
  </section>`;
}

function sessionPart({ site, csrfToken, sessions }: AccountPageView): Html {
  const texts = pageTexts(site).account;
  return html`<section aria-labelledby="sessions">
    <h2 id="sessions">${texts.sessions}</h2>
    <ul class="credentials">
      ${sessions.map(
        ({ id, browser, created_at, seen_at, provider, method, is_current }) =>
          html`<li>
            <div>
              <strong>${is_current ? texts.thisBrowser : browserInWords(browser, texts)}</strong>
              <p class="help">
                ${texts.since}
                ${moment(created_at, site)}${provider !== null && html` ${texts.signedInWith(provider)}`}${
                  method !== null && html` ${texts.methods[method]}`
                }${seen_at !== null && html`, ${texts.lastUsed} ${moment(seen_at, site)}`}
              </p>
            </div>
            ${
              !is_current &&
              html`<form method="post" action="${site.account}sessions/${id}/">
                ${csrf(csrfToken)}<button
                  class="button"
                  aria-label="${texts.signOutOf(browserInWords(browser, texts))}"
                >
                  ${texts.signOut}
                </button>
              </form>`
            }
          </li>`,
      )}
    </ul>
    ${
      sessions.some(({ is_current }) => !is_current) &&
      html`<form method="post" action="${site.account}sessions/">
        ${csrf(csrfToken)}<button class="button">${texts.signOutElsewhere}</button>
      </form>`
    }
  </section>`;
}

function moment(at: string, site: Site): Html {
  return html`<time datetime="${at}">${momentInWords(at, site)}</time>`;
}

/** The part that leads to what a person does besides reading and changing documents. */
function toolsPart({ site, holdsOrganization }: AccountPageView): Html {
  const { account, adminPages } = pageTexts(site);
  const holds = { title: adminPages.holds, help: account.holdsHelp, href: `${site.admin}holds/` };
  const tools = [...toolsOf(site), ...(holdsOrganization ? [holds] : [])];
  return html`<section aria-labelledby="tools">
    <h2 id="tools">${account.tools}</h2>
    <ul class="tools">
      ${tools.map(
        ({ title, help, href }) =>
          html`<li>
            <a href="${href}">${title}</a>
            <p class="help">${help}</p>
          </li>`,
      )}
    </ul>
  </section>`;
}
