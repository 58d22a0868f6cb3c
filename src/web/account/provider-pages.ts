import { type Html, html } from "../../http/text/html.ts";
import type { ConnectedProvider } from "../../resources/identities/connect.ts";
import { pageTexts } from "../../texts/pages.ts";
import { type Site, renderPage } from "../../http/browsable/page-shell.ts";
import { csrf } from "../forms/fields.ts";

/** Links to the providers at which people sign in. */
export function providerLinks(
  site: Site,
  providers: readonly { id: number; name: string }[],
  next: string,
): Html {
  const { signInAt } = pageTexts(site).account;
  return html`<ul class="providers">
    ${providers.map(
      ({ id, name }) =>
        html`<li>
          <a class="button" href="${site.signIn}with/${String(id)}/?next=${encodeURIComponent(next)}"
            >${signInAt(name)}</a
          >
        </li>`,
    )}
  </ul>`;
}

/** The page that says why nobody was signed in. */
export function renderProviderProblemPage({ site, problem }: { site: Site; problem: string }): string {
  const texts = pageTexts(site).account;
  const main = html`<div class="sign-in">
    <h1>${texts.notSignedIn}</h1>
    <p class="problem" role="alert">${problem}</p>
    <p><a class="button primary" href="${site.signIn}">${texts.toSignIn}</a></p>
  </div>`;
  return renderPage({ site, title: texts.notSignedIn, section: null, robots: "noindex", main });
}

/** The page after signing out here, which goes on to the provider by itself. */
export function renderSignedOutPage(view: { site: Site; name: string; address: string }): string {
  const texts = pageTexts(view.site).account;
  const main = html`<div class="sign-in">
    <h1>${texts.signedOut}</h1>
    <p>${texts.signOutThere(view.name)}</p>
    <p><a class="button primary" href="${view.address}">${texts.goOn}</a></p>
  </div>`;
  const head = html`<meta http-equiv="refresh" content="0;url=${view.address}" />`;
  return renderPage({
    site: view.site,
    title: texts.signedOut,
    section: null,
    robots: "noindex",
    head,
    main,
  });
}

/** The part of the account page about the providers at which the user signs in. */
export function providerPart({
  site,
  csrfToken,
  providers,
}: {
  site: Site;
  csrfToken: string;
  providers: readonly ConnectedProvider[];
}): Html {
  const texts = pageTexts(site).account;
  const back = encodeURIComponent(`${site.account}?done=connected`);
  return html`<section aria-labelledby="identities">
    <h2 id="identities">${texts.identities}</h2>
    <p class="help">${texts.identitiesHelp}</p>
    <ul class="credentials">
      ${providers.map(
        ({ id, name, isConnected, isOnlyWay }) =>
          html`<li>
            <strong dir="auto">${name}</strong>
            ${
              isConnected
                ? isOnlyWay
                  ? texts.onlyWay
                  : html`<form method="post" action="${site.account}identities/${String(id)}/">
                      ${csrf(csrfToken)}<button class="button">${texts.disconnect(name)}</button>
                    </form>`
                : html`<a class="button" href="${site.signIn}with/${String(id)}/?connect=1&next=${back}"
                    >${texts.connect(name)}</a
                  >`
            }
          </li>`,
      )}
    </ul>
  </section>`;
}
