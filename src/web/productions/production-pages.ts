import { productionLimits } from "../../contract/limits.ts";
import { type Site, pageButtons, renderPage } from "../../http/browsable/page-shell.ts";
import { type Html, html } from "../../http/text/html.ts";
import type { ProducedDocument, Production } from "../../resources/productions/shapes.ts";
import { pageTexts } from "../../texts/pages.ts";
import { csrf } from "../forms/fields.ts";
import { momentInWords } from "../wording.ts";

interface Neighbours {
  previous: string | null;
  next: string | null;
}

export const productionAddress = ({ home }: Site, id: number): string => `${home}productions/${id}/`;

/** Its name, or its numbers. */
const nameOf = ({ name, begin, end }: Production): string => (name === "" ? `${begin} – ${end}` : name);

export function renderProductionsPage({
  site,
  productions,
  previous,
  next,
}: Neighbours & { site: Site; productions: readonly Production[] }): string {
  const texts = pageTexts(site).productions;
  const main = html`<div class="account">
    <h1>${texts.title}</h1>
    <p>${texts.help(productionLimits.days)}</p>
    <p><a class="button" href="${site.home}productions/new/">${texts.create}</a></p>
    ${productions.length === 0 && html`<p class="notice">${texts.none}</p>`}
    <ul class="credentials">
      ${productions.map(
        (one) =>
          html`<li>
            <div>
              <a href="${productionAddress(site, one.id)}" dir="auto"><strong>${nameOf(one)}</strong></a>
              <p class="help">
                ${one.begin} – ${one.end} · ${texts.documents(one.documents)} ·
                ${momentInWords(one.created_at, site)} · ${texts.states[one.state]}
              </p>
            </div>
          </li>`,
      )}
    </ul>
    ${pageButtons(previous, next, { locale: site })}
  </div>`;
  return renderPage({ site, title: texts.title, section: null, robots: "noindex", main });
}

export interface ProductionView extends Neighbours {
  site: Site;
  csrfToken: string;
  shown: Production;
  documents: readonly ProducedDocument[];
}

export function renderProductionPage(view: ProductionView): string {
  const { site, shown, csrfToken, documents, previous, next } = view;
  const texts = pageTexts(site).productions;
  const isMaking = shown.state === "making";
  const mayRemove = isMaking || shown.expires_at !== null;
  const main = html`<div class="account imports">
    <p><a href="${site.home}productions/">${texts.all}</a></p>
    <h1 dir="auto">${nameOf(shown)}</h1>
    <div data-tray="${productionAddress(site, shown.id)}">${productionParts(view)}</div>
    ${isMaking && html`<script type="module" src="${site.trayScript}"></script>`}
    <section aria-labelledby="documents">
      <h2 id="documents">${texts.documentsOfIt}</h2>
      <ul class="credentials">
        ${documents.map((one) => documentItem(one, site))}
      </ul>
      ${pageButtons(previous, next, { locale: site })}
    </section>
    ${
      mayRemove &&
      html`<form method="post" action="${productionAddress(site, shown.id)}remove/">
        ${csrf(csrfToken)}
        <p class="help">${texts.numbersStay}</p>
        <button class="button">${isMaking ? texts.cancel : texts.remove}</button>
      </form>`
    }
  </div>`;
  const title = nameOf(shown);
  return renderPage({ site, title, section: null, robots: "noindex", hasOwnTray: true, main });
}

function documentItem(
  { begin, end, title, canonical_url, state, reason }: ProducedDocument,
  site: Site,
): Html {
  const { productions: texts, untitled } = pageTexts(site);
  const name = title === null ? texts.notShown : title === "" ? untitled : title;
  const facts = [
    begin === end ? begin : `${begin} – ${end}`,
    texts.producedStates[state],
    ...(reason === null ? [] : [reason]),
  ];
  return html`<li>
    <div>
      ${
        canonical_url === null
          ? html`<span>${name}</span>`
          : html`<a href="${canonical_url}" dir="auto">${name}</a>`
      }
      <p class="help">${facts.join(" · ")}</p>
    </div>
  </li>`;
}

/** What changes while it is made; the script reads it again, and says so if `data-news` has changed. */
export function productionParts({ site, shown }: Pick<ProductionView, "site" | "shown">): Html {
  const texts = pageTexts(site).productions;
  const { state, documents, waiting, slip_sheets: slips, withheld, left_out: leftOut } = shown;
  const isMaking = state === "making";
  const progress = texts.progress(documents - waiting, documents);
  const counts = [
    ...(slips > 0 ? [texts.slips(slips)] : []),
    ...(withheld > 0 ? [texts.withheld(withheld)] : []),
    ...(leftOut > 0 ? [texts.leftOut(leftOut)] : []),
  ];
  const problem = state === "failed" || state === "withdrawn" ? texts.means[state] : null;
  return html`<section data-news="${state}" ${!isMaking && html`data-ended`}>
    <p><strong class="work-head">${isMaking ? progress : texts.states[state]}</strong></p>
    <p>${texts.range(shown.begin, shown.end)} · ${texts.documents(documents)}</p>
    ${
      isMaking &&
      html`<progress max="${documents}" value="${documents - waiting}" aria-label="${progress}"></progress>`
    }
    ${counts.length > 0 && html`<p class="help">${counts.join(" · ")}</p>`}
    ${problem !== null && html`<p class="problem">${problem} ${shown.reason ?? ""}</p>`}
    ${
      shown.zip_url !== null &&
      html`<p>
          <a class="button primary" href="${site.api}productions/${shown.id}/zip/" download
            >${texts.download}</a
          >
        </p>
        <p class="help">${texts.keptUntil(momentInWords(shown.expires_at ?? "", site))}</p>`
    }
  </section>`;
}
