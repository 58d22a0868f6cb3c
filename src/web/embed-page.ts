import { type Html, html } from "../http/text/html.ts";
import { type Site, renderBarePage } from "../http/browsable/page-shell.ts";

/** A page of a document as an image. */
export interface PageView {
  /** Counting from 1. */
  page: number;
  /** The address of the image. */
  source: string;
  width: number;
  height: number;
}

export interface EmbedView {
  site: Site;
  title: string;
  /** The document's own page. */
  href: string;
  pages: readonly PageView[];
  /** The address of the following pages. */
  next: string | null;
  /** The text of a note and the region of its page, as fractions of the page's width and height. */
  note: NoteView | null;
  robots: string | null;
  /** Additional elements for the page's head. */
  head: Html | null;
}

export interface NoteView {
  title: string;
  /** Sanitized, so safe to show. */
  content: Html;
  part: { x1: number; x2: number; y1: number; y2: number } | null;
}

/** Renders the content of a frame on another site: page images and a link to their document. */
export function renderEmbedPage({ site, title, href, pages, next, note, robots, head }: EmbedView): string {
  const main = html`<article class="embed">
    ${
      note !== null &&
      html`<h1 dir="auto">${note.title}</h1>
        <div class="note" dir="auto">${note.content}</div>`
    }
    ${pages.map((page) => (note === null || note.part === null ? pageImage(page, title) : part(page, note.part, title)))}
    ${next !== null && html`<p class="pages"><a class="button" href="${next}">More pages</a></p>`}
    <p class="origin"><a href="${href}" target="_blank" rel="noopener">${title}</a></p>
  </article>`;
  return renderBarePage({ site, title, robots, head, main });
}

function pageImage({ page, source, width, height }: PageView, title: string): Html {
  return html`<img
    src="${source}"
    width="${Math.round(width)}"
    height="${Math.round(height)}"
    alt="Page ${page} of ${title}"
    loading="lazy"
  />`;
}

function part(
  { page, source, width, height }: PageView,
  at: NonNullable<NoteView["part"]>,
  title: string,
): Html {
  const box = [at.x1 * width, at.y1 * height, (at.x2 - at.x1) * width, (at.y2 - at.y1) * height];
  return html`<svg
    viewBox="${box.map((length) => length.toFixed(1)).join(" ")}"
    role="img"
    aria-label="Part of page ${page} of ${title}"
  >
    <image href="${source}" width="${Math.round(width)}" height="${Math.round(height)}" />
  </svg>`;
}
