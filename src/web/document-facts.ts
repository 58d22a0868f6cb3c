import { type DescribingTexts, describingFields, describingNames } from "../contract/describing-fields.ts";
import type { Withheld } from "../contract/withheld.ts";
import { type Html, type HtmlContent, html } from "../http/text/html.ts";
import { isWebAddress } from "../http/text/web-address.ts";
import type { Locale } from "../texts/formats.ts";
import type { Catalogue } from "../texts/pages.ts";
import { pageTexts } from "../texts/pages.ts";
import { pageSizesInWords } from "./page-sizes.ts";
import { accessInWords, languageInWords, momentInWords, pagesInWords, statusInWords } from "./wording.ts";

/** Something that has a page. */
interface Titled {
  title: string;
  href: string;
}

/** A document as its page shows it. Empty texts are not shown. Timestamps have the API's format. */
export interface ShownDocument {
  id: number;
  title: string;
  /** Addresses are as users entered them: they may be any text. */
  texts: DescribingTexts;
  /** The name of its organization. */
  organization: string;
  /** The name of the person who added it. */
  contributor: string;
  projects: readonly Titled[];
  /** The document of which this one is a redacted copy, as far as the viewer may see it. */
  original: Titled | null;
  /** Its redacted copies that the viewer may see. */
  copies: readonly Titled[];
  /** What redactions have withheld in it, by page and reason. */
  withheld: readonly Withheld[];
  /** The code of the language of its texts. */
  language: string;
  pageCount: number;
  pageSpec: string;
  originalExtension: string;
  fileHash: string;
  access: string;
  status: string;
  createdAt: string;
  updatedAt: string;
  data: Readonly<Record<string, readonly string[]>>;
  noindex: boolean;
  adminNoindex: boolean;
}

/** Renders a document's metadata and its custom data. */
export function documentFacts(document: ShownDocument, locale: Locale): Html {
  const texts = pageTexts(locale);
  const names = texts.document.facts;
  const { pageCount, language, originalExtension, access, status, fileHash } = document;
  const data = Object.entries(document.data).map(([key, values]): Fact => [
    isolated(key),
    lines(values.map(linked)),
  ]);
  return html`${definitions([
    [names.pages, pageCount === 0 ? null : pagesInWords(pageCount, locale)],
    [names.pageSize, lines(pageSizesInWords(document.pageSpec, locale))],
    [names.language, language === "" ? null : languageInWords(language, locale)],
    ...describingFacts(document.texts, texts, false),
    [names.contributor, isolated(document.contributor)],
    [names.organization, isolated(document.organization)],
    [
      names.projects(document.projects.length),
      lines(document.projects.map((project) => titleLink(project, texts.untitled))),
    ],
    [names.original, document.original === null ? null : titleLink(document.original, texts.untitled)],
    [
      names.copies(document.copies.length),
      lines(document.copies.map((copy) => titleLink(copy, texts.untitled))),
    ],
    ...describingFacts(document.texts, texts, true),
    [names.added, moment(document.createdAt, locale)],
    [names.updated, moment(document.updatedAt, locale)],
    [names.originalFile, originalExtension === "" ? null : originalExtension.toUpperCase()],
    [names.access, accessInWords(access, locale)],
    [names.status, statusInWords(status, locale)],
    [names.number, document.id],
    [texts.reasons.withheld, withheldInWords(document.withheld, texts)],
    [names.hash, fileHash === "" ? null : html`<code>${fileHash}</code>`],
  ])}
  ${data.length > 0 && html`<h3>${names.data}</h3>`} ${definitions(data)}`;
}

/** The index of a longer one is at its address in the API. */
const maxWithheldShown = 100;

function withheldInWords(withheld: readonly Withheld[], { reasons, document }: Catalogue): HtmlContent {
  const more = withheld.length - maxWithheldShown;
  return lines([
    ...withheld.slice(0, maxWithheldShown).map(({ page_number, reason, label, boxes }) => {
      const page = page_number + 1;
      const words = reasons.onPage(page, boxes.length, reasons.reason(reason, label));
      return html`<a href="#document/p${page}"><bdi>${words}</bdi></a>`;
    }),
    ...(more > 0 ? [document.file.more(more)] : []),
  ]);
}

/** The texts that describe a document, addresses or others. The page shows the description above its facts. */
function describingFacts(shown: DescribingTexts, { describing }: Catalogue, areAddresses: boolean): Fact[] {
  return describingNames
    .filter((name) => name !== "description" && (describingFields[name].kind === "address") === areAddresses)
    .map((name) => {
      const { label, fact = label } = describing[name];
      return [fact, areAddresses ? linked(shown[name]) : isolated(shown[name])];
    });
}

/** A fact whose value is null is not shown. */
type Fact = readonly [name: HtmlContent, value: HtmlContent];

function definitions(facts: readonly Fact[]): HtmlContent {
  const known = facts.filter(([, value]) => value !== null);
  if (known.length === 0) return null;
  return html`<dl class="facts">
    ${known.map(
      ([name, value]) =>
        html`<div>
          <dt>${name}</dt>
          <dd>${value}</dd>
        </div>`,
    )}
  </dl>`;
}

function lines(contents: readonly HtmlContent[]): HtmlContent {
  if (contents.length === 0) return null;
  if (contents.length === 1) return contents[0];
  return html`<ul>
    ${contents.map((content) => html`<li>${content}</li>`)}
  </ul>`;
}

/** Keeps the writing direction of a text from affecting the text around it. Null for an empty text. */
function isolated(text: string): HtmlContent {
  return text === "" ? null : html`<bdi>${text}</bdi>`;
}

function titleLink({ title, href }: Titled, untitled: string): Html {
  return html`<a href="${href}"><bdi>${title === "" ? untitled : title}</bdi></a>`;
}

function linked(text: string): HtmlContent {
  if (!isWebAddress(text)) return isolated(text);
  return html`<a href="${text}" rel="nofollow noreferrer">${text}</a>`;
}

function moment(timestamp: string, locale: Locale): Html {
  return html`<time datetime="${timestamp}">${momentInWords(timestamp, locale)}</time>`;
}
