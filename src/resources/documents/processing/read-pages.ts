import type { Context } from "../../../context.ts";
import { PageError, type PdfDocument } from "../../../processing/pdf/pdf-pages.ts";
import { scriptOfText } from "../../../processing/ocr/page-script.ts";
import type { PageRaster } from "../../../processing/pdf/pdf-page-reading.ts";
import { minWorth, textWorth } from "../../../processing/pdfium/text-quality.ts";
import { UnreadableFileError } from "../../../processing/unreadable-file.ts";
import type { Share } from "../../../semaphore.ts";
import { recognisePage } from "./recognise-page.ts";
import type { ReadPage } from "../pages/page-store.ts";
import type { Progress } from "./progress-store.ts";

export interface ReadingOptions {
  /** Recognise the text of every page, whatever the file says of it. */
  forceOcr: boolean;
  language: string;
  /** The page to begin with, counting from 0. */
  first: number;
  signal: AbortSignal;
  progress: Progress;
  /** Whom the reading is for, where pages wait to be recognised. */
  shares: readonly Share[];
  /** The pages were drawn from a text, which no recognition could find better. */
  isDrawnFromText: boolean;
  /** What was spent on the pages before the first one. */
  spent: Spent;
  /** Whether this document is known to take long. */
  isLong: boolean;
  /** Of one that takes long: whether it is to let others go first, now that some more pages are done. */
  isAwaited: () => Promise<boolean>;
}

/** What a document took so far, over all the times that it was gone on with. */
export interface Spent {
  milliseconds: { reading: number; recognising: number; writing: number };
  /** In characters. */
  textLength: number;
}

/** What there is to say of a reading, besides what stands with its pages. */
export interface PagesRead {
  /** Why no page could be recognised, if any should have been, by whoever read it; null where it could. */
  notRecognised: string | null;
  spent: Spent;
  /** The page to go on with, since others are to go first; null where all are read. */
  next: number | null;
}

/** In characters: what a document's text may have altogether. */
const maxTextLength = 256 * 1024 * 1024;
/** From 0 to 100: how far a text is to be trusted that the file has for a page whose text is in doubt. */
const certaintyOfLayer = 60;
/** How many pages are handed on at a time, at most. */
const pagesAtOnce = 50;
/** Of pages whose text is recognised, as many as a person would wait for. */
const recognisedAtOnce = 8;
/** A document with more pages to recognise takes long. */
const maxRecognisedOfShort = 4;
/** One that takes long lets others go first after so many pages that were recognised, or after this time. */
const recognisedInTurn = 16;
const secondsInTurn = 30;

/**
 * Reads the pages of a PDF in order and hands them on, some at a time. A page without text, or with one that says
 * nothing, is recognised from its image, several at a time. It takes the text that was recognised or the one that the file
 * has, whichever is worth more; neither, if both say nothing. A page that cannot be read costs that page: it has no text,
 * and says why. A document that takes long stops after some pages to let others go first.
 *
 * @throws {UnreadableFileError}
 */
export async function readPages(
  context: Pick<Context, "config" | "ocr">,
  pdf: PdfDocument,
  options: ReadingOptions,
  hand: (pages: ReadPage[], from: number) => Promise<void>,
): Promise<PagesRead> {
  const { config } = context;
  const { forceOcr, language, first, signal, progress, isLong, isDrawnFromText } = options;
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

  /** The language that the last page came out in: the next one is tried in it first. */
  let likelyLanguage = language;
  const recognise = async (page: number, layer: string): Promise<ReadPage> => {
    const layerWorth = textWorth(layer, certaintyOfLayer);
    const likelyScript = layerWorth < minWorth ? null : scriptOfText(layer);
    try {
      const reading = { language, likelyLanguage, likelyScript, signal };
      const found = await recognisePage(ocr, pdf, page, reading);
      const { confidence, engine, fault } = found;
      if (found.words.length > 0 && layerWorth >= minWorth && layerWorth > found.worth)
        return { text: layer };
      // Clients of that API tell by it that this was asked for.
      const by = { engine: forceOcr ? (`${engine}_force` as const) : engine, confidence, layer };
      if (fault !== null) return { text: "", recognised: { ...by, words: [] }, fault };
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
      notRecognised = `Recognising its text took more than ${limitMinutes} minutes altogether: the pages that were left have not been recognised`;
      return false;
    } catch (error) {
      notRecognised = reasonIn(error);
      return false;
    }
  };

  let waiting: Promise<ReadPage>[] = [];
  let from = first;
  let recognising = 0;
  /** How many pages have their text, in whatever order they come to it. */
  let done = first;
  const countDone = async (page: ReadPage): Promise<ReadPage> => {
    done += 1;
    await progress.note("reading", done, pageCount);
    return page;
  };
  const handOn = async (): Promise<void> => {
    const pages = await inTime("recognising", Promise.all(waiting));
    length += pages.reduce((sum, { text }) => sum + text.length, 0);
    if (length > maxTextLength) throw new UnreadableFileError("too-large", "Its text is too long to be kept");
    await inTime("writing", hand(pages, from));
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
    await progress.note("reading", done, pageCount);
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
      const recognised = recognise(page, layer).then(countDone);
      // It is waited for later, with the others.
      recognised.catch(() => undefined);
      waiting.push(recognised);
      recognising += 1;
    } else {
      const fault = isToRecognise ? notRecognised : isRead ? null : found.fault;
      done += 1;
      const unread = isToRecognise && fault !== null ? unreadPage(layer, fault) : null;
      waiting.push(Promise.resolve(unread ?? { text: layer, ...(fault !== null && { fault }) }));
    }
    if (waiting.length >= pagesAtOnce || recognising >= maxRecognising || isTimeOver()) {
      await handOn();
      if (page + 1 < pageCount && (await isToGiveWay())) return read(page + 1);
    }
  }
  if (waiting.length > 0) await handOn();
  if (first > 0) await mayRecognise();
  return read(null);
}

/** A page on which there is nothing to recognise. */
class BlankPageError extends UnreadableFileError {}

/** Recognises for these shares, and no page of one colour. */
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

/** A page that should have been recognised and was not: its text is what the file has, if that is of use. */
function unreadPage(layer: string, fault: string): ReadPage {
  if (layer === "" || textWorth(layer, certaintyOfLayer) >= minWorth) return { text: layer, fault };
  return { text: "", recognised: { engine: null, confidence: null, layer, words: [] }, fault };
}

/** Why a page cannot be read; whatever else went wrong is thrown on. */
function reasonIn(error: unknown): string {
  if (error instanceof PageError || error instanceof UnreadableFileError) return error.message;
  throw error;
}
