import type { Context } from "../../../context.ts";
import { scriptOfText } from "../../../processing/ocr/page-script.ts";
import type { PageRaster } from "../../../processing/pdf/pdf-page-reading.ts";
import { PageError, type PdfDocument } from "../../../processing/pdf/pdf-pages.ts";
import { minWorth, textWorth } from "../../../processing/pdfium/text-quality.ts";
import { UnreadableFileError } from "../../../processing/unreadable-file.ts";
import type { Share } from "../../../semaphore.ts";
import type { ReadPage } from "../pages/page-store.ts";
import { recognisePage } from "./recognise-page.ts";

/* Recognises the pages of a document, and chooses between the recognised text of a page and that of its file. */

/** A page with its text, or with a reason. */
export interface PageOutcome {
  page: ReadPage;
  /** Whether the reason is that it took too long, so that another attempt may succeed. */
  isSlow: boolean;
}

/** The certainty that a doubtful text layer is assumed to have, from 0 to 100. */
const certaintyOfLayer = 60;

export interface Recogniser {
  /** Recognises a page, whose text layer is given. If that is a stamp, it stays, unless OCR is forced. */
  recognise: (page: number, layer: string, isStamp: boolean) => Promise<PageOutcome>;
  mayRecognise: () => Promise<boolean>;
  /** Why pages are not recognised any more; null if they are. */
  notRecognised: () => string | null;
}

/** @param reasonToStop why the time for the document is over; null if it is not */
export function recogniser(
  ocr: Context["ocr"],
  pdf: PdfDocument,
  { language, signal, forceOcr }: { language: string; signal: AbortSignal; forceOcr: boolean },
  reasonToStop: () => string | null,
): Recogniser {
  let notRecognised: string | null = null;
  /** The language that the last page was recognised in. The next page is tried in it first. */
  let likelyLanguage = language;
  const textOf = async (page: number, layer: string): Promise<ReadPage> => {
    const layerWorth = textWorth(layer, certaintyOfLayer);
    const likelyScript = layerWorth < minWorth ? null : scriptOfText(layer);
    const found = await recognisePage(ocr, pdf, page, { language, likelyLanguage, likelyScript, signal });
    const { confidence, engine, fault } = found;
    if (layerWorth >= minWorth && layerWorth > found.worth) return { text: layer };
    // Clients of DocumentCloud recognise forced OCR by this suffix.
    const by = { engine: forceOcr ? (`${engine}_force` as const) : engine, confidence, layer };
    if (fault !== null) return { text: "", recognised: { ...by, words: [] }, fault };
    // This saves an attempt at the next page. The text of a page hardly depends on it.
    if (found.words.length > 0) likelyLanguage = found.language;
    const other = found.language !== language && { language: found.language };
    return { text: found.text, recognised: { ...by, ...other, words: found.words } };
  };
  /** A stamp is kept, with what is recognised around it. */
  const textAround = async (page: number, layer: string): Promise<ReadPage> => {
    const { words } = await pdf.text(page);
    const options = { language, likelyLanguage, signal, whiteBoxes: words };
    const found = await recognisePage(ocr, pdf, page, options);
    const { confidence, engine } = found;
    if (found.fault !== null || found.words.length === 0) return { text: layer };
    likelyLanguage = found.language;
    const other = found.language !== language && { language: found.language };
    const isBelow = words.every(({ y1 }) => y1 > 0.5);
    const texts = isBelow ? [found.text, layer] : [layer, found.text];
    const all = isBelow ? [...found.words, ...words] : [...words, ...found.words];
    return { text: texts.join("\n"), recognised: { engine, confidence, layer, ...other, words: all } };
  };
  return {
    async recognise(page, layer, isStamp) {
      try {
        const read = isStamp && !forceOcr ? textAround(page, layer) : textOf(page, layer);
        return { page: await read, isSlow: false };
      } catch (error) {
        if (!(error instanceof BlankPageError))
          return { page: unreadPage(layer, reasonIn(error), isStamp), isSlow: isTooSlow(error) };
        const text = !isStamp && textWorth(layer, certaintyOfLayer) < minWorth ? "" : layer;
        return { page: { text }, isSlow: false };
      }
    },
    async mayRecognise() {
      if (notRecognised !== null) return false;
      try {
        await ocr.check(language);
        notRecognised = reasonToStop();
      } catch (error) {
        notRecognised = reasonIn(error);
      }
      return notRecognised === null;
    },
    notRecognised: () => notRecognised,
  };
}

/** The page is blank, so there is nothing to recognise. */
class BlankPageError extends UnreadableFileError {}

/** The OCR service with these shares applied to every call. It rejects pages of a single colour. */
export function sharedOcr(ocr: Context["ocr"], shares: readonly Share[]): Context["ocr"] {
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

/** A page that should have been recognised but was not. It keeps its text layer if that is meaningful, or a stamp. */
export function unreadPage(layer: string, fault: string, isStamp: boolean): ReadPage {
  if (layer === "" || isStamp || textWorth(layer, certaintyOfLayer) >= minWorth)
    return { text: layer, fault };
  return { text: "", recognised: { engine: null, confidence: null, layer, words: [] }, fault };
}

/** The reason why a page cannot be read. Any other error is rethrown. */
export function reasonIn(error: unknown): string {
  if (error instanceof PageError || error instanceof UnreadableFileError) return error.message;
  throw error;
}

export const isTooSlow = (error: unknown): boolean =>
  (error instanceof PageError || error instanceof UnreadableFileError) && error.kind === "too-slow";
