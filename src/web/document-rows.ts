import { isLanguageChosen } from "../contract/describing-fields.ts";
import type { FoundDocument } from "../contract/search.ts";
import { pageSecurityPolicy } from "../http/browsable/page-shell.ts";
import type { Addresses } from "../http/text/addresses.ts";
import { isWebAddress } from "../http/text/web-address.ts";
import { type Html, type HtmlContent, html } from "../http/text/html.ts";
import { readyStatuses } from "../resources/document-states.ts";
import { documentAddress } from "../resources/documents/present.ts";
import type { DocumentRow } from "../resources/documents/store.ts";
import type { Locale } from "../texts/formats.ts";
import { pageTexts } from "../texts/pages.ts";
import { accessMark, dayInWords, languageInWords, pagesInWords, statusInWords } from "./wording.ts";

/** A document in a list. Empty texts are not shown. */
export interface ListedDocument {
  title: string;
  /** The document's own page. */
  href: string;
  /** The address of a small image of its first page; null if there is none. */
  image: string | null;
  /** In the API's timestamp format. */
  createdAt: string;
  pageCount: number;
  source: string;
  /** The name of its organization. */
  organization: string;
  /** The code of its language. */
  language: string;
  /** The extension of the original, without a dot. */
  extension: string;
  access: string;
  status: string;
}

type Pictured = Pick<FoundDocument, "slug" | "page_count" | "file_hash"> & {
  id: number | string;
  status: string;
  asset_url: string | null;
};

/** The Content-Security-Policy of a page with such a list: its images may be in the stores that records name. */
export function listSecurityPolicy(documents: readonly Pick<ListedDocument, "image">[]): string {
  const images = documents.map(({ image }) => image ?? "").filter(isWebAddress);
  const origins = [...new Set(images.map((address) => ` ${new URL(address).origin}`))].join("");
  return pageSecurityPolicy.replace("img-src 'self'", `img-src 'self'${origins}`);
}

/**
 * The address of a small image of the first page; null if there is none. Images in our own store come from this site,
 * to which a browser sends its session, since a document may not be public.
 */
export function firstPageOf(document: Pictured, { assets }: Addresses, home: string): string | null {
  const { id, slug, page_count: pages, status, file_hash: hash, asset_url: store } = document;
  if (pages === 0 || !readyStatuses.includes(status)) return null;
  const name = `documents/${id}/pages/${encodeURIComponent(slug)}-p1-small.gif`;
  return store === null || store === assets ? `${home}files/${name}?${hash}` : `${store}${name}`;
}

/** A row as an item of the list. */
export function listedDocument(
  row: DocumentRow,
  addresses: Addresses,
  { home, organizations }: { home: string; organizations: ReadonlyMap<number, string> },
): ListedDocument {
  return {
    title: row.title,
    href: documentAddress(addresses.web, row),
    image: firstPageOf(row, addresses, home),
    createdAt: row.created_at,
    pageCount: row.page_count,
    source: row.source,
    organization: organizations.get(row.organization_id) ?? "",
    language: row.language,
    extension: row.original_extension,
    access: row.access,
    status: row.status,
  };
}

/** A search result as an item of the list. */
export function listedResult(
  result: FoundDocument,
  {
    addresses,
    home,
    organizations,
  }: { addresses: Addresses; home: string; organizations: ReadonlyMap<number, string> },
): ListedDocument {
  return {
    title: result.title,
    href: result.canonical_url,
    image: firstPageOf(result, addresses, home),
    createdAt: result.created_at,
    pageCount: result.page_count,
    source: result.source,
    organization: organizations.get(Number(result.organization)) ?? "",
    language: result.language,
    extension: result.original_extension,
    access: result.access,
    status: result.status,
  };
}

/** A list of documents, with a link to each. */
export function documentList(documents: readonly ListedDocument[], locale: Locale): Html {
  return html`<ul class="documents">
    ${documents.map((document) => documentRow(document, locale))}
  </ul>`;
}

/** One document of a list. `below` stands under its facts, and `before` in front of its image. */
export function documentRow(
  document: ListedDocument,
  locale: Locale,
  below: HtmlContent = null,
  before: HtmlContent = null,
): Html {
  const { title, href, image, createdAt, pageCount, source, organization, language, extension, status } =
    document;
  const facts = [
    html`<time datetime="${createdAt}">${dayInWords(createdAt, locale)}</time>`,
    pageCount > 0 && pagesInWords(pageCount, locale),
    extension !== "" && extension.toUpperCase(),
    isLanguageChosen(language) && languageInWords(language, locale),
    source !== "" && html`<span dir="auto">${source}</span>`,
    organization !== "" && organization !== source && html`<span dir="auto">${organization}</span>`,
    !readyStatuses.includes(status) && statusInWords(status, locale),
  ].filter((fact) => fact !== false);
  return html`<li class="document-row ${before === null && "is-plain"}">
    ${before}
    <span class="thumb">
      ${image !== null && html`<img src="${image}" alt="" width="38" height="48" loading="lazy" />`}
    </span>
    <div>
      <h2 dir="auto"><a href="${href}">${title === "" ? pageTexts(locale).untitled : title}</a></h2>
      <ul class="facts">
        ${facts.map((fact) => html`<li>${fact}</li>`)}
      </ul>
      ${below}
    </div>
    ${document.access !== "public" && accessMark(document.access, locale)}
  </li>`;
}
