import type { Site } from "../../http/browsable/page-shell.ts";
import { type Html, html } from "../../http/text/html.ts";
import { pageTexts } from "../../texts/pages.ts";

/** The part of the account page that leads to the guest links. */
export function guestPart(site: Site): Html {
  const texts = pageTexts(site).guests;
  return html`<section aria-labelledby="guests">
    <h2 id="guests">${texts.title}</h2>
    <p><a href="${site.account}guests/">${texts.linkHelp}</a></p>
  </section>`;
}

/** The part of the account page that leads to the addresses for mail; nothing where the server has none. */
export function mailPart({ language, mailIn }: Site): Html | null {
  if (mailIn === null) return null;
  const texts = pageTexts({ language }).mailkeys;
  return html`<section aria-labelledby="mailkeys">
    <h2 id="mailkeys">${texts.title}</h2>
    <p><a href="${mailIn}">${texts.linkHelp}</a></p>
  </section>`;
}

/** The part of the account page that leads to the add-ons; nothing where the server runs none. */
export function addonPart(site: Site): Html | null {
  if (site.addons === null) return null;
  const texts = pageTexts(site).addons;
  return html`<section aria-labelledby="addons">
    <h2 id="addons">${texts.title}</h2>
    <p><a href="${site.addons}">${texts.partHelp}</a></p>
  </section>`;
}
