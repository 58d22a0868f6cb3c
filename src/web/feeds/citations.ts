import { type Html, html } from "../../http/text/html.ts";
import type { Addresses } from "../../http/text/addresses.ts";
import { isWebAddress } from "../../http/text/web-address.ts";
import type { Citation, CitationFormatName } from "../../resources/documents/record/citation.ts";

/** The names of the formats, which are the same in every language. */
const formatNames: Readonly<Record<CitationFormatName, string>> = {
  bibtex: "BibTeX",
  ris: "RIS",
  csl: "CSL-JSON",
};

/**
 * The elements in a page's head from which programs for literature take a document: those that search engines for
 * scholarly texts defined, and the type by which Zotero files it.
 */
export function citationHead(citation: Citation): Html {
  const { title, author, publisher, date, url, pdf, language, page } = citation;
  const named = [
    ["citation_title", title],
    ["citation_author", author],
    ["citation_technical_report_institution", publisher],
    ["citation_publication_date", date.replaceAll("-", "/")],
    ["citation_public_url", url],
    ["citation_pdf_url", pdf !== null && isWebAddress(pdf) ? pdf : ""],
    ["citation_language", language],
    ["citation_firstpage", page === null ? "" : String(page)],
    ["z:itemType", "report"],
  ] as const;
  return html`${named
    .filter(([, content]) => content !== "")
    .map(([name, content]) => html`<meta name="${name}" content="${content}" />`)}`;
}

/** Links to the citation in each format. */
export function citationLinks(
  { api }: Addresses,
  id: number,
  page: number | null,
): { name: string; href: string }[] {
  const formats = Object.keys(formatNames) as CitationFormatName[];
  return formats.map((format) => ({
    name: formatNames[format],
    href: `${api}/api/documents/${id}/citation/?as=${format}${page === null ? "" : `&page=${page}`}`,
  }));
}
