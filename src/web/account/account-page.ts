import { csrfField } from "../../http/request/csrf.ts";
import { type Html, html } from "../../http/text/html.ts";
import { type Site, renderPage } from "../../http/browsable/page-shell.ts";
import type { presentProfile, presentSession, presentToken } from "../../resources/account/present.ts";
import { maxPasswordLength, minPasswordLength } from "../../resources/users/add-user.ts";
import { languages, ownNames } from "../../texts/languages.ts";
import { momentInWords } from "../wording.ts";

/** The forms whose input can be rejected. */
export type AccountForm = "profile" | "preferences" | "password" | "token";

export interface AccountPageView {
  site: Site;
  csrfToken: string;
  profile: ReturnType<typeof presentProfile>;
  tokens: readonly ReturnType<typeof presentToken>[];
  sessions: readonly ReturnType<typeof presentSession>[];
  /** The token that was just created. This is the only time that it is shown. */
  newToken: string | null;
  /** A sentence about the last action; null without one. */
  done: string | null;
  /** The rejected form with its texts, except passwords, and its errors by field. */
  refused: RefusedForm | null;
}

export interface RefusedForm {
  form: AccountForm;
  texts: Readonly<Record<string, string>>;
  errors: Readonly<Record<string, readonly string[]>>;
}

/** Renders the page on which users manage their own account. */
export function renderAccountPage(view: AccountPageView): string {
  const { site, profile, newToken, done } = view;
  const main = html`<div class="account">
    <h1>Your account</h1>
    <p>You are signed in as <strong>${profile.username}</strong>.</p>
    ${done !== null && html`<p class="done" role="status">${done}</p>`}
    ${newToken !== null && newTokenNotice(newToken)} ${profileForm(view)} ${preferencesForm(view)}
    ${passwordForm(view)} ${tokenPart(view)} ${sessionPart(view)}
  </div>`;
  return renderPage({
    site,
    title: "Your account",
    section: null,
    robots: "noindex",
    main,
    mainLanguage: "en",
  });
}

function profileForm({ site, csrfToken, profile, refused }: AccountPageView): Html {
  const state = stateOf(refused, "profile");
  return html`<section aria-labelledby="profile">
    <h2 id="profile">Name and email</h2>
    <form method="post" action="${site.account}">
      ${csrf(csrfToken)}
      ${input(state, { name: "name", label: "Name that others see", value: profile.name, autocomplete: "name" })}
      ${input(state, {
        name: "email",
        label: "Email",
        value: profile.email,
        type: "email",
        autocomplete: "email",
        isOptional: true,
      })}
      <button class="button primary">Save name and email</button>
    </form>
  </section>`;
}

function preferencesForm({ site, csrfToken, profile, refused }: AccountPageView): Html {
  const { texts, errors } = stateOf(refused, "preferences");
  const language = texts["language"] ?? profile.language;
  const zone = texts["time_zone"] ?? profile.time_zone;
  const messages = Object.values(errors).flat();
  const zones = Intl.supportedValuesOf("timeZone");
  const known = zone === "" || zones.includes(zone) ? zones : [zone, ...zones];
  return html`<section aria-labelledby="preferences">
    <h2 id="preferences">Language and time zone</h2>
    <form method="post" action="${site.account}preferences/">
      ${csrf(csrfToken)}
      <p class="field">
        <label for="language">Language of pages</label>
        <select id="language" name="language">
          ${option("", "The language of my browser", language)}
          ${languages.map((code) => option(code, ownNames[code], language, code))}
        </select>
      </p>
      <p class="field">
        <label for="time-zone">Time zone of dates and times</label>
        <select id="time-zone" name="time_zone">
          ${option("", "UTC", zone)} ${known.map((name) => option(name, name.replaceAll("_", " "), zone))}
        </select>
      </p>
      ${messages.length > 0 && html`<p class="problem" role="alert">${messages.join(" ")}</p>`}
      <button class="button primary">Save language and time zone</button>
    </form>
  </section>`;
}

function option(value: string, text: string, chosen: string, lang?: string): Html {
  return html`<option
    value="${value}"
    ${value === chosen && html`selected`}
    ${lang !== undefined && html`lang="${lang}"`}
  >
    ${text}
  </option>`;
}

function passwordForm({ site, csrfToken, refused }: AccountPageView): Html {
  const state = stateOf(refused, "password");
  return html`<section aria-labelledby="password">
    <h2 id="password">Password</h2>
    <p class="help">
      Changing your password signs you out everywhere else. Use at least ${minPasswordLength} characters.
    </p>
    <form method="post" action="${site.account}password/">
      ${csrf(csrfToken)}
      ${input(state, {
        name: "current_password",
        label: "Current password",
        type: "password",
        autocomplete: "current-password",
      })}
      ${input(state, {
        name: "password",
        label: "New password",
        type: "password",
        autocomplete: "new-password",
        minLength: minPasswordLength,
      })}
      <button class="button primary">Change the password</button>
    </form>
  </section>`;
}

function newTokenNotice(token: string): Html {
  return html`<p class="done" role="status">
    This is your new token. Copy it now, because it is never shown again:<br /><code class="token"
      >${token}</code
    >
  </p>`;
}

function tokenPart({ site, csrfToken, tokens, refused }: AccountPageView): Html {
  const state = stateOf(refused, "token");
  const mayWrite = state.texts["may_write"] !== undefined;
  return html`<section aria-labelledby="tokens">
    <h2 id="tokens">Personal tokens</h2>
    <p class="help">With a token, a program can sign in as you. Revoke tokens that you no longer use.</p>
    ${
      tokens.length > 0 &&
      html`<ul class="credentials">
        ${tokens.map(
          (token) =>
            html`<li>
              <div>
                <strong dir="auto">${token.name}</strong> <code>${token.prefix}…</code>
                <p class="help">
                  ${token.may_write ? "Reads and writes" : "Reads only"},
                  ${token.expires_at === null ? "does not expire" : html`expires ${moment(token.expires_at, site)}`},
                  ${token.last_used_at === null ? "never used" : html`last used ${moment(token.last_used_at, site)}`}
                </p>
              </div>
              <form method="post" action="${site.account}tokens/${String(token.id)}/">
                ${csrf(csrfToken)}<button class="button" aria-label="Revoke the token ${token.name}">
                  Revoke
                </button>
              </form>
            </li>`,
        )}
      </ul>`
    }
    <form method="post" action="${site.account}tokens/">
      ${csrf(csrfToken)} ${input(state, { name: "name", label: "Purpose of a new token", id: "token-name" })}
      <p class="check">
        <input id="may_write" name="may_write" type="checkbox" value="true" ${mayWrite && html`checked`} />
        <label for="may_write">The program may change documents, not only read them</label>
      </p>
      ${input(state, { name: "expires_at", label: "Expires on", type: "date", isOptional: true })}
      <button class="button primary">Create a token</button>
    </form>
  </section>`;
}

function sessionPart({ site, csrfToken, sessions }: AccountPageView): Html {
  return html`<section aria-labelledby="sessions">
    <h2 id="sessions">Where you are signed in</h2>
    <ul class="credentials">
      ${sessions.map(
        ({ id, browser, created_at, seen_at, is_current }) =>
          html`<li>
            <div>
              <strong>${is_current ? "This browser" : browserInWords(browser)}</strong>
              <p class="help">
                since
                ${moment(created_at, site)}${seen_at !== null && html`, last used ${moment(seen_at, site)}`}
              </p>
            </div>
            ${
              !is_current &&
              html`<form method="post" action="${site.account}sessions/${id}/">
                ${csrf(csrfToken)}<button class="button" aria-label="Sign out ${browserInWords(browser)}">
                  Sign out
                </button>
              </form>`
            }
          </li>`,
      )}
    </ul>
    ${
      sessions.some(({ is_current }) => !is_current) &&
      html`<form method="post" action="${site.account}sessions/">
        ${csrf(csrfToken)}<button class="button">Sign out everywhere else</button>
      </form>`
    }
  </section>`;
}

/** The browser and the operating system in a User-Agent. For an unknown browser, the beginning of the header. */
export function browserInWords(userAgent: string): string {
  if (userAgent === "") return "An unknown program";
  const names = [
    [/\bEdg\//, "Edge"],
    [/\bOPR\//, "Opera"],
    [/\bFirefox\//, "Firefox"],
    [/\bChrom(?:e|ium)\//, "Chrome"],
    [/\bSafari\//, "Safari"],
  ] as const;
  const systems = [
    [/\bAndroid\b/, "Android"],
    [/\biPhone\b|\biPad\b/, "iOS"],
    [/\bWindows\b/, "Windows"],
    [/\bMac OS X\b/, "macOS"],
    [/\bCrOS\b/, "ChromeOS"],
    [/\bLinux\b/, "Linux"],
  ] as const;
  const name = names.find(([pattern]) => pattern.test(userAgent))?.[1];
  const system = systems.find(([pattern]) => pattern.test(userAgent))?.[1];
  if (name === undefined) return userAgent.slice(0, 40);
  return system === undefined ? name : `${name} on ${system}`;
}

interface FormState {
  texts: Readonly<Record<string, string>>;
  errors: Readonly<Record<string, readonly string[]>>;
}

function stateOf(refused: RefusedForm | null, form: AccountForm): FormState {
  return refused?.form === form ? refused : { texts: {}, errors: {} };
}

interface Input {
  name: string;
  label: string;
  /** Defaults to the name. */
  id?: string;
  type?: "text" | "email" | "password" | "date";
  value?: string;
  autocomplete?: string;
  minLength?: number;
  isOptional?: true;
}

function input({ texts, errors }: FormState, options: Input): Html {
  const { name, label, id = name, type = "text", value = "", autocomplete = "off", isOptional } = options;
  const messages = errors[name] ?? [];
  return html`<p class="field">
    <label for="${id}-input"
      >${label}${isOptional === true && html` <span class="help">(optional)</span>`}</label
    >
    <input
      id="${id}-input"
      name="${name}"
      type="${type}"
      value="${type === "password" ? "" : (texts[name] ?? value)}"
      autocomplete="${autocomplete}"
      maxlength="${String(type === "password" ? maxPasswordLength : 255)}"
      ${options.minLength !== undefined && html`minlength="${String(options.minLength)}"`}
      ${isOptional !== true && html`required`}
      ${messages.length > 0 && html`aria-invalid="true" aria-describedby="${id}-errors" autofocus`}
    />
    ${messages.length > 0 && html`<span class="problem" id="${id}-errors" role="alert">${messages.join(" ")}</span>`}
  </p>`;
}

function csrf(token: string): Html {
  return html`<input type="hidden" name="${csrfField}" value="${token}" />`;
}

function moment(at: string, { timeZone }: Site): Html {
  return html`<time datetime="${at}">${momentInWords(at, { language: "en", timeZone })}</time>`;
}
