import { type Html, type HtmlContent, html } from "../http/text/html.ts";
import { momentInWords, pagesInWords } from "./wording.ts";

/** The present and past processing of a document's file, for viewers who may change the document. */
export interface FileAccount {
  /** Null if the document is not being processed. */
  progress: { step: string | null; done: number | null; total: number | null } | null;
  /** Oldest first. */
  receipts: readonly ReceiptView[];
}

/** A processing step. */
export interface ReceiptView {
  step: string;
  outcome: string;
  at: string;
  milliseconds: number;
  details: Readonly<Record<string, unknown>>;
}

/** The maximum number of steps in the history. Problems are searched for among all receipts. */
const maxSteps = 20;

export function fileAccount({ progress, receipts }: FileAccount): Html {
  const problems = problemsAmong(receipts);
  return html`<section class="account" data-part="account" aria-labelledby="account">
    <h2 id="account">History of the file</h2>
    ${
      problems.length > 0 &&
      html`<h3>What went wrong</h3>
        <ul class="problems">
          ${problems.slice(0, maxShown).map(problemItem)}
          ${problems.length > maxShown && html`<li>And ${problems.length - maxShown} more</li>`}
        </ul>
        <h3>All steps</h3>`
    }
    ${progress !== null && bar(progress)}
    ${
      receipts.length > 0 &&
      html`<ol class="receipts">
        ${receipts.slice(-maxSteps).map(item)}
      </ol>`
    }
  </section>`;
}

/**
 * The receipts of current problems, newest first: failed steps, pages that could not be read, and redacted words that
 * still appear. A later attempt at the same step or a new file makes earlier problems obsolete.
 */
function problemsAmong(receipts: readonly ReceiptView[]): ReceiptView[] {
  const settled = new Set<string>();
  const problems: ReceiptView[] = [];
  for (const receipt of receipts.toReversed()) {
    const { step, outcome, details } = receipt;
    const key = step === "rendered" ? `rendered ${ofNumber(details["page"])}` : step;
    const isWrong = outcome === "failed" || isList(details["unread"]) || isList(details["standing"]);
    if (isWrong && !settled.has(key)) problems.push(receipt);
    settled.add(key);
    if (outcome !== "done") continue;
    // If the file was read, earlier failures to fetch or convert it no longer matter.
    if (step === "read") for (const before of ["fetched", "converted"]) settled.add(before);
    if (step === "received" || step === "fetched") break;
  }
  return problems;
}

const isList = (value: unknown): boolean => Array.isArray(value) && value.length > 0;

function problemItem(receipt: ReceiptView): Html {
  const { step, at, details } = receipt;
  return html`<li>
    <strong>${sentence(step, details)}</strong>
    <time datetime="${at}">${momentInWords(at)}</time>
    ${unreadPages(details["unread"])}
    <p>${remedy(receipt)}</p>
  </li>`;
}

/** Remedies by message, for any step. The first match applies. */
const remedies: readonly (readonly [message: RegExp, remedy: string])[] = [
  [
    /password|encrypted/i,
    "Remove the password from the file and upload it again, or upload it together with its password.",
  ],
  [/install/i, "Ask the operator of this site to install it. Then process the document again."],
  [/took longer|more memory/i, "Process it again. If that fails too, split the file and upload the parts."],
  [
    /larger than|too large|too long/i,
    "Split the file and upload the parts, or ask the operator of this site for a higher limit.",
  ],
  [/missing|no bytes|no pages/i, "Upload the file again."],
  [
    /broken|not a pdf|cannot be made out/i,
    "Open the file in a program that can read it, save it there as a new file, and upload that.",
  ],
];

const stepRemedies: Readonly<Record<string, string>> = {
  fetched: "Check the address in a browser, or download the file yourself and upload it.",
  recognised:
    "Check the language of the document and process it again. Until then these pages cannot be searched.",
  rendered: "The text of the page is not affected. Process the document again to try once more.",
  redacted: "Nothing was redacted, and the document is unchanged. Try again.",
  modified: "The document is unchanged. Try again.",
  replaced: "Try again, or with another file.",
  cancelled: "To continue, process the document again.",
};

function remedy({ step, outcome, details }: ReceiptView): string {
  if (isList(details["standing"]))
    return "Look at these places, and redact them too if nobody should see them.";
  if (outcome !== "failed")
    return "The other pages can be read. If these matter, upload a better copy of the file.";
  const message = ofText(details["message"]);
  const kept = step === "replaced" ? "The document still has its old file. " : "";
  const advice =
    remedies.find(([pattern]) => pattern.test(message))?.[1] ??
    stepRemedies[step] ??
    "Process the document again. If that fails too, upload another copy of the file.";
  return `${kept}${advice}`;
}

export function stepInWords(step: string | null): string {
  return step === null ? "Waiting for its turn" : step === "opening" ? "Being opened" : "Being read";
}

function bar({ step, done, total }: NonNullable<FileAccount["progress"]>): Html {
  const isCounted = done !== null && total !== null;
  return html`<p class="progress">
    <label for="progress"
      >${stepInWords(step)}<span data-count>${isCounted && `, ${done} of ${total} pages done`}</span></label
    >
    ${isCounted ? html`<progress id="progress" value="${done}" max="${total}"></progress>` : html`<progress id="progress"></progress>`}
  </p>`;
}

function item({ step, outcome, at, milliseconds, details }: ReceiptView): Html {
  return html`<li>
    <time datetime="${at}">${momentInWords(at)}</time>
    ${outcome === "failed" ? html`<strong>${sentence(step, details)}</strong>` : sentence(step, details)}
    ${unreadPages(details["unread"])}
    ${milliseconds >= 1000 && html`<span class="took">${(milliseconds / 1000).toFixed(1)} s</span>`}
    ${Array.isArray(details["notes"]) && details["notes"].map((note) => html`<span class="note">${ofText(note)}</span>`)}
  </li>`;
}

const maxShown = 10;

/** The pages that could not be read, with the reason and possible remedy. */
function unreadPages(unread: unknown): HtmlContent {
  if (!Array.isArray(unread) || unread.length === 0) return null;
  const pages = unread as { page: number; reason: string }[];
  return html`<ul class="unread">
    ${pages.slice(0, maxShown).map(({ page, reason }) => html`<li>Page ${page}: ${reason}</li>`)}
    ${pages.length > maxShown && html`<li>And ${pages.length - maxShown} more</li>`}
  </ul>`;
}

const ofNumber = (value: unknown): number => (typeof value === "number" ? value : 0);
const ofText = (value: unknown): string => (typeof value === "string" ? value : "");

function sentence(step: string, details: ReceiptView["details"]): HtmlContent {
  const { message, bytes, page, pages, engine, language, confidence, host, from, unread } = details;
  if (step === "rendered" && message !== undefined) {
    return `No image of page ${ofNumber(page)}: ${ofText(message)}`;
  }
  if (step === "postponed") return `Waiting for another attempt: ${ofText(message)}`;
  if (typeof message === "string")
    return step === "replaced" ? `The file was not replaced. ${message}` : message;
  switch (step) {
    case "received":
      return `Received, ${ofNumber(bytes).toLocaleString("en")} bytes`;
    case "fetched":
      return `Fetched from ${ofText(host)}, ${ofNumber(bytes).toLocaleString("en")} bytes`;
    case "rendered":
      return "Page images for lists rendered";
    case "indexed":
      return `Indexed for search, ${pagesInWords(ofNumber(pages))}`;
    case "converted":
      if (from === "pdf") return `Converted to a readable PDF (${ofText(engine)})`;
      return `Converted from ${ofText(from).toUpperCase()} to PDF (${ofText(engine)})`;
    case "recognised":
      return `Text recognised on ${pagesInWords(ofNumber(pages))} (${languagesOf(language, details["by_page"])}, ${ofNumber(confidence)} % sure${minConfidence(details["by_page"])})`;
    case "replaced":
      return ["The file was replaced", partsBeyond(details)];
    case "redacted":
      return ["Redacted", stillStanding(details["standing"])];
    case "read": {
      const missing =
        Array.isArray(unread) && unread.length > 0 ? `, ${pagesInWords(unread.length)} failed` : "";
      return `Read, ${pagesInWords(ofNumber(pages))}${missing}`;
    }
    default:
      return step.slice(0, 1).toUpperCase() + step.slice(1);
  }
}

/** What is on pages that the new file does not have. */
function partsBeyond({ notes_beyond, sections_beyond }: ReceiptView["details"]): string {
  const [notes, sections] = [ofNumber(notes_beyond), ofNumber(sections_beyond)];
  const parts = [
    ...(notes > 0 ? [notes === 1 ? "a note" : `${notes} notes`] : []),
    ...(sections > 0 ? [sections === 1 ? "a section" : `${sections} sections`] : []),
  ];
  return parts.length === 0 ? "" : `. It has no page for ${parts.join(" and ")} of the document`;
}

/** The languages in which the pages were recognised. A page without a language has that of the document. */
function languagesOf(language: unknown, pages: unknown): string {
  const read = Array.isArray(pages) ? (pages as { language?: string }[]) : [];
  const languages = new Set(read.map((page) => page.language ?? ofText(language)));
  return languages.size === 0 ? ofText(language) : [...languages].join(", ");
}

/** The pages on which redacted words still appear. */
function stillStanding(standing: unknown): HtmlContent {
  if (!Array.isArray(standing) || standing.length === 0) return "";
  const pages = standing as { page: number; seen: number; unseen: number }[];
  const named = (which: "seen" | "unseen"): string => {
    const numbers = pages.flatMap((entry) => (entry[which] > 0 ? [entry.page] : []));
    const more = numbers.length > 20 ? ` and ${numbers.length - 20} more` : "";
    return numbers.length === 0
      ? ""
      : `${numbers.length === 1 ? "page" : "pages"} ${numbers.slice(0, 20).join(", ")}${more}`;
  };
  const unseen = named("unseen");
  const seen = named("seen");
  return html`. <strong>The redacted words still appear elsewhere:</strong> ${[
      ...(seen === "" ? [] : [`visible on ${seen}`]),
      ...(unseen === "" ? [] : [`in invisible text on ${unseen}`]),
    ].join("; ")}`;
}

function minConfidence(pages: unknown): string {
  if (!Array.isArray(pages) || pages.length < 2) return "";
  const sure = (pages as { page: number; confidence: number | null }[])
    .flatMap(({ page, confidence }) => (confidence === null ? [] : [{ page, confidence }]))
    .toSorted((left, right) => left.confidence - right.confidence);
  return sure[0] === undefined ? "" : `, lowest on page ${sure[0].page}: ${sure[0].confidence} %`;
}
