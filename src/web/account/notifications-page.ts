import {
  type NoticeChoice,
  type Notification,
  type Notifications,
  noticeChoices,
  notificationKinds,
} from "../../contract/notification.ts";
import { type Site, renderPage } from "../../http/browsable/page-shell.ts";
import { type Html, html } from "../../http/text/html.ts";
import { timestampNow } from "../../http/text/timestamp.ts";
import type { presentProfile } from "../../resources/account/present.ts";
import { noticeMember } from "../../resources/users/notice-choices.ts";
import { type Catalogue, pageTexts } from "../../texts/pages.ts";
import { momentInWords } from "../wording.ts";
import { csrf, option } from "../forms/fields.ts";

/** Renders what the person who views the page is told of. */
export function renderNotifications(
  site: Site,
  csrfToken: string,
  { unread, results }: Notifications,
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
    <p><a href="${site.account}#notices">${words.mails}</a></p>
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

function inWords(
  { kind, count, by, by_name: name }: Notification,
  { notifications, mails }: Catalogue,
): string {
  const who = name ?? mails.somebody;
  switch (kind) {
    case "shared":
      return notifications.shared(who);
    case "mentioned":
      return notifications.mentioned(who);
    case "annotated":
    case "opened":
      return notifications[kind](count, who);
    case "stopped":
      return notifications.stopped;
    case "failed":
      return by === null || count > 1 ? notifications.failed(count) : notifications.cancelled(who);
    case "processed":
    case "redacted":
    case "finished":
      return notifications[kind](count);
  }
}

/** The form with the choices. Without a mail server, a choice of mails is shown as that of the page, and stays. */
export function noticesForm({
  site,
  csrfToken,
  profile,
  hasMail,
}: {
  site: Site;
  csrfToken: string;
  profile: ReturnType<typeof presentProfile>;
  /** Whether a mail server is set up. */
  hasMail: boolean;
}): Html {
  const texts = pageTexts(site).account;
  return html`<section aria-labelledby="notices">
    <h2 id="notices">${texts.notices}</h2>
    <p class="help">${texts.noticesHelp}</p>
    <form method="post" action="${site.account}notices/">
      ${csrf(csrfToken)}
      ${notificationKinds.map((kind) => {
        const name = noticeMember(kind);
        const told = profile[name] === "off" ? "page" : profile[name];
        const choices = hasMail ? noticeChoices : ([told, "off"] as const);
        const textOf = (choice: NoticeChoice): string =>
          texts.noticeChoices[choice === "mail" && !hasMail ? "page" : choice];
        return html`<p class="field beside">
          <label for="${name}">${texts.noticeKinds[kind]}</label>
          <select id="${name}" name="${name}">
            ${choices.map((choice) => option(choice, textOf(choice), profile[name]))}
          </select>
        </p>`;
      })}
      ${
        hasMail
          ? html`<p class="check">
              <input
                id="mail_notices"
                name="mail_notices"
                type="checkbox"
                value="true"
                ${profile.mail_notices && html`checked`}
              />
              <label for="mail_notices">${texts.wantsNotices}</label>
            </p>`
          : profile.mail_notices && html`<input type="hidden" name="mail_notices" value="true" />`
      }
      <button class="button primary">${texts.saveNotices}</button>
    </form>
  </section>`;
}
