import type { Context } from "../../context.ts";
import { PageError, type PdfDocument } from "../../processing/pdf-pages.ts";
import { UnreadableFileError } from "../../processing/unreadable-file.ts";
import type { ReadPage } from "./page-store.ts";
import type { Progress } from "./progress-store.ts";

export interface ReadingOptions {
  /** Recognise the text of every page, whatever the file says of it. */
  forceOcr: boolean;
  language: string;
  /** The page to begin with, counting from 0. */
  first: number;
  signal: AbortSignal;
  progress: Progress;
}

/** What there is to say of a reading. Pages count from 1 here, where people read it. */
export interface PagesRead {
  pages: number;
  unread: { page: number; reason: string }[];
  /** Null where nothing had to be recognised; with a message, where it could not be. */
  recognised: {
    pages: number;
    engine: string;
    language: string;
    confidence: number | null;
    message?: string;
  } | null;
  milliseconds: { reading: number; recognising: number };
}

/** In characters: what a document's text may have altogether. */
const longestText = 256 * 1024 * 1024;
/** How many pages are handed on at a time, at most. */
const pagesAtOnce = 50;
/** Of pages whose text is recognised, as many as a person would wait for. */
const recognisedAtOnce = 8;

/**
 * Reads the pages of a PDF in order and hands them on, some at a time. A page without text, or with one that says
 * nothing, is recognised from its image, several at a time. A page that cannot be read costs that page: it has no text,
 * and is named.
 *
 * @throws {UnreadableFileError}
 */
export async function readPages(
  { config, ocr }: Pick<Context, "config" | "ocr">,
  pdf: PdfDocument,
  { forceOcr, language, first, signal, progress }: ReadingOptions,
  hand: (pages: ReadPage[], from: number) => Promise<void>,
): Promise<PagesRead> {
  const { pageCount } = pdf.facts;
  const unread: PagesRead["unread"] = [];
  const confidences: number[] = [];
  const milliseconds = { reading: 0, recognising: 0 };
  let message: string | undefined;
  let length = 0;
  const inTime = async <T>(kind: keyof typeof milliseconds, work: Promise<T>): Promise<T> => {
    const started = performance.now();
    try {
      return await work;
    } finally {
      milliseconds[kind] += performance.now() - started;
    }
  };
  const unlessUnreadable = async <T>(page: number, work: Promise<T>): Promise<T | null> => {
    try {
      return await work;
    } catch (error) {
      if (!(error instanceof PageError) && !(error instanceof UnreadableFileError)) throw error;
      unread.push({ page: page + 1, reason: error.message });
      return null;
    }
  };

  const recognise = async (page: number, layer: string): Promise<ReadPage> => {
    const raster = await unlessUnreadable(page, pdf.raster(page));
    if (raster === null) return { text: layer };
    const found = await unlessUnreadable(page, ocr.read(raster, language, signal));
    if (found === null) return { text: layer };
    const { text, words, confidence, engine } = found;
    confidences.push(confidence);
    return { text, recognised: { engine, confidence, layer, words } };
  };
  const mayRecognise = async (): Promise<boolean> => {
    if (message !== undefined) return false;
    try {
      await ocr.check(language);
      return true;
    } catch (error) {
      if (!(error instanceof UnreadableFileError)) throw error;
      ({ message } = error);
      return false;
    }
  };

  let waiting: Promise<ReadPage>[] = [];
  let from = first;
  let recognising = 0;
  const handOn = async (): Promise<void> => {
    const pages = await inTime("recognising", Promise.all(waiting));
    length += pages.reduce((sum, { text }) => sum + text.length, 0);
    if (length > longestText) throw new UnreadableFileError("too-large", "Its text is too long to be kept");
    await hand(pages, from);
    from += pages.length;
    [waiting, recognising] = [[], 0];
  };
  const mostRecognising = Math.min(recognisedAtOnce, 4 * Math.max(1, config.processingWorkers));
  for (let page = first; page < pageCount; page++) {
    signal.throwIfAborted();
    await progress.note("reading", page, pageCount);
    const read = await inTime("reading", unlessUnreadable(page, pdf.text(page)));
    const layer = read?.text ?? "";
    const isSound = read?.quality === "good" && !forceOcr;
    if (!isSound && (read !== null || forceOcr) && (await mayRecognise())) {
      const recognised = recognise(page, layer);
      // It is waited for later, with the others.
      recognised.catch(() => undefined);
      waiting.push(recognised);
      recognising += 1;
    } else waiting.push(Promise.resolve({ text: layer }));
    if (waiting.length >= pagesAtOnce || recognising >= mostRecognising) await handOn();
  }
  if (waiting.length > 0) await handOn();
  const isTold = confidences.length > 0 || message !== undefined;
  const mean = confidences.reduce((sum, one) => sum + one, 0) / confidences.length;
  const confidence = confidences.length === 0 ? null : Math.round(mean);
  const recognised = { pages: confidences.length, engine: "tess4", language, confidence };
  return {
    pages: pageCount,
    unread: unread.toSorted((one, other) => one.page - other.page),
    recognised: isTold ? { ...recognised, ...(message !== undefined && { message }) } : null,
    milliseconds,
  };
}
