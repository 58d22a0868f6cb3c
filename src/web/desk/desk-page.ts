import { type Page, type Site, renderPage } from "../../http/browsable/page-shell.ts";
import type { Catalogue } from "../../texts/pages-english.ts";
import { type Html, html } from "../../http/text/html.ts";

export interface DeskPageView {
  site: Site;
  title: string;
  section: Page["section"];
  /** The name by which the script knows the page. */
  name: string;
  /** The options of the script: DeskOptions of src/desk/. */
  options: object;
  /** Shown above what the script fills. */
  intro?: Html;
  /** The content for browsers without scripts. */
  withoutScripts: Html;
}

/** Renders a page of the desk, which its script fills. */
export function renderDeskPage({
  site,
  title,
  section,
  name,
  options,
  intro,
  withoutScripts,
}: DeskPageView): string {
  const head = html`<link rel="stylesheet" href="${site.deskStylesheet}" />
    <script type="module" src="${site.deskScripts[site.language].address}"></script>`;
  const main = html`<h1>${title}</h1>
    ${intro}
    <div data-desk="${name}" data-options="${JSON.stringify(options)}"></div>
    <noscript>${withoutScripts}</noscript>`;
  return renderPage({ site, title, section, robots: "noindex", head, main });
}

/** A form that uploads one file, for browsers without scripts. The CSRF token has to precede the file. */
export function plainUploadForm(site: Site, csrfToken: string, texts: Catalogue["plainUpload"]): Html {
  return html`<form class="fields" method="post" action="${site.api}documents/" enctype="multipart/form-data">
    <input type="hidden" name="csrfmiddlewaretoken" value="${csrfToken}" />
    <p class="field">
      <label for="access">${texts.access}</label>
      <select id="access" name="access">
        ${Object.entries(texts.levels).map(([level, name]) => html`<option value="${level}">${name}</option>`)}
      </select>
    </p>
    <p class="field">
      <label for="file">${texts.file}</label>
      <input id="file" name="file" type="file" required />
    </p>
    <button class="button primary">${texts.upload}</button>
  </form>`;
}

/** A form that replaces the file of a document, for browsers without scripts. The CSRF token has to precede the file. */
export function plainReplacementForm(
  site: Site,
  csrfToken: string,
  id: number,
  { plainUpload, replaceFile }: Catalogue,
): Html {
  return html`<form
    class="fields"
    method="post"
    action="${site.api}documents/${id}/file/"
    enctype="multipart/form-data"
  >
    <input type="hidden" name="csrfmiddlewaretoken" value="${csrfToken}" />
    <p class="field">
      <label for="file">${plainUpload.newFileOf(id)}</label>
      <input id="file" name="file" type="file" required />
    </p>
    <button class="button primary">${replaceFile}</button>
  </form>`;
}
