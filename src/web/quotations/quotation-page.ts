import { quotationLimits } from "../../contract/limits.ts";
import type { Quotation } from "../../contract/quotation.ts";
import { type Site, renderPage } from "../../http/browsable/page-shell.ts";
import { type Html, html } from "../../http/text/html.ts";
import { pageTexts } from "../../texts/pages.ts";
import { dayInWords } from "../wording.ts";

export interface QuotationPageView {
  site: Site;
  /** What the form has. */
  asked: { quote: string; page: string };
  /** The document in which the words are looked for; null for all documents. */
  document: { id: number; title: string; href: string } | null;
  /** Null if nothing was asked, or if it cannot be answered. */
  answer: Quotation | null;
  /** The field that keeps the question from being answered. */
  fault: QuotationFault | null;
}

export type QuotationFault = "noWords" | "tooLong" | "noSuchPage";

/** Renders the page on which people check whether words stand in a document. */
export function renderQuotationPage(view: QuotationPageView): string {
  const { site, asked, document, answer, fault } = view;
  const texts = pageTexts(site);
  const words = texts.quotations;
  const isOfPage = fault === "noSuchPage";
  const main = html`
    <h1>${words.title}</h1>
    <p>${words.help}</p>
    ${answer !== null && html`<div role="status">${verdict(view, answer)}</div>`}
    <form class="form" method="get" action="${site.home}quotations/">
      ${
        document !== null &&
        html`<p>
          ${words.inDocument}
          <a href="${document.href}" dir="auto">${document.title === "" ? texts.untitled : document.title}</a>
          ·
          <a
            href="${site.home}quotations/${asked.quote !== "" && `?quote=${encodeURIComponent(asked.quote)}`}"
            >${words.everywhere}</a
          >
          <input type="hidden" name="document" value="${document.id}" />
        </p>`
      }
      <div class="field wide">
        <label for="quote">${words.quote}</label>
        <textarea
          id="quote"
          name="quote"
          rows="5"
          maxlength="${quotationLimits.quote}"
          dir="auto"
          required
          ${fault !== null && !isOfPage && html`aria-invalid="true" aria-describedby="quote-problem"`}
        >
${asked.quote}</textarea>
        ${fault !== null && !isOfPage && html`<p class="problem" id="quote-problem">${words[fault]}</p>`}
      </div>
      ${
        document !== null &&
        html`<div class="field">
          <label for="page">${words.page}</label>
          <input
            id="page"
            name="page"
            inputmode="numeric"
            pattern="[0-9]*"
            value="${asked.page}"
            aria-describedby="page-help"
            ${isOfPage && html`aria-invalid="true"`}
          />
          <p class="help" id="page-help">${isOfPage ? words.noSuchPage : words.pageHelp}</p>
        </div>`
      }
      <p class="buttons"><button class="button primary">${words.check}</button></p>
    </form>
  `;
  return renderPage({ site, title: words.title, section: "documents", robots: "noindex", main });
}

function verdict(view: QuotationPageView, { verified, reason, documents }: Quotation): Html {
  const { site } = view;
  const words = pageTexts(site).quotations;
  const [first] = documents;
  if (!verified) {
    const redactedAt = first?.redacted_at ?? null;
    const why =
      reason === "redacted" && redactedAt !== null
        ? words.redacted(dayInWords(redactedAt, site))
        : reason === "no_text"
          ? words.noText
          : view.document === null
            ? words.notFoundAnywhere
            : words.notFound;
    return html`<p class="notice"><strong>${why}</strong></p>`;
  }
  return html`<p class="notice"><strong>${words.verified}</strong></p>
    <ul class="documents">
      ${documents.map((document) => foundIn(document, site))}
    </ul>`;
}

function foundIn(document: Quotation["documents"][number], site: Site): Html {
  const texts = pageTexts(site);
  const words = texts.quotations;
  return html`<li>
    <h2 dir="auto">
      <a href="${document.canonical_url}">${document.title === "" ? texts.untitled : document.title}</a>
    </h2>
    ${document.matches.map(
      ({ text, page_number, canonical_url }) =>
        html`<blockquote dir="auto">
          ${text} <cite><a href="${canonical_url}">${words.onPage(page_number + 1)}</a></cite>
        </blockquote>`,
    )}
    <ul class="facts">
      ${document.file_hash !== "" && html`<li>${words.file}: <code>${document.file_hash}</code></li>`}
      <li>${words.revision}: ${document.revision}</li>
    </ul>
  </li>`;
}
