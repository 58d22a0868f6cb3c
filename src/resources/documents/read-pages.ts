import type { Context } from "../../context.ts";
import { PageError, type PdfDocument } from "../../processing/pdf-pages.ts";
import { scriptOfText } from "../../processing/page-script.ts";
import { leastWorth, textWorth } from "../../processing/text-quality.ts";
import { UnreadableFileError } from "../../processing/unreadable-file.ts";
import { recognisePage } from "./recognise-page.ts";
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

/** What there is to say of a reading, besides what stands with its pages. */
export interface PagesRead {
  /** Why no page could be recognised, if any should have been, by whoever read it; null where it could. */
  notRecognised: string | null;
  milliseconds: { reading: number; recognising: number; writing: number };
}

/** In characters: what a document's text may have altogether. */
const longestText = 256 * 1024 * 1024;
/** From 0 to 100: how far a text is to be trusted that the file has for a page whose text is in doubt. */
const certaintyOfLayer = 60;
/** How many pages are handed on at a time, at most. */
const pagesAtOnce = 50;
/** Of pages whose text is recognised, as many as a person would wait for. */
const recognisedAtOnce = 8;

/**
 * Reads the pages of a PDF in order and hands them on, some at a time. A page without text, or with one that says
 * nothing, is recognised from its image, several at a time. It takes the text that was recognised or the one that the file
 * has, whichever is worth more; neither, if both say nothing. A page that cannot be read costs that page: it has no text,
 * and says why.
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
  const milliseconds = { reading: 0, recognising: 0, writing: 0 };
  let notRecognised: string | null = null;
  let length = 0;
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
    const likelyScript = layerWorth < leastWorth ? null : scriptOfText(layer);
    try {
      const options = { language, likelyLanguage, likelyScript, signal };
      const found = await recognisePage(ocr, pdf, page, options);
      const { confidence, engine, fault } = found;
      if (found.words.length > 0 && layerWorth >= leastWorth && layerWorth > found.worth)
        return { text: layer };
      // Clients of that API tell by it that this was asked for.
      const by = { engine: forceOcr ? (`${engine}_force` as const) : engine, confidence, layer };
      if (fault !== null) return { text: "", recognised: { ...by, words: [] }, fault };
      if (found.words.length > 0) likelyLanguage = found.language;
      const other = found.language !== language && { language: found.language };
      return { text: found.text, recognised: { ...by, ...other, words: found.words } };
    } catch (error) {
      return unreadPage(layer, reasonIn(error));
    }
  };
  const mayRecognise = async (): Promise<boolean> => {
    if (notRecognised !== null) return false;
    try {
      await ocr.check(language);
      return true;
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
    if (length > longestText) throw new UnreadableFileError("too-large", "Its text is too long to be kept");
    await inTime("writing", hand(pages, from));
    from += pages.length;
    [waiting, recognising] = [[], 0];
  };
  const mostRecognising = Math.min(recognisedAtOnce, 4 * Math.max(1, config.processingWorkers));
  for (let page = first; page < pageCount; page++) {
    signal.throwIfAborted();
    await progress.note("reading", done, pageCount);
    const read = await inTime(
      "reading",
      pdf.plainText(page).catch((error: unknown) => ({ fault: reasonIn(error) })),
    );
    const isRead = !("fault" in read);
    const layer = isRead ? read.text : "";
    const isSound = isRead && read.quality === "good" && !forceOcr;
    const isToRecognise = !isSound && (isRead || forceOcr);
    if (isToRecognise && (await mayRecognise())) {
      const recognised = recognise(page, layer).then(countDone);
      // It is waited for later, with the others.
      recognised.catch(() => undefined);
      waiting.push(recognised);
      recognising += 1;
    } else {
      const fault = isToRecognise ? notRecognised : isRead ? null : read.fault;
      done += 1;
      const unread = isToRecognise && fault !== null ? unreadPage(layer, fault) : null;
      waiting.push(Promise.resolve(unread ?? { text: layer, ...(fault !== null && { fault }) }));
    }
    if (waiting.length >= pagesAtOnce || recognising >= mostRecognising) await handOn();
  }
  if (waiting.length > 0) await handOn();
  if (first > 0) await mayRecognise();
  return { notRecognised, milliseconds };
}

/** A page that should have been recognised and was not: its text is what the file has, if that is of use. */
function unreadPage(layer: string, fault: string): ReadPage {
  if (layer === "" || textWorth(layer, certaintyOfLayer) >= leastWorth) return { text: layer, fault };
  return { text: "", recognised: { engine: null, confidence: null, layer, words: [] }, fault };
}

/** Why a page cannot be read; whatever else went wrong is thrown on. */
function reasonIn(error: unknown): string {
  if (error instanceof PageError || error instanceof UnreadableFileError) return error.message;
  throw error;
}
