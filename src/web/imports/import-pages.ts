import {
  type Import,
  type ImportFile,
  type ImportFileState,
  type ImportProgress,
  importFileStates,
} from "../../contract/work.ts";
import { type Site, pageButtons, renderPage } from "../../http/browsable/page-shell.ts";
import { type Html, html } from "../../http/text/html.ts";
import { pageTexts } from "../../texts/pages.ts";
import { csrf, doneMessage } from "../forms/fields.ts";
import { documentsInWords, momentInWords } from "../wording.ts";

interface Neighbours {
  previous: string | null;
  next: string | null;
}

export interface ImportView extends Neighbours {
  site: Site;
  csrfToken: string;
  shown: ImportProgress;
  /** The page of the archive that it is about. */
  archive: string | null;
  files: readonly ImportFile[];
  /** The states that the list is limited to; empty for all. */
  states: readonly ImportFileState[];
  extension: string;
  /** Whether documents have just been put in line. */
  isStarted: boolean;
}

/** The states that need attention. */
export const problemStates: readonly ImportFileState[] = ["unreadable", "failed", "skipped"];

export function renderImportsPage({
  site,
  imports,
  previous,
  next,
}: Neighbours & { site: Site; imports: readonly Import[] }): string {
  const texts = pageTexts(site).imports;
  const main = html`<div class="account imports">
    <h1>${texts.title}</h1>
    <p>${texts.help}</p>
    ${imports.length === 0 && html`<p class="notice">${texts.none}</p>`}
    <ul class="credentials">
      ${imports.map(
        (one) =>
          html`<li>
            <div>
              <a href="${importAddress(site, one.id)}" dir="auto"><strong>${nameOf(one, site)}</strong></a>
              <p class="help">
                ${texts.kinds[one.kind]} · ${momentInWords(one.started_at, site)} · ${stateInWords(one, site)}
                · ${outcomeInWords(one, site)}
              </p>
            </div>
          </li>`,
      )}
    </ul>
    ${pageButtons(previous, next, { locale: site })}
  </div>`;
  return renderPage({ site, title: texts.title, section: null, robots: "noindex", main });
}

export const importAddress = ({ home }: Site, id: number): string => `${home}imports/${id}/`;

function nameOf({ name, kind }: Import, site: Site): string {
  return name === "" ? pageTexts(site).imports.kinds[kind] : name;
}

/** Nobody stops an upload but by closing its page. */
function stateInWords({ kind, state }: Pick<Import, "kind" | "state">, site: Site): string {
  const texts = pageTexts(site).imports;
  const isClosed = kind === "upload" && (state === "interrupted" || state === "stopped");
  return isClosed ? texts.pageClosed : texts.states[state];
}

function outcomeInWords({ added, known, skipped, failed }: Import, site: Site): string {
  const texts = pageTexts(site).imports;
  const words = [texts.summary(added)];
  if (known > 0) words.push(texts.knownCount(known));
  if (skipped > 0) words.push(texts.skippedCount(skipped));
  if (failed > 0) words.push(texts.failedCount(failed));
  return words.join(", ");
}

export function renderImportPage(view: ImportView): string {
  const { site, shown, archive, isStarted } = view;
  const texts = pageTexts(site).imports;
  const name = nameOf(shown, site);
  const isLive = shown.state === "running" || shown.waiting > 0;
  const main = html`<div class="account imports">
    <p><a href="${site.home}imports/">${texts.all}</a></p>
    <h1 dir="auto">${archive === null ? name : html`<a href="${archive}">${name}</a>`}</h1>
    ${isStarted && doneMessage(texts.started)}
    <div data-tray="${importAddress(site, shown.id)}">${importParts(view)}</div>
    ${(isLive || isStarted) && html`<script type="module" src="${site.trayScript}"></script>`}
    ${fileSection(view)} ${processForm(view)}
    <section aria-labelledby="about">
      <h2 id="about">${texts.about}</h2>
      <dl class="facts">
        <div>
          <dt>${texts.kind}</dt>
          <dd>${texts.kinds[shown.kind]}</dd>
        </div>
        <div>
          <dt>${texts.startedAt}</dt>
          <dd>${momentInWords(shown.started_at, site)}</dd>
        </div>
        ${
          shown.ended_at !== null &&
          html`<div>
            <dt>${texts.endedAt}</dt>
            <dd>${momentInWords(shown.ended_at, site)}</dd>
          </div>`
        }
        <div>
          <dt>${texts.version}</dt>
          <dd>${shown.version}</dd>
        </div>
      </dl>
    </section>
  </div>`;
  return renderPage({ site, title: name, section: null, robots: "noindex", hasOwnTray: true, main });
}

/** What changes while it runs; the script reads this part again. `data-news` changes when there is something to say. */
export function importParts({ site, shown }: Pick<ImportView, "site" | "shown">): Html {
  const texts = pageTexts(site).imports;
  const { state, seen, added, waiting, read, unreadable, per_second, seconds_left } = shown;
  const isRunning = state === "running";
  const total = waiting + read + unreadable;
  const isEnded = !isRunning && waiting === 0;
  const done = shown.added + shown.changed + shown.known + shown.skipped + shown.failed;
  const taking = seen === null ? texts.progressUnknown(done) : texts.progress(done, seen);
  const sentences = [
    ...(isRunning || state !== "done" ? [taking] : []),
    ...(total > 0 && !isEnded ? [texts.reading(read + unreadable, total)] : []),
    ...(isEnded ? [added === 0 ? texts.endedNothing : texts.ended] : []),
  ];
  const { now, since_start: start } = total > 0 ? per_second.read : per_second.taken_in;
  return html`<section
    data-news="${`${isRunning} ${isEnded} ${unreadable > 0}`}"
    ${isEnded && html`data-ended`}
  >
    <p><strong class="work-head">${sentences.join(" · ")}</strong></p>
    ${state !== "running" && state !== "done" && html`<p class="problem">${stateInWords(shown, site)}</p>`}
    ${
      !isEnded &&
      html`<progress
          max="${Math.max(1, total)}"
          value="${read + unreadable}"
          aria-label="${texts.reading(read + unreadable, total)}"
        ></progress>
        <p class="help">
          ${texts.rate(now, start)} ·
          ${seconds_left === null ? texts.leftUnknown : texts.left(Math.floor(seconds_left / 60))}
        </p>`
    }
    ${kindTable(shown, site)}
  </section>`;
}

/** A column for each state in which there is a file. */
function kindTable({ kinds, seen }: ImportProgress, site: Site): Html {
  const { imports: texts, formats } = pageTexts(site);
  const columns = importFileStates.filter((state) => kinds.some((kind) => kind[state] > 0));
  const sumOf = (state: ImportFileState): number => kinds.reduce((total, kind) => total + kind[state], 0);
  if (columns.length === 0) return html``;
  return html`<div class="table-scroll" tabindex="0" role="region" aria-label="${texts.byKind}">
    <table>
      <caption>
        ${texts.byKind}${seen !== null && html` · ${texts.seen}: ${formats.number(seen)}`}
      </caption>
      <thead>
        <tr>
          <th scope="col">${texts.kind}</th>
          ${columns.map((state) => html`<th scope="col">${texts.fileStates[state]}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${kinds.map(
          (kind) =>
            html`<tr>
              <th scope="row">${kind.extension === "" ? texts.noExtension : kind.extension}</th>
              ${columns.map((state) => html`<td>${formats.number(kind[state])}</td>`)}
            </tr>`,
        )}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">${texts.everything}</th>
          ${columns.map((state) => html`<td>${formats.number(sumOf(state))}</td>`)}
        </tr>
      </tfoot>
    </table>
  </div>`;
}

function fileSection(view: ImportView): Html {
  const { site, shown, files, states, extension, previous, next } = view;
  const { imports: texts, untitled } = pageTexts(site);
  const chosen = states.join();
  const choices = [
    [problemStates.join(), texts.problems],
    ["", texts.everything],
    ...importFileStates.map((state) => [state, texts.fileStates[state]] as const),
  ] as const;
  return html`<section aria-labelledby="files">
    <h2 id="files">${texts.files}</h2>
    <form class="note-filters" method="get" action="${importAddress(site, shown.id)}#files">
      <p class="field">
        <label for="state">${texts.filter}</label>
        <select id="state" name="state">
          ${choices.map(
            ([value, words]) =>
              html`<option value="${value}" ${value === chosen && html`selected`}>${words}</option>`,
          )}
        </select>
      </p>
      ${kindChoice(view, "extension-filter", extension)}
      <p class="buttons"><button class="button">${pageTexts(site).noteList.show}</button></p>
    </form>
    ${files.length === 0 && html`<p>${texts.noFiles}</p>`}
    <ul class="credentials">
      ${files.map(
        ({ path, state, reason, title, canonical_url }) =>
          html`<li>
            <div>
              ${
                canonical_url === null
                  ? html`<span dir="auto">${path === "" ? nameOf(shown, site) : path}</span>`
                  : html`<a href="${canonical_url}" dir="auto">${path === "" ? title || untitled : path}</a>`
              }
              <p class="help">
                ${texts.fileStates[state]}${reason !== null && reason !== "" && html`: ${reason}`}
              </p>
            </div>
          </li>`,
      )}
    </ul>
    ${pageButtons(previous, next, { locale: site })}
  </section>`;
}

function kindChoice({ site, shown }: ImportView, id: string, chosen: string): Html {
  const texts = pageTexts(site).imports;
  const extensions = shown.kinds.map(({ extension }) => extension).filter((extension) => extension !== "");
  return html`<p class="field">
    <label for="${id}">${texts.kind}</label>
    <select id="${id}" name="extension">
      <option value="">${texts.anyKind}</option>
      ${extensions.map(
        (extension) =>
          html`<option value="${extension}" ${extension === chosen && html`selected`}>${extension}</option>`,
      )}
    </select>
  </p>`;
}

function processForm(view: ImportView): Html {
  const { site, shown, csrfToken } = view;
  const texts = pageTexts(site).imports;
  if (shown.read + shown.unreadable === 0) return html``;
  return html`<section aria-labelledby="again">
    <h2 id="again">${texts.processAgain}</h2>
    <p class="help">${texts.processAgainHelp}</p>
    <form method="post" action="${importAddress(site, shown.id)}process/">
      ${csrf(csrfToken)}
      <p class="field">
        <label for="which">${texts.which}</label>
        <select id="which" name="which">
          ${
            shown.unreadable > 0 &&
            html`<option value="failed">
              ${texts.whichFailed} (${documentsInWords(shown.unreadable, site)})
            </option>`
          }
          <option value="all">${texts.whichAll}</option>
        </select>
      </p>
      ${kindChoice(view, "kind", "")}
      <p class="choice">
        <label><input type="checkbox" name="older" value="true" /> ${texts.older}</label>
      </p>
      <button class="button">${texts.processAgain}</button>
    </form>
  </section>`;
}
