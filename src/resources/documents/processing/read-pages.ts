import type { Context } from "../../../context.ts";
import { PageError, type PdfDocument } from "../../../processing/pdf/pdf-pages.ts";
import { scriptOfText } from "../../../processing/ocr/page-script.ts";
import type { PageRaster } from "../../../processing/pdf/pdf-page-reading.ts";
import { minWorth, textWorth } from "../../../processing/pdfium/text-quality.ts";
import { UnreadableFileError } from "../../../processing/unreadable-file.ts";
import { pagesPerBlock } from "../../../search/parts.ts";
import type { Share } from "../../../semaphore.ts";
import { recognisePage } from "./recognise-page.ts";
import type { ReadPage } from "../pages/page-store.ts";

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
/** The certainty that a doubtful text layer is assumed to have, from 0 to 100. */
const certaintyOfLayer = 60;
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
 * Reads the pages of a PDF in order and passes them on in batches. Pages with no text layer, or a meaningless one, are
 * recognised from their images, several at a time. Each of them gets the recognised text or the text layer, whichever
 * is worth more, or neither if both are meaningless. An unreadable page does not stop the others: it gets no text, and
 * a reason. A long document stops after some pages to yield to other jobs.
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
  const { forceOcr, language, first, signal, isLong, isDrawnFromText } = options;
  const { pageCount } = pdf.facts;
  const ocr = ocrFor(context.ocr, options.shares);
  const milliseconds = { ...options.spent.milliseconds };
  let notRecognised: string | null = null;
  let length = options.spent.textLength;
  let begun = performance.now();
  let recognisedHere = 0;
  const inTime = async <T>(kind: keyof typeof milliseconds, work: Promise<T>): Promise<T> => {
    const started = performance.now();
    try {
      return await work;
    } finally {
      milliseconds[kind] += performance.now() - started;
    }
  };

  /** The language that the last page was recognised in. The next page is tried in it first. */
  let likelyLanguage = language;
  const recognise = async (page: number, layer: string): Promise<ReadPage> => {
    const layerWorth = textWorth(layer, certaintyOfLayer);
    const likelyScript = layerWorth < minWorth ? null : scriptOfText(layer);
    try {
      const found = await recognisePage(ocr, pdf, page, { language, likelyLanguage, likelyScript, signal });
      const { confidence, engine, fault } = found;
      if (found.words.length > 0 && layerWorth >= minWorth && layerWorth > found.worth)
        return { text: layer };
      // Clients of DocumentCloud recognise forced OCR by this suffix.
      const by = { engine: forceOcr ? (`${engine}_force` as const) : engine, confidence, layer };
      if (fault !== null) return { text: "", recognised: { ...by, words: [] }, fault };
      // This saves an attempt at the next page. The text of a page hardly depends on it.
      if (found.words.length > 0) likelyLanguage = found.language;
      const other = found.language !== language && { language: found.language };
      return { text: found.text, recognised: { ...by, ...other, words: found.words } };
    } catch (error) {
      if (error instanceof BlankPageError) return { text: layerWorth < minWorth ? "" : layer };
      return unreadPage(layer, reasonIn(error));
    }
  };
  const limitMinutes = config.ocrDocumentLimitMinutes;
  const mayRecognise = async (): Promise<boolean> => {
    if (notRecognised !== null) return false;
    try {
      await ocr.check(language);
      if (milliseconds.recognising < limitMinutes * 60_000) return true;
      notRecognised = outOfTime(limitMinutes);
      return false;
    } catch (error) {
      notRecognised = reasonIn(error);
      return false;
    }
  };

  let waiting: Promise<ReadPage>[] = [];
  let from = first;
  let recognising = 0;
  /** How many pages have their text. Pages may finish out of order. */
  let done = first;
  const countDone = async (page: ReadPage): Promise<ReadPage> => {
    done += 1;
    await sink.note(done);
    return page;
  };
  const handOn = async (): Promise<void> => {
    const pages = await inTime("recognising", Promise.all(waiting));
    length += pages.reduce((sum, { text }) => sum + text.length, 0);
    if (length > maxTextLength)
      throw new UnreadableFileError("too-large", "The document's text is too long to store");
    await inTime("writing", sink.take(pages, from));
    from += pages.length;
    [waiting, recognising] = [[], 0];
  };
  const read = (next: number | null): PagesRead => ({
    notRecognised,
    spent: { milliseconds, textLength: length },
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
      pdf.plainText(page).catch((error: unknown) => ({ fault: reasonIn(error) })),
    );
    const isRead = !("fault" in found);
    const layer = isRead ? found.text : "";
    const isSound = isRead && found.quality === "good" && !forceOcr;
    const isToRecognise = !isSound && (isRead || forceOcr) && !isDrawnFromText;
    if (isToRecognise && (await mayRecognise())) {
      recognisedHere += 1;
      if (!isLong && recognisedHere > maxRecognisedOfShort) {
        if (waiting.length > 0) await handOn();
        return read(page);
      }
      await sink.show();
      const recognised = recognise(page, layer).then(countDone);
      // It is awaited later, together with the rest of the batch.
      recognised.catch(() => undefined);
      waiting.push(recognised);
      recognising += 1;
    } else {
      const fault = isToRecognise ? notRecognised : isRead ? null : found.fault;
      done += 1;
      const unread = isToRecognise && fault !== null ? unreadPage(layer, fault) : null;
      waiting.push(Promise.resolve(unread ?? { text: layer, ...(fault !== null && { fault }) }));
    }
    const isFull = (page + 1) % pagesAtOnce === 0 || recognising >= maxRecognising;
    if (isFull || isTimeOver()) {
      await handOn();
      if (page + 1 < pageCount && (await isToGiveWay())) return read(page + 1);
    }
  }
  if (waiting.length > 0) await handOn();
  if (first > 0) await mayRecognise();
  return read(null);
}

const outOfTime = (minutes: number): string =>
  `Text recognition took more than ${minutes} minutes altogether: ` +
  "the remaining pages have not been recognised";

/** The page is blank, so there is nothing to recognise. */
class BlankPageError extends UnreadableFileError {}

/** The OCR service with these shares applied to every call. It rejects pages of a single colour. */
function ocrFor(ocr: Context["ocr"], shares: readonly Share[]): Context["ocr"] {
  return {
    check: (language) => ocr.check(language),
    languagesThere: () => ocr.languagesThere(),
    close: () => ocr.close(),
    detect: (raster, signal) => ocr.detect(raster, signal, shares),
    read: (raster, language, signal) => {
      if (isBlank(raster)) return Promise.reject(new BlankPageError("empty", "There is nothing on it"));
      return ocr.read(raster, language, signal, shares);
    },
  };
}

function isBlank({ bytes, width, height }: PageRaster): boolean {
  const pixels = bytes.subarray(bytes.length - width * height);
  return pixels.every((pixel) => pixel === pixels[0]);
}

/** A page that should have been recognised but was not. It keeps its text layer if that is meaningful. */
function unreadPage(layer: string, fault: string): ReadPage {
  if (layer === "" || textWorth(layer, certaintyOfLayer) >= minWorth) return { text: layer, fault };
  return { text: "", recognised: { engine: null, confidence: null, layer, words: [] }, fault };
}

/** The reason why a page cannot be read. Any other error is rethrown. */
function reasonIn(error: unknown): string {
  if (error instanceof PageError || error instanceof UnreadableFileError) return error.message;
  throw error;
}
