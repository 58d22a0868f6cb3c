import { documentFileKey } from "../../../files/keys.ts";
import type { Addresses } from "../../../http/text/addresses.ts";
import { languageTag } from "../languages.ts";
import { documentAddress } from "../present.ts";
import type { DocumentRow } from "../store.ts";
import type { DocumentData } from "../data-field.ts";
import { plainText } from "./plain-text.ts";

/** What a citation says of a document, or of one page of it. Empty texts are unknown. */
export interface Citation {
  /** Unique on this server. */
  key: string;
  title: string;
  author: string;
  /** The organization that the document belongs to, or else the name of the server. */
  publisher: string;
  /** `2026-01-31`: when a mail was sent, or else when the document was added. */
  date: string;
  /** The address of the document or of its page. */
  url: string;
  /** The address of its PDF. Null if it has none. */
  pdf: string | null;
  /** A language tag (BCP 47). */
  language: string;
  abstract: string;
  pageCount: number;
  /** Counting from 1. Null for the whole document. */
  page: number | null;
}

/** @param organization the name of the document's organization; empty if it has none */
export async function citationOf(
  { web, assets }: Addresses,
  row: DocumentRow,
  { page, organization }: { page: number | null; organization: string },
): Promise<Citation> {
  const { id, slug, source, description, language, page_count: pageCount } = row;
  const { mail_date: [sent = ""] = [] } = JSON.parse(row.data) as DocumentData;
  const address = page === null ? documentAddress(web, row) : `${web}/documents/${id}/pages/${page}/`;
  const folder = row.asset_url ?? assets;
  return {
    key: page === null ? `document${id}` : `document${id}p${page}`,
    title: oneLine(row.title) || `Document ${id}`,
    author: oneLine(source),
    publisher: oneLine(organization) || new URL(web).host,
    date: /^\d{4}-\d\d-\d\d/.exec(sent)?.[0] ?? row.created_at.slice(0, 10),
    url: address,
    pdf:
      pageCount === 0
        ? null
        : `${folder}${documentFileKey(id, encodeURIComponent(slug.toWellFormed()), "pdf")}`,
    language: languageTag(language) ?? "",
    abstract: description === "" ? "" : await plainText(description),
    pageCount,
    page,
  };
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, " ").trim();

interface CitationFormat {
  type: string;
  extension: string;
  write: (citation: Citation) => string;
}

/** The formats that programs for literature read, by their names in addresses. */
export const citationFormats = {
  csl: { type: "application/vnd.citationstyles.csl+json; charset=utf-8", extension: "json", write: cslJson },
  bibtex: { type: "application/x-bibtex; charset=utf-8", extension: "bib", write: bibtex },
  ris: { type: "application/x-research-info-systems; charset=utf-8", extension: "ris", write: ris },
} as const satisfies Readonly<Record<string, CitationFormat>>;

export type CitationFormatName = keyof typeof citationFormats;

/** CSL's data model: citationstyles.org. */
function cslJson({
  key,
  title,
  author,
  publisher,
  date,
  url,
  language,
  abstract,
  pageCount,
  page,
}: Citation): string {
  const item = {
    id: key,
    type: "report",
    title,
    ...(author !== "" && { author: [{ literal: author }] }),
    publisher,
    issued: { "date-parts": [date.split("-").map(Number)] },
    URL: url,
    ...(language !== "" && { language }),
    ...(abstract !== "" && { abstract }),
    ...(pageCount > 0 && { "number-of-pages": pageCount }),
    ...(page !== null && { page: String(page) }),
  };
  return `${JSON.stringify([item], null, 2)}\n`;
}

function bibtex({ key, title, author, publisher, date, url, language, abstract, page }: Citation): string {
  const [year, month] = date.split("-").map(Number);
  const fields = [
    // Two pairs of braces: the name of an institution is not divided into names of a person.
    ["title", `{${bibtexText(title)}}`],
    ...(author === "" ? [] : [["author", `{${bibtexText(author)}}`]]),
    ["institution", `{${bibtexText(publisher)}}`],
    ["year", String(year)],
    ["month", String(month)],
    ["date", date],
    ...(page === null ? [] : [["pages", String(page)]]),
    ["url", url],
    ...(language === "" ? [] : [["language", language]]),
    ...(abstract === "" ? [] : [["abstract", bibtexText(abstract)]]),
  ];
  return `@techreport{${key},\n${fields.map(([name, value]) => `  ${name} = {${value}},\n`).join("")}}\n`;
}

const bibtexCommands = new Map([
  ["\\", "\\textbackslash{}"],
  ["~", "\\textasciitilde{}"],
  ["^", "\\textasciicircum{}"],
  // A brace without its other half would end the field too early or too late.
  ["{", "\\textbraceleft{}"],
  ["}", "\\textbraceright{}"],
]);

function bibtexText(text: string): string {
  return text.replaceAll(/[\\~^{}&%$#_]/g, (character) => bibtexCommands.get(character) ?? `\\${character}`);
}

/** Lines end as the format's first programs wrote them. */
function ris({ key, title, author, publisher, date, url, language, abstract, page }: Citation): string {
  const lines = [
    ["TY", "RPRT"],
    ["ID", key],
    ["TI", title],
    ["AU", author],
    ["PB", publisher],
    ["PY", date.slice(0, 4)],
    ["DA", `${date.replaceAll("-", "/")}/`],
    ["SP", page === null ? "" : String(page)],
    ["UR", url],
    ["LA", language],
    ["AB", abstract],
    ["ER", null],
  ] as const;
  const written = lines
    .filter(([, value]) => value !== "")
    .map(([tag, value]) => `${tag}  - ${value ?? ""}\r\n`);
  return written.join("");
}
