import { type Site, renderPage } from "../../http/browsable/page-shell.ts";
import { type Html, html } from "../../http/text/html.ts";
import type { OwnWork, RunningWork } from "../../resources/account/own-work-store.ts";
import { documentAddress } from "../../resources/documents/present.ts";
import { pageTexts } from "../../texts/pages.ts";

export interface WorkView {
  site: Site;
  work: OwnWork;
  /** How many files the person's browser holds back because they are here already. */
  heldBack: number;
  /** The address of the pages. */
  web: string;
}

/** Renders the page of the work that runs for the person who views it. */
export function renderWorkPage(view: WorkView): string {
  const { site } = view;
  const { title } = pageTexts(site).work;
  const main = html`<h1>${title}</h1>
    <div data-tray="${site.work}">${workParts(view, true)}</div>
    <script type="module" src="${site.trayScript}"></script>`;
  return renderPage({ site, title, section: null, robots: "noindex", hasOwnTray: true, main });
}

/**
 * What the tray shows. `data-news` changes when something is worth saying to people who do not see it: all of it has
 * ended, or more of it needs them.
 */
export function workParts(view: WorkView, isPage = false): Html {
  const { site, work, heldBack } = view;
  const words = pageTexts(site).work;
  const { read, failed, waiting } = work.batch;
  const total = read + failed + waiting;
  const others = work.running.filter(({ kind }) => kind === "redact" || kind === "change").length;
  const sentences = [
    ...(total > 0 ? [words.read(read, total)] : []),
    ...(failed > 0 ? [words.failed(failed)] : []),
    ...(others > 0 ? [words.others(others)] : []),
    ...(work.addons.length > 0 ? [words.addons(work.addons.length)] : []),
    ...(heldBack > 0 ? [words.heldBack(heldBack)] : []),
  ];
  const isEnded = work.active === 0 && work.addons.length === 0;
  const headline = isEnded ? words.nothing : sentences.join(" · ") || words.active(work.active);
  return html`<details
    class="work"
    ${isPage && html`open`}
    data-news="${`${failed} ${isEnded}`}"
    ${isEnded && html`data-ended`}
  >
    <summary><span class="work-head">${headline}</span></summary>
    ${
      total > 0 &&
      html`<progress
        max="${total}"
        value="${read + failed}"
        aria-label="${words.read(read, total)}"
      ></progress>`
    }
    <ul>
      ${work.uploads.map(
        ({ id, name }) =>
          html`<li>
            <a href="${site.home}imports/${id}/" dir="auto">${name}</a>
            <span class="help">${pageTexts(site).imports.kinds.upload}</span>
          </li>`,
      )}
      ${work.running.map((item) => runningItem(item, view))} ${work.addons.map((run) => addonItem(run, site))}
      ${work.failures.map(
        (document) =>
          html`<li class="needs-you">
            <a href="${documentAddress(view.web, document)}" dir="auto">${titleOf(document, site)}</a>
            <span class="help">${words.needsYou}</span>
          </li>`,
      )}
    </ul>
    ${
      work.active > work.running.length &&
      html`<p class="help">${words.more(work.active - work.running.length)}</p>`
    }
    ${!isPage && html`<p><a href="${site.work}">${words.all}</a></p>`}
  </details>`;
}

function runningItem(item: RunningWork, { site, web }: WorkView): Html {
  const words = pageTexts(site).work;
  const { document, kind, isRunning, done, total } = item;
  const state = isRunning ? words.kinds[kind] : words.waits[kind];
  const progress = isRunning && total !== null && total > 1 ? ` ${words.progress(done, total)}` : "";
  return html`<li>
    <a href="${documentAddress(web, document)}" dir="auto">${titleOf(document, site)}</a>
    <span class="help">${state}${progress}</span>
  </li>`;
}

function addonItem({ uuid, name, isRunning, progress }: OwnWork["addons"][number], site: Site): Html {
  const { work: words, addons } = pageTexts(site);
  return html`<li>
    <a href="${site.account}addons/runs/${uuid}/" dir="auto">${name}</a>
    <span class="help">${isRunning ? addons.progress(progress) : words.addonWaits}</span>
  </li>`;
}

const titleOf = ({ title }: { title: string }, site: Site): string =>
  title === "" ? pageTexts(site).untitled : title;
