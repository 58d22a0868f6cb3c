import type { Context } from "../../../context.ts";
import type { Box } from "../../../processing/pdf/flat-page.ts";
import { PageError, type PdfDocument } from "../../../processing/pdf/pdf-pages.ts";
import { UnreadableFileError } from "../../../processing/unreadable-file.ts";
import type { ReadPage } from "../pages/page-store.ts";
import { type RotatedWord, turnedWordsOf } from "../pages/turned-words.ts";
import { type RecogniseOptions, recognisePage } from "../processing/recognise-page.ts";

/* The words of a page before its redaction, and its text afterwards. */

/** The words of a page's text layer, with their directions; none if the page cannot be read. */
export async function wordsOfLayer(pdf: PdfDocument, page: number): Promise<RotatedWord[]> {
  try {
    return turnedWordsOf(await pdf.text(page));
  } catch (error) {
    if (error instanceof PageError) return [];
    throw error;
  }
}

/**
 * Recognises a redacted page. If that fails, the page has no text: it cannot be found, but nothing hidden is exposed.
 */
export async function recogniseRedacted(
  { ocr }: Pick<Context, "ocr">,
  pdf: PdfDocument,
  { page, boxes }: { page: number; boxes: readonly Box[] },
  options: RecogniseOptions,
): Promise<ReadPage | { reason: string }> {
  try {
    const found = await recognisePage(ocr, pdf, page, { ...options, whiteBoxes: boxes });
    const { text, words, confidence, engine, fault } = found;
    if (fault !== null) return { reason: fault };
    const other = found.language !== options.language && { language: found.language };
    return { text, recognised: { engine, confidence, layer: "", ...other, words } };
  } catch (error) {
    if (error instanceof PageError || error instanceof UnreadableFileError) {
      return { reason: error.message };
    }
    throw error;
  }
}
