import { type Webhook, type WebhookDelivery, eventTypes } from "../../contract/event.ts";
import { maxAddressLength, webhookLimits } from "../../contract/limits.ts";
import { type Html, html } from "../../http/text/html.ts";
import { type Site, renderPage } from "../../http/browsable/page-shell.ts";
import { pageTexts } from "../../texts/pages.ts";
import { momentInWords } from "../wording.ts";
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

export interface RefusedWebhook extends RefusedForm {
  types: readonly string[];
}

interface WebhookPageView {
  site: Site;
  csrfToken: string;
  /** The projects that a webhook may be about. */
  projects: readonly { id: number; title: string }[];
  /** A secret that was just made, and the sentence about it. This is the only time that it is shown. */
  secret: { words: string; secret: string } | null;
  /** A sentence about the last action; null without one. */
  done: string | null;
  refused: RefusedWebhook | null;
}

/** The page with a person's webhooks, and the form for another one. */
export function renderWebhooksPage(view: WebhookPageView & { webhooks: readonly Webhook[] }): string {
  const { site, webhooks } = view;
  const texts = pageTexts(site).webhooks;
  const main = html`<div class="account">
    <h1>${texts.title}</h1>
    <p>${texts.help}</p>
    ${news(view)}
    <section aria-labelledby="list">
      <h2 id="list">${texts.title}</h2>
      ${webhooks.length === 0 && html`<p>${texts.none}</p>`}
      <ul class="credentials">
        ${webhooks.map(
          (webhook) =>
            html`<li>
              <div>
                <strong dir="auto">${nameOf(webhook)}</strong>
                <p class="help">${stateInWords(webhook, site)}</p>
              </div>
              <a class="button" href="${pathOf(site, webhook)}" aria-label="${texts.open(nameOf(webhook))}"
                >${texts.settings}</a
              >
            </li>`,
        )}
      </ul>
    </section>
    <section aria-labelledby="new">
      <h2 id="new">${texts.create}</h2>
      <form method="post" action="${site.account}webhooks/">
        ${fields(view, null)}
        <button class="button primary">${texts.create}</button>
      </form>
    </section>
    <p><a href="${site.account}">${texts.account}</a></p>
  </div>`;
  return renderPage({ site, title: texts.title, section: null, robots: "noindex", main });
}

/** The page of one webhook: its settings, and what it was told. */
export function renderWebhookPage(
  view: WebhookPageView & { webhook: Webhook; deliveries: readonly WebhookDelivery[] },
): string {
  const { site, csrfToken, webhook, deliveries } = view;
  const texts = pageTexts(site).webhooks;
  const path = pathOf(site, webhook);
  const main = html`<div class="account">
    <p><a href="${site.account}webhooks/">${texts.title}</a></p>
    <h1 dir="auto">${nameOf(webhook)}</h1>
    <p>${stateInWords(webhook, site)}</p>
    ${news(view)}
    <section aria-labelledby="settings">
      <h2 id="settings">${texts.settings}</h2>
      <form method="post" action="${path}">
        ${fields(view, webhook)}
        <button class="button primary">${texts.save}</button>
      </form>
    </section>
    <section aria-labelledby="deliveries">
      <h2 id="deliveries">${texts.deliveries}</h2>
      ${deliveries.length === 0 && html`<p>${texts.noDeliveries}</p>`}
      <ul class="credentials">
        ${deliveries.map((delivery) => deliveryItem(view, path, delivery))}
      </ul>
    </section>
    <section aria-labelledby="secret">
      <h2 id="secret">${texts.secret}</h2>
      <p class="help">${texts.rotateHelp}</p>
      <form method="post" action="${path}secret/">
        ${csrf(csrfToken)}<button class="button">${texts.rotate}</button>
      </form>
      <form method="post" action="${path}delete/">
        ${csrf(csrfToken)}<button class="button">${texts.delete}</button>
      </form>
    </section>
  </div>`;
  return renderPage({ site, title: nameOf(webhook), section: null, robots: "noindex", main });
}

function news({ done, secret }: WebhookPageView): Html {
  return html`${doneMessage(done)} ${secret !== null && secretMessage(secret.words, secret.secret)}`;
}

function deliveryItem({ site, csrfToken }: WebhookPageView, path: string, delivery: WebhookDelivery): Html {
  const texts = pageTexts(site).webhooks;
  const { id, event, state, attempts, next_at, at, status, milliseconds, problem } = delivery;
  const about = [
    ...(event.document === null ? [] : [texts.document(event.document)]),
    ...(event.project === null ? [] : [texts.ofProject(event.project)]),
  ].join(", ");
  const what = `${texts.names[event.type] ?? event.type}: ${about}`;
  const facts = [
    texts.states[state] ?? state,
    ...(at === null ? [] : [texts.sentAt(momentInWords(at, site))]),
    ...(attempts > 1 ? [texts.attempts(attempts)] : []),
    ...(status === null || milliseconds === null ? [] : [texts.answer(status, milliseconds)]),
    ...(next_at !== null && attempts > 0 ? [texts.nextAt(momentInWords(next_at, site))] : []),
    ...(problem === null ? [] : [texts.messages[problem] ?? problem]),
  ];
  return html`<li>
    <div>
      <strong>${what}</strong>
      <p class="help">${facts.join(" · ")}</p>
    </div>
    ${
      state !== "waiting" &&
      html`<form method="post" action="${path}deliveries/${String(id)}/">
        ${csrf(csrfToken)}<button class="button" aria-label="${texts.againOf(what)}">${texts.again}</button>
      </form>`
    }
  </li>`;
}

/** The fields of a webhook, as they are or as they were typed. */
function fields({ site, csrfToken, projects, refused }: WebhookPageView, webhook: Webhook | null): Html {
  const texts = pageTexts(site).webhooks;
  const state = stateOf(site, refused);
  const project = state.texts["project"] ?? String(webhook?.project ?? "");
  const types = new Set<string>(refused?.types ?? webhook?.types);
  const isEnabled = refused === null ? (webhook?.enabled ?? true) : state.texts["enabled"] !== undefined;
  return html`${csrf(csrfToken)} ${faultOf(state, "non_field_errors")}
    ${input(state, {
      name: "url",
      label: texts.url,
      type: "url",
      value: webhook?.url ?? "",
      maxLength: maxAddressLength,
    })}
    ${input(state, {
      name: "name",
      label: texts.name,
      value: webhook?.name ?? "",
      maxLength: webhookLimits.name,
      isOptional: true,
    })}
    <p class="field">
      <label for="project">${texts.project}</label>
      <select id="project" name="project" ${faultMarks(state, "project")}>
        ${option("", texts.everything, project)}
        ${projects.map(({ id, title }) => option(String(id), title, project))}
      </select>
      ${faultOf(state, "project")}
    </p>
    <details ${types.size > 0 && html`open`}>
      <summary>${texts.types}</summary>
      <p class="help">${texts.typesHelp}</p>
      ${eventTypes.map(
        (type) =>
          html`<p class="check">
            <input
              id="type-${type}"
              name="types"
              type="checkbox"
              value="${type}"
              ${types.has(type) && html`checked`}
            />
            <label for="type-${type}">${texts.names[type] ?? type}</label>
          </p>`,
      )}
    </details>
    ${checkbox("enabled", texts.enabled, isEnabled)}
    <p class="help">${texts.enabledHelp}</p>`;
}

function stateInWords({ enabled, problem, failing_since: since }: Webhook, site: Site): string {
  const texts = pageTexts(site).webhooks;
  const state = enabled ? texts.on : texts.off;
  const more = [
    ...(problem === null ? [] : [texts.stopped(texts.messages[problem] ?? problem)]),
    ...(enabled && since !== null ? [texts.failing(momentInWords(since, site))] : []),
  ];
  return [`${state}.`, ...more].join(" ");
}

const nameOf = ({ name, url }: Webhook): string => (name === "" ? url : name);

const pathOf = (site: Site, { id }: Webhook): string => `${site.account}webhooks/${id}/`;
