import { type Html, html } from "../http/text/html.ts";
import {
  type Site,
  formSecurityPolicy,
  pageSecurityPolicy,
  renderPage,
} from "../http/browsable/page-shell.ts";
import { isWebAddress } from "../http/text/web-address.ts";
import { type ShownDocument, documentFacts } from "./document-facts.ts";
import { type FileAccount, fileAccount, stepInWords } from "./file-account.ts";
import { bytesInWords, statusInWords } from "./wording.ts";

export interface DocumentPageView {
  site: Site;
  document: ShownDocument;
  /** The document's file; null if there is none. */
  file: FileView | null;
  /** Addresses: this page's canonical address, and the record as JSON and in the browsable API. */
  canonical: string;
  /** For the head: see document-head.ts. */
  links: Html | null;
  record: string;
  browsable: string;
  /** Null for viewers who may not change the document. */
  account: FileAccount | null;
}

export interface FileView {
  /** Absolute. Any other scheme than http or https counts as no file: the address may come from an imported record. */
  href: string;
  /** The extension of that file, without a dot: "pdf". */
  extension: string;
  /** Null if it is unknown. */
  bytes: number | null;
}

/** The robots directive of a document, for its page and for the `X-Robots-Tag` header; null for none. */
export function robotsFor({
  noindex,
  adminNoindex,
}: Pick<ShownDocument, "noindex" | "adminNoindex">): string | null {
  return noindex || adminNoindex ? "noindex" : null;
}

/**
 * The Content-Security-Policy of a document's page, which embeds a file from wherever it is stored. A PDF in an
 * `<object>` is checked against `object-src`, and in Chromium, which shows it in a frame, against `frame-src` too.
 * `files` is the address of the file store if the document is being processed, since its file may appear while the
 * page is open; otherwise null.
 */
export function documentSecurityPolicy(file: FileView | null, files: string | null = null): string {
  const embedded = file !== null && isPdf(file) && isWebAddress(file.href) ? file.href : files;
  const policy = files === null ? pageSecurityPolicy : formSecurityPolicy;
  if (embedded === null) return policy;
  const { origin } = new URL(embedded);
  return `${policy}; object-src ${origin}; frame-src ${origin}`;
}

/** Renders the page of a document. */
export function renderDocumentPage(view: DocumentPageView): string {
  const { site, document, canonical, links, record, browsable, account } = view;
  const file = view.file !== null && isWebAddress(view.file.href) ? view.file : null;
  const title = document.title === "" ? "Untitled" : document.title;
  const progress = account?.progress ?? null;
  const events = `${site.api}documents/${document.id}/process/events/`;
  const head = html`<link rel="canonical" href="${canonical}" />
    <link rel="alternate" type="application/json" href="${record}" />
    ${links} ${progress !== null && html`<script type="module" src="${site.progressScript}"></script>`}`;
  const said = progress === null ? statusInWords(document.status) : stepInWords(progress.step);
  const main = html`
    <article
      class="document"
      ${progress !== null && html`data-events="${events}"`}
      data-stage="${document.status} ${progress?.step ?? ""}"
      data-said="${said}"
    >
      ${progress !== null && html`<p class="visually-hidden" role="status" data-announcement></p>`}
      <header data-part="head">
        <h1 dir="auto">${title}</h1>
        ${document.description !== "" && html`<p class="description" dir="auto">${document.description}</p>`}
        <p class="buttons">
          ${file !== null && html`<a class="button primary" href="${file.href}" download>${downloadLabel(file)}</a>`}
          <a class="button" href="${record}">Record as JSON</a>
          <a class="button" href="${browsable}">Record in the browsable API</a>
        </p>
      </header>
      <section class="reader" data-part="reader" aria-label="Document">${reader(file, title)}</section>
      <section class="about" data-part="about" aria-labelledby="about">
        <h2 id="about">About this document</h2>
        ${documentFacts(document)}
      </section>
      ${account !== null && fileAccount(account)}
    </article>
  `;
  return renderPage({ site, title, section: "documents", robots: robotsFor(document), head, main });
}

function downloadLabel({ extension, bytes }: FileView): string {
  const kind = extension === "" ? "" : ` ${extension.toUpperCase()}`;
  return `Download${kind}${bytes === null ? "" : ` (${bytesInWords(bytes)})`}`;
}

/**
 * The browser's own PDF viewer, as wide as the page and without its sidebar. Browsers without one, as on most phones,
 * show the content of the element.
 */
function reader(file: FileView | null, title: string): Html {
  if (file === null) return notice("There is no file for this document here.");
  if (!isPdf(file)) {
    const kind =
      file.extension === "" ? "This file" : `This is a file of type ${file.extension.toUpperCase()}, which`;
    return notice(`${kind} cannot be read in the browser.`, file);
  }
  return html`<object
    data="${file.href}#navpanes=0&amp;pagemode=none&amp;view=FitH"
    type="application/pdf"
    aria-label="${title}"
  >
    ${notice("This browser does not show PDFs within a page.", file)}
  </object>`;
}

function notice(text: string, file?: FileView): Html {
  const link = file && html`<p><a href="${file.href}">Open or download the file</a></p>`;
  return html`<div class="notice">
    <p>${text}</p>
    ${link}
  </div>`;
}

const isPdf = ({ extension }: FileView): boolean => extension.toLowerCase() === "pdf";
