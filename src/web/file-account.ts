import { type Html, type HtmlContent, html } from "../http/html.ts";
import { momentInWords, pagesInWords } from "./wording.ts";

/** What is being done with a document's file, and what was: for those who may change the document. */
export interface FileAccount {
  /** Null: nothing is being done. */
  progress: { step: string | null; done: number | null; total: number | null } | null;
  receipts: readonly ShownReceipt[];
}

/** A step that was taken with the file. */
export interface ShownReceipt {
  step: string;
  outcome: string;
  at: string;
  milliseconds: number;
  details: Readonly<Record<string, unknown>>;
}

export function fileAccount({ progress, receipts }: FileAccount): Html {
  return html`<section class="account" aria-labelledby="account">
    <h2 id="account">What happened to the file</h2>
    ${progress !== null && bar(progress)}
    ${
      receipts.length > 0 &&
      html`<ol class="receipts">
        ${receipts.map(item)}
      </ol>`
    }
  </section>`;
}

function bar({ step, done, total }: NonNullable<FileAccount["progress"]>): Html {
  const words = step === null ? "Waiting for its turn" : step === "opening" ? "Being opened" : "Being read";
  const isCounted = done !== null && total !== null;
  return html`<p class="progress">
    <label for="progress">${words}${isCounted && `, page ${done + 1} of ${total}`}</label>
    ${isCounted ? html`<progress id="progress" value="${done}" max="${total}"></progress>` : html`<progress id="progress"></progress>`}
  </p>`;
}

function item({ step, outcome, at, milliseconds, details }: ShownReceipt): Html {
  return html`<li>
    <time datetime="${at}">${momentInWords(at)}</time>
    ${outcome === "failed" ? html`<strong>${sentence(step, details)}</strong>` : sentence(step, details)}
    ${milliseconds >= 1000 && html`<span class="took">${(milliseconds / 1000).toFixed(1)} s</span>`}
  </li>`;
}

const ofNumber = (value: unknown): number => (typeof value === "number" ? value : 0);
const ofText = (value: unknown): string => (typeof value === "string" ? value : "");

function sentence(step: string, details: ShownReceipt["details"]): HtmlContent {
  const { message, bytes, page, pages, engine, language, confidence, host, from, unread } = details;
  if (step === "rendered" && message !== undefined) {
    return `No image of page ${ofNumber(page)}: ${ofText(message)}`;
  }
  if (step === "postponed") return `Waits for another attempt: ${ofText(message)}`;
  if (typeof message === "string") return message;
  switch (step) {
    case "received":
      return `Received, ${ofNumber(bytes).toLocaleString("en")} bytes`;
    case "fetched":
      return `Fetched from ${ofText(host)}, ${ofNumber(bytes).toLocaleString("en")} bytes`;
    case "rendered":
      return "Images for lists made";
    case "indexed":
      return `Found by its words, ${pagesInWords(ofNumber(pages))}`;
    case "converted":
      if (from === "pdf") return `Made readable (${ofText(engine)})`;
      return `Made a PDF of a file of type ${ofText(from).toUpperCase()} (${ofText(engine)})`;
    case "recognised":
      return `Text recognised on ${pagesInWords(ofNumber(pages))} (${ofText(language)}, ${ofNumber(confidence)} % sure${leastSure(details["by_page"])})`;
    case "read": {
      const missing =
        Array.isArray(unread) && unread.length > 0 ? `, ${pagesInWords(unread.length)} without success` : "";
      return `Read, ${pagesInWords(ofNumber(pages))}${missing}`;
    }
    default:
      return step.slice(0, 1).toUpperCase() + step.slice(1);
  }
}

function leastSure(pages: unknown): string {
  if (!Array.isArray(pages) || pages.length < 2) return "";
  const sure = (pages as { page: number; confidence: number | null }[])
    .flatMap(({ page, confidence }) => (confidence === null ? [] : [{ page, confidence }]))
    .toSorted((one, other) => one.confidence - other.confidence);
  return sure[0] === undefined ? "" : `, least of page ${sure[0].page}: ${sure[0].confidence} %`;
}
