import { type Site, renderPage } from "../../http/browsable/page-shell.ts";
import { type Html, html } from "../../http/text/html.ts";
import type { AssistantClient } from "../../resources/users/assistants/client-store.ts";
import { hostOf } from "../../resources/users/assistants/redirect-address.ts";
import { pageTexts } from "../../texts/pages.ts";
import { csrf } from "../forms/fields.ts";
import type { AuthorizationRequest } from "./authorization-request.ts";

interface ConsentView {
  /** Where the form is sent. */
  action: string;
  person: string;
  csrfToken: string;
  client: AssistantClient;
  asked: AuthorizationRequest;
  /** What the form sends again, to be read again. */
  parameters: Readonly<Record<string, string>>;
}

/** The page that asks whether an assistant may act for the person. Reading it changes nothing. */
export function renderConsentPage(site: Site, view: ConsentView): string {
  const { account } = pageTexts(site);
  const texts = account.assistants;
  const { person, client, asked, csrfToken, parameters } = view;
  const main = html`<div class="account">
    <h1>${texts.ask}</h1>
    <form method="post" action="${view.action}">
      ${csrf(csrfToken)}
      ${Object.entries(parameters).map(
        ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
      )}
      <p dir="auto">${texts.asks(client.name, site.brand.name, person)}</p>
      ${whereTo(texts, client, asked)}
      <p>${texts.reads}</p>
      ${asked.wantsToWrite && writingChoice(texts)}
      <p class="help">${texts.limits}</p>
      <p class="buttons">
        <button class="button primary" name="decision" value="allow">${texts.allow}</button>
        <button class="button" name="decision" value="refuse">${texts.refuse}</button>
      </p>
    </form>
  </div>`;
  return renderPage({ site, title: texts.ask, section: null, robots: "noindex", main });
}

type Texts = ReturnType<typeof pageTexts>["account"]["assistants"];

/** Where the person is sent, as plainly as can be: the name of the client proves nothing. */
function whereTo(texts: Texts, { clientId }: AssistantClient, { redirectUri }: AuthorizationRequest): Html {
  const host = hostOf(redirectUri);
  const isOnDevice = host === "";
  return html`<p>
      ${isOnDevice ? texts.toDevice : texts.to}
      <strong dir="ltr">${isOnDevice ? new URL(redirectUri).origin : host}</strong>
    </p>
    ${
      clientId.startsWith("https:") &&
      html`<p>${texts.describedBy} <strong dir="ltr">${new URL(clientId).host}</strong></p>`
    }
    <p>${isOnDevice ? texts.deviceWarning : texts.warning}</p>`;
}

const radio = (value: string, label: string, isChosen: boolean): Html =>
  html`<p class="check">
    <input id="access-${value}" type="radio" name="access" value="${value}" ${isChosen && html`checked`} />
    <label for="access-${value}">${label}</label>
  </p>`;

function writingChoice(texts: Texts): Html {
  return html`<fieldset>
    <legend>${texts.choice}</legend>
    ${radio("read", texts.readsOnly, true)} ${radio("write", texts.writes, false)}
  </fieldset>`;
}

/** The page that says why no assistant was connected. `back` leads to the client, which learns why. */
export function renderRefusalPage(
  site: Site,
  { problem, back }: { problem: string; back: string | null },
): string {
  const texts = pageTexts(site).account.assistants;
  const host = back === null ? "" : hostOf(back);
  const main = html`<div class="account">
    <h1>${texts.notConnected}</h1>
    <p class="problem" role="alert">${problem}</p>
    ${
      back !== null &&
      html`<p><a class="button" href="${back}">${host === "" ? texts.backToDevice : texts.back(host)}</a></p>`
    }
  </div>`;
  return renderPage({ site, title: texts.notConnected, section: null, robots: "noindex", main });
}
