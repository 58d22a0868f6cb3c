import { type Html, type HtmlContent, html } from "../http/text/html.ts";
import { type LeftOut, emptyFile } from "../processing/unpack/unpacking.ts";
import { failureKindOf } from "../texts/failure-kinds.ts";
import type { Locale } from "../texts/formats.ts";
import type { Catalogue } from "../texts/pages.ts";
import { pageTexts } from "../texts/pages.ts";
import { momentInWords } from "./wording.ts";

type Texts = Catalogue["document"]["file"];

/** The present and past processing of a document's file, for viewers who may change the document. */
export interface FileAccount {
  /** Null if the document is not being processed. */
  progress: { step: string | null; done: number | null; total: number | null } | null;
  /** Oldest first. */
  receipts: readonly ReceiptView[];
  /** Its Bates numbers: the first and the last one of each production. */
  numbers: readonly { begin: string; end: string }[];
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

export function fileAccount({ progress, receipts, numbers }: FileAccount, locale: Locale): Html {
  const texts = textsOf(locale);
  const problems = problemsAmong(receipts);
  return html`<section class="file-account" data-part="account" aria-labelledby="account">
    <h2 id="account">${texts.heading}</h2>
    ${
      problems.length > 0 &&
      html`<h3>${texts.whatWentWrong}</h3>
        <ul class="problems">
          ${problems.slice(0, maxShown).map((problem) => problemItem(problem, locale))}
          ${problems.length > maxShown && html`<li>${texts.more(problems.length - maxShown)}</li>`}
        </ul>
        <h3>${texts.allSteps}</h3>`
    }
    ${
      numbers.length > 0 &&
      html`<p>
        ${pageTexts(locale).productions.numbers}:
        ${numbers.map(({ begin, end }) => (begin === end ? begin : `${begin} – ${end}`)).join(", ")}
      </p>`
    }
    ${progress !== null && bar(progress, locale)}
    ${
      receipts.length > 0 &&
      html`<ol class="receipts">
        ${receipts.slice(-maxSteps).map((receipt) => item(receipt, locale))}
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
    const isPartial = isList(details["unread"]) || isList(details["standing"]) || hasLostFiles(details);
    const isWrong = outcome === "failed" || isPartial;
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

const leftOutIn = ({ left_out }: ReceiptView["details"]): readonly LeftOut[] =>
  Array.isArray(left_out) ? (left_out as LeftOut[]) : [];

/** Whether something of a container is in no document. Of an empty file nothing is missing. */
const hasLostFiles = (details: ReceiptView["details"]): boolean =>
  leftOutIn(details).some(({ reason }) => reason !== emptyFile);

function problemItem(receipt: ReceiptView, locale: Locale): Html {
  const texts = textsOf(locale);
  const { step, at, details } = receipt;
  return html`<li>
    <strong>${sentence(step, details, texts)}</strong>
    <time datetime="${at}">${momentInWords(at, locale)}</time>
    ${unreadPages(details["unread"], texts)} ${leftOutFiles(details, texts)}
    <p>${remedy(receipt, texts)}</p>
  </li>`;
}

function remedy({ step, outcome, details }: ReceiptView, texts: Texts): string {
  if (isList(details["standing"])) return texts.remedies.standing;
  if (outcome !== "failed") return step === "unpacked" ? texts.remedies.someFiles : texts.remedies.somePages;
  const message = ofText(details["message"]);
  const kind = failureKindOf(message);
  const remedies: Readonly<Record<string, string>> = texts.remedies;
  const ofKind = kind === null ? undefined : remedies[kind];
  const advice = ofKind ?? texts.stepRemedies[step] ?? texts.remedies.anything;
  return step === "replaced" ? `${texts.oldFileKept} ${advice}` : advice;
}

export function stepInWords(step: string | null, locale: Locale): string {
  const texts = textsOf(locale);
  return step === null ? texts.waiting : step === "opening" ? texts.opening : texts.reading;
}

const textsOf = (locale: Locale): Texts => pageTexts(locale).document.file;

function bar({ step, done, total }: NonNullable<FileAccount["progress"]>, locale: Locale): Html {
  const texts = textsOf(locale);
  const isCounted = done !== null && total !== null;
  return html`<p class="progress">
    <label for="progress"
      >${stepInWords(step, locale)}<span data-count>${isCounted && texts.pagesDone(done, total)}</span></label
    >
    ${
      isCounted
        ? html`<progress id="progress" value="${done}" max="${total}"></progress>`
        : html`<progress id="progress"></progress>`
    }
  </p>`;
}

function item({ step, outcome, at, milliseconds, details }: ReceiptView, locale: Locale): Html {
  const texts = textsOf(locale);
  const { notes } = details;
  return html`<li>
    <time datetime="${at}">${momentInWords(at, locale)}</time>
    ${outcome === "failed" ? html`<strong>${sentence(step, details, texts)}</strong>` : sentence(step, details, texts)}
    ${unreadPages(details["unread"], texts)} ${leftOutFiles(details, texts)}
    ${milliseconds >= 1000 && html`<span class="took">${texts.seconds(milliseconds / 1000)}</span>`}
    ${Array.isArray(notes) && notes.map((note) => html`<span class="note">${ofText(note)}</span>`)}
  </li>`;
}

const maxShown = 10;

/** The pages that could not be read, with the reason and possible remedy. */
function unreadPages(unread: unknown, texts: Texts): HtmlContent {
  if (!Array.isArray(unread) || unread.length === 0) return null;
  const pages = unread as { page: number; reason: string }[];
  return html`<ul class="unread">
    ${pages.slice(0, maxShown).map(({ page, reason }) => html`<li>${texts.unreadPage(page, reason)}</li>`)}
    ${pages.length > maxShown && html`<li>${texts.more(pages.length - maxShown)}</li>`}
  </ul>`;
}

/** The files in a container that became no documents, with the reason. */
function leftOutFiles(details: ReceiptView["details"], texts: Texts): HtmlContent {
  const files = leftOutIn(details);
  if (files.length === 0) return null;
  const more = Math.max(files.length, ofNumber(details["left_out_count"])) - maxShown;
  return html`<ul class="unread">
    ${files.slice(0, maxShown).map(({ path, reason }) => html`<li><bdi>${path}</bdi>: ${reason}</li>`)}
    ${more > 0 && html`<li>${texts.more(more)}</li>`}
  </ul>`;
}

const ofNumber = (value: unknown): number => (typeof value === "number" ? value : 0);
const ofText = (value: unknown): string => (typeof value === "string" ? value : "");

function sentence(step: string, details: ReceiptView["details"], texts: Texts): HtmlContent {
  const { message, bytes, page, pages, engine, language, confidence, host, from, unread } = details;
  if (step === "rendered" && message !== undefined) return texts.noImage(ofNumber(page), ofText(message));
  if (step === "postponed") return texts.postponed(ofText(message));
  if (typeof message === "string") return step === "replaced" ? texts.notReplaced(message) : message;
  switch (step) {
    case "received":
      return texts.received(ofNumber(bytes));
    case "fetched":
      return texts.fetched(ofText(host), ofNumber(bytes));
    case "rendered":
      return texts.rendered;
    case "indexed":
      return texts.indexed(ofNumber(pages));
    case "converted":
      if (from === "pdf") return texts.convertedPdf(ofText(engine));
      return texts.converted(ofText(from).toUpperCase(), ofText(engine));
    case "recognised": {
      const facts = [
        ofNumber(pages),
        languagesOf(language, details["by_page"]),
        ofNumber(confidence),
      ] as const;
      const lowest = lowestConfidence(details["by_page"]);
      return lowest === undefined
        ? texts.recognised(...facts)
        : texts.recognisedTo(...facts, lowest.page, lowest.confidence);
    }
    case "unpacked":
      return texts.unpacked(ofNumber(details["documents"]), ofNumber(details["left_out_count"]));
    case "replaced":
      return [texts.replaced, partsBeyond(details, texts)];
    case "redacted":
      return [texts.redacted, stillStanding(details["standing"], texts)];
    case "read":
      return texts.read(ofNumber(pages), Array.isArray(unread) ? unread.length : 0);
    default:
      return texts.steps[step] ?? step.slice(0, 1).toUpperCase() + step.slice(1);
  }
}

/** What is on pages that the new file does not have. */
function partsBeyond({ notes_beyond, sections_beyond }: ReceiptView["details"], texts: Texts): string {
  const [notes, sections] = [ofNumber(notes_beyond), ofNumber(sections_beyond)];
  return notes + sections === 0 ? "" : texts.withoutPage(notes, sections);
}

/** The languages in which the pages were recognised. A page without a language has that of the document. */
function languagesOf(language: unknown, pages: unknown): string {
  const read = Array.isArray(pages) ? (pages as { language?: string }[]) : [];
  const languages = new Set(read.map((page) => page.language ?? ofText(language)));
  return languages.size === 0 ? ofText(language) : [...languages].join(", ");
}

/** The pages on which redacted words still appear. */
function stillStanding(standing: unknown, texts: Texts): HtmlContent {
  if (!Array.isArray(standing) || standing.length === 0) return "";
  const pages = standing as { page: number; seen: number; unseen: number }[];
  const named = (which: "seen" | "unseen", words: Texts["visible"]): string[] => {
    const numbers = pages.flatMap((entry) => (entry[which] > 0 ? [String(entry.page)] : []));
    return numbers.length === 0 ? [] : [words(numbers.slice(0, 20), Math.max(0, numbers.length - 20))];
  };
  const findings = [...named("seen", texts.visible), ...named("unseen", texts.invisible)];
  return html`. <strong>${texts.stillThere}</strong> ${findings.join("; ")}`;
}

/** The page of whose text the recognition is least sure, if there are several pages. */
function lowestConfidence(pages: unknown): { page: number; confidence: number } | undefined {
  if (!Array.isArray(pages) || pages.length < 2) return undefined;
  const sure = (pages as { page: number; confidence: number | null }[])
    .flatMap(({ page, confidence }) => (confidence === null ? [] : [{ page, confidence }]))
    .toSorted((left, right) => left.confidence - right.confidence);
  return sure[0];
}
