import { pageTexts } from "../texts/pages.ts";
import { type Html, html } from "../http/text/html.ts";
import { type Site, renderPage } from "../http/browsable/page-shell.ts";

export interface ErrorPageView {
  site: Site;
  status: number;
  /** The error in a few words: "Page not found". */
  title: string;
  /** An explanation for the reader, in a sentence or two. */
  message: string;
}

/** Renders an error page. */
export function renderErrorPage({ site, status, title, message }: ErrorPageView): string {
  const main = html`<div class="error">
    <p class="error-status">${status}</p>
    <h1>${title}</h1>
    <p>${message}</p>
    ${[403, 404].includes(status) && site.visitor?.name === null && signInOffer(site, site.visitor.here)}
    <p><a class="button" href="${site.home}">${pageTexts(site).errors.allDocuments}</a></p>
  </div>`;
  return renderPage({ site, title, section: null, robots: "noindex", main });
}

/**
 * Links in mails and messages often lead to what only signed-in people may see, and a session may have ended before a
 * form was sent. Whether what was asked for exists is not said.
 */
function signInOffer(site: Site, here: string): Html {
  const { errors, signIn } = pageTexts(site);
  return html`<p>${errors.signInFirst}</p>
    <p><a class="button primary" href="${site.signIn}?next=${encodeURIComponent(here)}">${signIn}</a></p>`;
}
