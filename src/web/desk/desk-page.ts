import { type Page, type Site, renderPage } from "../../http/browsable/page-shell.ts";
import type { Language } from "../../texts/languages.ts";
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
  /** The language of the content, if the page has no texts in the language of the site. */
  mainLanguage?: Language;
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
  mainLanguage = site.language,
  withoutScripts,
}: DeskPageView): string {
  const head = html`<link rel="stylesheet" href="${site.desk.stylesheet}" />
    <script type="module" src="${site.desk.scripts[mainLanguage]}"></script>`;
  const main = html`<h1>${title}</h1>
    ${intro !== undefined && html`<div lang="en">${intro}</div>`}
    <div data-desk="${name}" data-options="${JSON.stringify(options)}"></div>
    <noscript><div lang="en">${withoutScripts}</div></noscript>`;
  return renderPage({ site, title, section, robots: "noindex", head, main, mainLanguage });
}

/** A form that uploads one file, for browsers without scripts. The CSRF token has to precede the file. */
export function plainUploadForm(site: Site, csrfToken: string): Html {
  return html`<form class="fields" method="post" action="${site.api}documents/" enctype="multipart/form-data">
    <input type="hidden" name="csrfmiddlewaretoken" value="${csrfToken}" />
    <p class="field">
      <label for="access">Who can see it</label>
      <select id="access" name="access">
        <option value="private">Private: you and its projects</option>
        <option value="organization">Organization: all its members</option>
        <option value="public">Public: everyone</option>
      </select>
    </p>
    <p class="field">
      <label for="file">File</label>
      <input id="file" name="file" type="file" required />
    </p>
    <button class="button primary">Upload the file</button>
  </form>`;
}
