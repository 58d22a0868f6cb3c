import { viewerAttributes } from "../contract/page-options.ts";
import { type Html, attributesFrom, html, markupFrom } from "../http/text/html.ts";
import { type Site, type Theme, renderBarePage } from "../http/browsable/page-shell.ts";
import { pageTexts } from "../texts/pages.ts";
import type { NoteRow } from "../resources/notes/store.ts";
import { viewerHead } from "./document-page.ts";
import type { PlainPage } from "./pages-without-scripts.ts";

export interface EmbeddedView {
  site: Site;
  theme: Theme | null;
  /** The id of the document. */
  id: number;
  title: string;
  /** The code of the language of its texts. */
  language: string;
  robots: string | null;
  /** Additional elements for the page's head. */
  links: Html | null;
  /** The document's own page. */
  href: string;
  /** The address below which the document's files are: absolute or a path, with a slash at the end. */
  assets: string;
  /** The extension of page images. Null if there are none. */
  imageType: string | null;
  /** The fragment of the place at which the viewer opens. Null for the beginning. */
  fragment: string | null;
  /** The page that browsers without scripts show. */
  plain: Omit<PlainPage, "text"> & { pageCount: number };
  /** The embedded note. Null for a page or the whole document. */
  note: Pick<NoteRow, "title" | "content_html"> | null;
}

/** Parses the parameter by which the embedding site chooses the colours. Null leaves the choice to the browser. */
export function readTheme(text: string | undefined): Theme | null {
  return text === "light" || text === "dark" ? text : null;
}

/** Renders the page for a frame on another site: the viewer, and a link to the document. */
export function renderEmbeddedViewer(view: EmbeddedView): string {
  const { site, theme, id, href, assets, imageType, fragment, plain, note, robots, links } = view;
  const texts = pageTexts(site);
  const title = view.title === "" ? texts.untitled : view.title;
  const head = html`<base target="_blank" />
    <link rel="canonical" href="${href}" />
    ${links} ${viewerHead(site, id)}`;
  const options = viewerAttributes({
    document: id,
    api: site.api,
    files: assets,
    fragment,
    language: view.language,
    images: imageType,
    reading: false,
    addons: null,
    events: false,
    csrf: null,
    stage: null,
    said: null,
  });
  const main = html`<article class="document embed" aria-label="${title}" ${attributesFrom(options)}>
    <h1 class="visually-hidden" dir="auto">${note === null ? title : note.title}</h1>
    <div data-viewer="embedded"></div>
    <noscript>
      ${
        note !== null &&
        html`<h2 dir="auto">${note.title}</h2>
          <div class="note" dir="auto">${markupFrom(note.content_html)}</div>`
      }
      ${
        plain.pageCount > 0 &&
        plain.image !== null &&
        plainImage(plain.image, plain, texts.document.imageOfTitle(plain.page, title))
      }
    </noscript>
    <p class="origin">
      <a data-origin href="${href}${fragment ?? ""}" rel="noopener"><bdi>${title}</bdi></a>
    </p>
  </article>`;
  return renderBarePage({ site, title, robots, head, main, theme });
}

function plainImage(image: string, { width, height }: EmbeddedView["plain"], alt: string): Html {
  return html`<img
    src="${image}"
    width="1000"
    height="${Math.round((1000 * height) / width)}"
    alt="${alt}"
  />`;
}

/** Renders the page for a frame whose document is missing or hidden from the reader. */
export function renderMissingEmbed({
  site,
  theme,
  href,
}: Pick<EmbeddedView, "site" | "theme" | "href">): string {
  const texts = pageTexts(site).document;
  const main = html`<div class="embed missing">
    <h1>${texts.cannotBeShown}</h1>
    <p>${texts.whyNotShown}</p>
    <p><a class="button" href="${href}" target="_blank" rel="noopener">${texts.openInQuire}</a></p>
  </div>`;
  return renderBarePage({
    site,
    title: texts.cannotBeShown,
    robots: "noindex",
    head: null,
    main,
    theme,
  });
}
