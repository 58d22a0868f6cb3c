import { fileKinds } from "../file-kinds.ts";
import { stageOf, viewerAttributes } from "../contract/page-options.ts";
import { type Html, attributesFrom, html } from "../http/text/html.ts";
import {
  type Site,
  formSecurityPolicy,
  pageSecurityPolicy,
  renderPage,
} from "../http/browsable/page-shell.ts";
import type { Locale } from "../texts/formats.ts";
import type { Catalogue } from "../texts/pages.ts";
import { pageTexts } from "../texts/pages.ts";
import { isWebAddress } from "../http/text/web-address.ts";
import { type ShownDocument, documentFacts } from "./document-facts.ts";
import { type ShownFamily, copiesList, familyList, threadList, wayUp } from "./family.ts";
import { type FileAccount, fileAccount, stepInWords } from "./file-account.ts";
import { type PlainPages, pagesWithoutScripts } from "./pages-without-scripts.ts";
import { accessMark, bytesInWords, pagesInWords, statusInWords } from "./wording.ts";

export interface DocumentPageView {
  site: Site;
  document: ShownDocument;
  /** The description with its formatting. Null if there is none. */
  description: Html | null;
  /** The document's files, in this order: the PDF, its searchable copy, the original of another type, the text. */
  files: readonly FileView[];
  /** Whether the visitor may look at the pages alone, and have none of the files. */
  isOnlyRead: boolean;
  /** The address below which these files are: absolute, or a path of this site. Ends in a slash. */
  assets: string;
  /** The fragment of the place at which the viewer opens. Null for the beginning, unless the address has a fragment. */
  fragment: string | null;
  /** The extension of page images. Null if there is no PDF from which to make them. */
  imageType: string | null;
  /** Addresses: this page's canonical address, and the record as JSON and in the browsable API. */
  canonical: string;
  /** Elements for the head: see document-head.ts. */
  links: Html | null;
  record: string;
  browsable: string;
  /** The citation in the formats of programs for literature. */
  citations: readonly { name: string; href: string }[];
  /** The CSRF token of a viewer who has signed in and may write; null for everyone else. */
  csrfToken: string | null;
  /** Null for viewers who may not change the document. */
  account: FileAccount | null;
  family: ShownFamily;
  /** The pages that browsers without scripts show. */
  plain: Omit<PlainPages, "canonical" | "pageCount">;
}

export interface FileView {
  /**
   * A path of this site, or an absolute address. A file whose address has another scheme than http or https is not
   * shown, since the address may come from an imported record.
   */
  href: string;
  /** The extension of that file, without a dot: "pdf". */
  extension: string;
  /** The size in bytes; null if unknown. */
  bytes: number | null;
  /** Whether it is the PDF with its recognised words. */
  isSearchable?: boolean;
}

/** The robots directive of a document, for its page and for the `X-Robots-Tag` header; null for none. */
export function robotsFor({
  noindex,
  adminNoindex,
}: Pick<ShownDocument, "noindex" | "adminNoindex">): string | null {
  return noindex || adminNoindex ? "noindex" : null;
}

/**
 * The Content-Security-Policy of a document's page: this site's script, requests to this site and to the stores of the
 * document's files, and previews of this site's frames. `assets` are the addresses of those stores.
 */
export function documentSecurityPolicy(
  assets: readonly string[],
  framedBy: "'none'" | "*" = "'none'",
): string {
  const origins = [...new Set(assets.filter(isWebAddress).map((address) => new URL(address).origin))]
    .map((origin) => ` ${origin}`)
    .join("");
  return `${formSecurityPolicy}${origins}; frame-src 'self'`
    .replace(pageSecurityPolicy, pageSecurityPolicy.replace("img-src 'self'", `img-src 'self'${origins}`))
    .replace("frame-ancestors 'none'", `frame-ancestors ${framedBy}`);
}

/**
 * The elements for the head of a page on which the viewer runs. They preload the record, which the viewer reads first.
 */
export function viewerHead(site: Site, id: number): Html {
  const { script, stylesheet, chunks } = site.viewer[site.language];
  return html`<link rel="stylesheet" href="${stylesheet}" />
    <link
      rel="preload"
      as="fetch"
      crossorigin="anonymous"
      href="${site.api}documents/${id}/?expand=notes,sections"
    />
    ${chunks.map((chunk) => html`<link rel="modulepreload" href="${chunk}" />`)}
    <script type="module" src="${script}"></script>`;
}

/** Renders the page of a document. */
export function renderDocumentPage(view: DocumentPageView): string {
  const { site, document, description, canonical, links, record, browsable, account, fragment } = view;
  const files = shownFiles(view);
  const texts = pageTexts(site);
  const { pageCount } = document;
  const title = document.title === "" ? texts.untitled : document.title;
  const progress = account?.progress ?? null;
  const head = html`<link rel="canonical" href="${canonical}" />
    <link rel="alternate" type="application/json" href="${record}" />
    ${links} ${viewerHead(site, document.id)}`;
  const said = progress === null ? statusInWords(document.status, site) : stepInWords(progress.step, site);
  const options = viewerAttributes({
    document: document.id,
    api: site.api,
    files: view.assets,
    fragment,
    language: document.language,
    images: view.imageType,
    reading: view.isOnlyRead,
    addons: view.csrfToken === null ? null : site.addons,
    events: progress !== null,
    csrf: view.csrfToken,
    stage: stageOf(document.status, progress?.step ?? null),
    said,
  });
  const main = html`
    <article class="document" ${attributesFrom(options)}>
      ${wayUp(view.family, site)}
      <div data-part="notice">${notice(files, document.status, texts.document)}</div>
      <div data-viewer></div>
      <noscript
        >${pageCount > 0 && pagesWithoutScripts({ ...view.plain, canonical, pageCount }, site)}</noscript
      >
      <div class="details">
        ${familyList(view.family, account !== null, site)} ${threadList(view.family, site)}
        <section class="about" data-part="about" aria-labelledby="about">
          <h2 id="about">${texts.document.about}</h2>
          ${description !== null && html`<div class="description" dir="auto">${description}</div>`}
          <p class="buttons">
            ${!view.isOnlyRead && files.map((file, index) => downloadLink(file, index, site))}
            <a class="button" href="${record}">${texts.document.recordAsJson}</a>
            <a class="button" href="${browsable}">${texts.document.recordInApi}</a>
            ${
              pageCount > 0 &&
              html`<a class="button" href="${site.home}?like=${document.id}">${texts.document.similar}</a>
                <a class="button" href="${site.home}quotations/?document=${document.id}"
                  >${texts.quotations.title}</a
                >
                <a class="button" href="${site.home}documents/${document.id}/mentioned/"
                  >${texts.mentions.inDocument}</a
                >`
            }
            ${addonLink(view)} ${account !== null && replaceLink(view)}
          </p>
          ${citationLine(view, texts.document)} ${documentFacts(document, site)}
        </section>
        ${copiesList(view.family, site)} ${account !== null && fileAccount(account, site)}
      </div>
    </article>
  `;
  return renderPage({
    site,
    title,
    section: "documents",
    robots: robotsFor(document),
    head,
    inBar: headOf(document, title, site),
    main,
  });
}

/** The title, and what one wants to know at once. */
function headOf(document: ShownDocument, title: string, site: Site): Html {
  return html`<div class="document-head" data-part="head">
    <h1 dir="auto">${title}</h1>
    <p>${accessMark(document.access, site)} ${headFacts(document, site)}</p>
  </div>`;
}

function headFacts({ pageCount, texts, organization }: ShownDocument, locale: Locale): Html {
  const from = texts.source === "" ? organization : texts.source;
  return html`${pageCount > 0 && html`<span>${pagesInWords(pageCount, locale)}</span>`}
  ${from !== "" && html`<span dir="auto">${from}</span>`}`;
}

/** Where people who may write run an add-on on the document, if the server has any. */
function addonLink({ site, document, csrfToken }: DocumentPageView): Html | null {
  if (site.addons === null || csrfToken === null) return null;
  const { ofDocument } = pageTexts(site).addons;
  return html`<a class="button" href="${site.addons}?document=${document.id}">${ofDocument}</a>`;
}

function replaceLink({ site, document }: DocumentPageView): Html {
  const { replaceFile } = pageTexts(site).document;
  return html`<a class="button" href="${site.upload}?replace=${document.id}">${replaceFile}</a>`;
}

function citationLine({ citations }: DocumentPageView, { cite }: Catalogue["document"]): Html {
  const links = citations.map(({ name, href }) => html`<a class="button small" href="${href}">${name}</a> `);
  return html`<p>${cite} ${links}</p>`;
}

function downloadLink(file: FileView, index: number, locale: Locale): Html {
  const { href, extension, bytes, isSearchable = false } = file;
  const texts = pageTexts(locale).document;
  const kind = extension === "txt" ? texts.downloadText : texts.download(extension.toUpperCase());
  const name = isSearchable ? texts.downloadSearchable : kind;
  const size = bytes === null ? "" : ` (${bytesInWords(bytes, locale)})`;
  return html`<a class="button ${index === 0 && "primary"}" href="${href}" download>${name}${size}</a>`;
}

/** Explains why there are no pages to read. Null if there is a PDF. */
function notice(files: readonly FileView[], status: string, texts: Catalogue["document"]): Html | null {
  const file = files.find(({ extension }) => extension !== "txt");
  if (file === undefined) return noticeOf(status === "pending" ? texts.notReadYet : texts.noFile);
  if (files.some(isPdf)) return null;
  const link = html`<p><a href="${file.href}">${texts.openFile}</a></p>`;
  // The viewer shows files of these types itself, so they can be read even without pages.
  if (fileKinds.get(file.extension)?.parts !== undefined) return noticeOf(texts.noPagesHere, link);
  return noticeOf(texts.unreadable(file.extension.toUpperCase()), link);
}

function noticeOf(text: string, link: Html | null = null): Html {
  return html`<div class="notice">
    <p>${text}</p>
    ${link}
  </div>`;
}

/** The files that the page tells of. To somebody who may only read, it tells whether there is a PDF. */
function shownFiles({ files, isOnlyRead }: DocumentPageView): FileView[] {
  const shown = files.filter(({ href }) => /^\/(?!\/)/.test(href) || isWebAddress(href));
  return isOnlyRead ? shown.filter(isPdf) : shown;
}

const isPdf = ({ extension }: FileView): boolean => extension.toLowerCase() === "pdf";
