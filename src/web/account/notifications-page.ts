import type { Notification, Notifications } from "../../contract/notification.ts";
import { type Site, renderPage } from "../../http/browsable/page-shell.ts";
import { type Html, html } from "../../http/text/html.ts";
import { timestampNow } from "../../http/text/timestamp.ts";
import { type Catalogue, pageTexts } from "../../texts/pages.ts";
import { momentInWords } from "../wording.ts";
import { csrf } from "./account-fields.ts";

/** Renders what the person who views the page is told of. `hasMail`: whether a mail server is set up. */
export function renderNotifications(
  site: Site,
  csrfToken: string,
  { unread, results, hasMail }: Notifications & { hasMail: boolean },
): string {
  const texts = pageTexts(site);
  const words = texts.notifications;
  const main = html`
    <h1>${words.title}</h1>
    ${results.length === 0 && html`<p class="notice">${words.nothing}</p>`}
    ${
      unread > 0 &&
      html`<form method="post" action="${site.home}notifications/">
        ${csrf(csrfToken)}
        <input type="hidden" name="read_until" value="${timestampNow()}" />
        <p class="buttons"><button class="button">${words.markRead(unread)}</button></p>
      </form>`
    }
    ${
      results.length > 0 &&
      html`<ul class="documents">
        ${results.map((notification) => item(notification, site, texts))}
      </ul>`
    }
    ${hasMail && html`<p><a href="${site.account}#notices">${words.mails}</a></p>`}
  `;
  return renderPage({ site, title: words.title, section: null, robots: "noindex", main });
}

function item(notification: Notification, site: Site, texts: Catalogue): Html {
  const { title, canonical_url: address, is_new: isNew, created_at: at } = notification;
  return html`<li>
    <h2 dir="auto"><a href="${address}">${title === "" ? texts.untitled : title}</a></h2>
    <p>
      ${isNew && html`<strong>${texts.notifications.unread}</strong>`}
      <bdi>${inWords(notification, texts)}</bdi>
      <time class="quiet" datetime="${at}">${momentInWords(at, site)}</time>
    </p>
  </li>`;
}

function inWords({ kind, count, by_name: name }: Notification, { notifications, mails }: Catalogue): string {
  const who = name ?? mails.somebody;
  switch (kind) {
    case "shared":
      return notifications.shared(who);
    case "mentioned":
      return notifications.mentioned(who);
    case "processed":
      return notifications.processed(count);
    case "failed":
      return notifications.failed(count);
  }
}
