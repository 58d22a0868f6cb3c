import type { Context } from "../../../context.ts";
import { type Box, whiten } from "../../../processing/pdf/flat-page.ts";
import type { OcrPage } from "../../../processing/ocr/ocr.ts";
import { PageError, type PdfDocument } from "../../../processing/pdf/pdf-pages.ts";
import { UnreadableFileError } from "../../../processing/unreadable-file.ts";
import { turnBox, turnWord } from "../pages/turn-page.ts";

/*
 * Recognising a page whose text may run any way. What recognises it takes every line for level and reads noise on a page
 * that lies on its side; so the page is drawn turned, such that its text is level, and the words that are found are
 * turned back to where they are on the page as it is shown.
 *
 * Where nobody knows which way the text runs, how sure the reading is tells. Clean text that is level was read with 91 and
 * more out of 100; turned, with 13 to 66, but for two short words on their head (87); drowned in grain, with 10 at most in
 * any turn, after 5 to 20 seconds. So a page that is read well is read once, and so is one of which nothing can be expected.
 */

/** Between these a reading may be of a page that lies on its side or its head. */
const hopeless = 12;
const doubtful = 67;
/** From here on, a reading of the page turned takes the place of one in doubt. */
const sure = 80;

export interface RecogniseOptions {
  language: string;
  signal: AbortSignal;
  /** How many quarter turns clockwise the page's text is thought to be turned, as the page is shown. */
  textTurns?: number;
  /** Parts of the page, as it is shown, that are drawn white. */
  whiteBoxes?: readonly Box[];
}

/**
 * The text of a page by what it looks like, and where its words are on the page as it is shown.
 *
 * @throws {PageError | UnreadableFileError} with the reason, for a person.
 */
export async function recognisePage(
  ocr: Context["ocr"],
  pdf: PdfDocument,
  page: number,
  { language, signal, textTurns = 0, whiteBoxes = [] }: RecogniseOptions,
): Promise<OcrPage> {
  const read = async (turns: number): Promise<OcrPage> => {
    const turnsBack = (4 - turns) & 3;
    const raster = await pdf.raster(page, turnsBack);
    whiten(
      raster,
      whiteBoxes.map((box) => turnBox(box, turnsBack)),
    );
    const found = await ocr.read(raster, language, signal);
    return turns === 0 ? found : { ...found, words: found.words.map((word) => turnWord(word, turns)) };
  };
  const first = await read(textTurns);
  const { confidence } = first;
  if (first.words.length === 0 || confidence < hopeless || confidence >= doubtful) return first;
  // Either side before the head; and both, since of few words one that is wrong may be sure as well.
  for (const turns of [[1, 3], [2]]) {
    let best: OcrPage | null = null;
    for (const more of turns) {
      const other = await unlessUnreadable(read((textTurns + more) & 3));
      if (other === null || other.confidence < sure || inkOf(other) < inkOf(first) / 2) continue;
      if (best === null || other.confidence > best.confidence) best = other;
    }
    if (best !== null) return best;
  }
  return first;
}

/** Of a page that says nothing in any turn, a speck may be read with confidence: that is not the page's text. */
const inkOf = ({ text }: OcrPage): number => text.replaceAll(/\s/g, "").length;

/** A page that could be read has a text already. */
async function unlessUnreadable<T>(reading: Promise<T>): Promise<T | null> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof PageError || error instanceof UnreadableFileError) return null;
    throw error;
  }
}
