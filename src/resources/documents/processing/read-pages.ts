import type { Context } from "../../../context.ts";
import type { PdfDocument } from "../../../processing/pdf/pdf-pages.ts";
import { UnreadableFileError } from "../../../processing/unreadable-file.ts";
import { pagesPerBlock } from "../../../search/parts.ts";
import type { Share } from "../../../semaphore.ts";
import type { ReadPage } from "../pages/page-store.ts";
import {
  type PageOutcome,
  isTooSlow,
  reasonIn,
  recogniser,
  sharedOcr,
  unreadPage,
} from "./recognise-pages.ts";

export interface ReadingOptions {
  /** Recognise the text of every page, even where the file has a text layer. */
  forceOcr: boolean;
  language: string;
  /** The index of the first page to read. */
  first: number;
  signal: AbortSignal;
  /** The owner and the document that pages waiting for recognition count against. */
  shares: readonly Share[];
  /** The pages were drawn from a text, so recognition cannot improve on it. */
  isDrawnFromText: boolean;
  /** The cost of earlier pages. */
  spent: Spent;
  /** Whether this document is known to take long. */
  isLong: boolean;
  /** Whether other jobs are waiting, so that a long document should yield after its current batch of pages. */
  isAwaited: () => Promise<boolean>;
  /** Whether a page that took too long may be tried once more, after the jobs that wait. */
  mayRetry: boolean;
}

/** Takes what is read. */
export interface PageSink {
  /** Records how many pages are done, at most twice a second. */
  note(done: number): Promise<void>;
  /** Shows others what is known so far. It is called before a page is recognised. */
  show(): Promise<void>;
  /** Takes the next pages, the first of which has this index. */
  take(pages: ReadPage[], from: number): Promise<void>;
}

/** The cost of a document so far, over all runs of its job. */
export interface Spent {
  milliseconds: { reading: number; recognising: number; writing: number };
  /** In characters. */
  textLength: number;
  /** The indexes of the pages that took too long, and are tried once more after the jobs that wait. */
  retried?: readonly number[];
}

/** The result of a reading, apart from what is stored with each page. */
export interface PagesRead {
  /** Why pages could not be recognised, in this run or an earlier one; null if they could. */
  notRecognised: string | null;
  spent: Spent;
  /** The index of the page to continue with after yielding to other jobs; null once all pages are read. */
  next: number | null;
}

/** The progress step while the text of pages is read. */
export const reading = "reading";

/** The limit on the text of a whole document, in characters. */
const maxTextLength = 256 * 1024 * 1024;
/** The largest batch of pages. It ends with a block, because the words of a divided block would be counted again. */
const pagesAtOnce = 2 * pagesPerBlock;
/** The largest number of recognised pages in a batch, few enough for a person to wait for them. */
const recognisedAtOnce = 8;
/** A document with more pages to recognise counts as long. */
const maxRecognisedOfShort = 4;
/** A long document yields to other jobs after this number of recognised pages, or after `secondsInTurn`. */
const recognisedInTurn = 16;
const secondsInTurn = 30;

/**
 * Reads the pages of a PDF in order and passes them on in batches. Pages with no text layer, or a meaningless one, or a
 * stamp alone, are recognised from their images, several at a time. Each of them gets the recognised text or the text
 * layer, whichever is worth more, or neither if both are meaningless; a page with a stamp gets both. An unreadable page
 * does not stop the others: it gets no text, and a reason, after another attempt if it took too long. A long document
 * stops after some pages to yield to other jobs.
 *
 * @throws {UnreadableFileError}
 */
export async function readPages(
  context: Pick<Context, "config" | "ocr">,
  pdf: PdfDocument,
  options: ReadingOptions,
  sink: PageSink,
): Promise<PagesRead> {
  const { config } = context;
  const { forceOcr, first, signal, isLong, isDrawnFromText } = options;
  const { pageCount } = pdf.facts;
  const ocr = sharedOcr(context.ocr, options.shares);
  const milliseconds = { ...options.spent.milliseconds };
  const limitMinutes = config.ocrDocumentLimitMinutes;
  let length = options.spent.textLength;
  let begun = performance.now();
  let recognisedHere = 0;
  const retried = [...(options.spent.retried ?? [])];
  const inTime = async <T>(kind: keyof typeof milliseconds, work: Promise<T>): Promise<T> => {
    const started = performance.now();
    try {
      return await work;
    } finally {
      milliseconds[kind] += performance.now() - started;
    }
  };

  const { recognise, mayRecognise, notRecognised } = recogniser(ocr, pdf, options, () =>
    milliseconds.recognising >= limitMinutes * 60_000 ? outOfTime(limitMinutes) : null,
  );
  let waiting: Promise<PageOutcome>[] = [];
  let from = first;
  let recognised = 0;
  /** How many pages have their text. Pages may finish out of order. */
  let done = first;
  const countDone = async (outcome: PageOutcome): Promise<PageOutcome> => {
    done += 1;
    await sink.note(done);
    return outcome;
  };
  /** Passes on the pages that wait. Returns the index of one to read again later, after those before it. */
  const handOn = async (): Promise<number | null> => {
    const outcomes = await inTime("recognising", Promise.all(waiting));
    const slow = outcomes.findIndex(
      ({ isSlow }, index) => isSlow && mayRetry(from + index, retried, options),
    );
    const pages = (slow < 0 ? outcomes : outcomes.slice(0, slow)).map(({ page }) => page);
    length += pages.reduce((sum, { text }) => sum + text.length, 0);
    if (length > maxTextLength)
      throw new UnreadableFileError("too-large", "The document's text is too long to store");
    if (pages.length > 0) await inTime("writing", sink.take(pages, from));
    from += pages.length;
    [waiting, recognised] = [[], 0];
    if (slow < 0) return null;
    retried.push(from);
    return from;
  };
  const read = (next: number | null): PagesRead => ({
    notRecognised: notRecognised(),
    spent: { milliseconds, textLength: length, retried },
    next,
  });
  const isTimeOver = (): boolean => performance.now() - begun > secondsInTurn * 1000;
  const isToGiveWay = async (): Promise<boolean> => {
    const isOver = isTimeOver();
    if (!isLong) return isOver;
    if (!isOver && recognisedHere < recognisedInTurn) return false;
    [begun, recognisedHere] = [performance.now(), 0];
    return options.isAwaited();
  };
  const maxRecognising = Math.min(recognisedAtOnce, 4 * Math.max(1, config.processingWorkers));
  for (let page = first; page < pageCount; page++) {
    signal.throwIfAborted();
    await sink.note(done);
    const found = await inTime(
      "reading",
      pdf.plainText(page).catch((error: unknown) => ({ fault: reasonIn(error), isSlow: isTooSlow(error) })),
    );
    const isRead = !("fault" in found);
    const [layer, isStamp] = isRead ? [found.text, found.quality === "stamp"] : ["", false];
    const isSound = isRead && found.quality === "good" && !forceOcr;
    const isToRecognise = !isSound && (isRead || forceOcr) && !isDrawnFromText;
    if (isToRecognise && (await mayRecognise())) {
      recognisedHere += 1;
      if (!isLong && recognisedHere > maxRecognisedOfShort) {
        return read((waiting.length > 0 ? await handOn() : null) ?? page);
      }
      await sink.show();
      const outcome = recognise(page, layer, isStamp).then(countDone);
      // It is awaited later, together with the rest of the batch.
      outcome.catch(() => undefined);
      waiting.push(outcome);
      recognised += 1;
    } else {
      const fault = isToRecognise ? notRecognised() : isRead ? null : found.fault;
      done += 1;
      const unread = isToRecognise && fault !== null ? unreadPage(layer, fault, isStamp) : null;
      const outcome = unread ?? { text: layer, ...(fault !== null && { fault }) };
      waiting.push(Promise.resolve({ page: outcome, isSlow: !isRead && found.isSlow }));
    }
    const isFull = (page + 1) % pagesAtOnce === 0 || recognised >= maxRecognising;
    if (isFull || isTimeOver()) {
      const again = await handOn();
      if (again !== null) return read(again);
      if (page + 1 < pageCount && (await isToGiveWay())) return read(page + 1);
    }
  }
  const again = waiting.length > 0 ? await handOn() : null;
  if (again !== null) return read(again);
  if (first > 0) await mayRecognise();
  return read(null);
}

/** The pages of a document that are tried once more. A document with more of them is slow itself. */
const maxRetried = 4;

function mayRetry(page: number, retried: readonly number[], { mayRetry: may }: ReadingOptions): boolean {
  return may && retried.length < maxRetried && !retried.includes(page);
}

const outOfTime = (minutes: number): string =>
  `Text recognition took more than ${minutes} minutes altogether: ` +
  "the remaining pages have not been recognised";
