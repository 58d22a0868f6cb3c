import { type Page, type Site, renderPage } from "../../http/browsable/page-shell.ts";
import { type DeskOptions, type DeskPage, deskAttributes } from "../../contract/page-options.ts";
import { type Html, attributesFrom, html } from "../../http/text/html.ts";

export interface DeskPageView {
  site: Site;
  title: string;
  section: Page["section"];
  /** The page as the script knows it. */
  page: DeskPage;
  options: DeskOptions;
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
  page,
  options,
  intro,
  withoutScripts,
}: DeskPageView): string {
  const { stylesheet, script, chunks } = site.desk[site.language];
  const head = html`<link rel="stylesheet" href="${stylesheet}" />
    ${chunks.map((chunk) => html`<link rel="modulepreload" href="${chunk}" />`)}
    <script type="module" src="${script}"></script>`;
  const main = html`<h1>${title}</h1>
    ${intro}
    <div ${attributesFrom(deskAttributes(page, options))}></div>
    <noscript>${withoutScripts}</noscript>`;
  return renderPage({ site, title, section, robots: "noindex", head, main });
}
