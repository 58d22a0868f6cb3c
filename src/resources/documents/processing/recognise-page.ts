import type { Context } from "../../../context.ts";
import { type Box, whiten } from "../../../processing/pdf/flat-page.ts";
import { howToInstall } from "../../../processing/ocr/ocr-data.ts";
import type { OcrPage } from "../../../processing/ocr/ocr.ts";
import type { PageRaster } from "../../../processing/pdf/pdf-page-reading.ts";
import { PageError, type PdfDocument } from "../../../processing/pdf/pdf-pages.ts";
import { languagesInScript, scriptOfLanguage } from "../../../processing/ocr/page-script.ts";
import { minWorth, textWorth } from "../../../processing/pdfium/text-quality.ts";
import { UnreadableFileError } from "../../../processing/unreadable-file.ts";
import { turnBox, turnWord } from "../pages/turn-page.ts";

/*
 * Recognising a page whose text may run any way, and be in another language than its document. What recognises it takes
 * every line for level and every letter for one of the language's, and reads noise where that is wrong; so the page is
 * drawn turned, such that its text is level, and the words that are found are turned back to where they are on the page as
 * it is shown.
 *
 * Where nobody knows which way the text runs, or in which script, how sure the reading is tells. Clean text that is level
 * was read with 91 and more out of 100; turned, with 13 to 66, but for two short words on their head (87); in another
 * script, with 6 to 37, and Japanese as Chinese with 45 to 54; drowned in grain, with 10 at most in any turn, after 5 to 20
 * seconds. So a page that is read well is read once. Of others tesseract is asked for the script and the way up, which takes
 * a third of the time of a reading.
 */

/** Below this, a reading in other turns was never of use. */
const hopeless = 12;
/** Below this, a reading may be of a page that lies on its side or its head, or is in another script. */
const doubtful = 67;
/** From here on, a reading of the page turned takes the place of one in doubt. */
const sure = 80;

export interface RecogniseOptions {
  language: string;
  signal: AbortSignal;
  /** The language to begin with: that of the pages before. */
  likelyLanguage?: string;
  /** The script of the text that the file has, if that is of use. */
  likelyScript?: string | null;
  /** How many quarter turns clockwise the page's text is thought to be turned, as the page is shown. */
  textTurns?: number;
  /** Parts of the page, as it is shown, that are drawn white. */
  whiteBoxes?: readonly Box[];
}

export interface RecognisedPage extends OcrPage {
  /** The language that it was read in. */
  language: string;
  /** From 0 to 100. */
  worth: number;
  /** Why its text is not to be kept, and what might help; null where it is, and on an empty page. */
  fault: string | null;
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
  options: RecogniseOptions,
): Promise<RecognisedPage> {
  const { language, signal, likelyLanguage = language, likelyScript = null } = options;
  const { textTurns = 0, whiteBoxes = [] } = options;
  const draw = async (turns: number): Promise<PageRaster> => {
    const turnsBack = (4 - turns) & 3;
    const raster = await pdf.raster(page, turnsBack);
    whiten(
      raster,
      whiteBoxes.map((box) => turnBox(box, turnsBack)),
    );
    return raster;
  };
  const read = async (turns: number, by: string): Promise<Reading> => {
    const found = await ocr.read(await draw(turns), by, signal);
    const words = turns === 0 ? found.words : found.words.map((word) => turnWord(word, turns));
    return { ...found, words, language: by, worth: textWorth(found.text, found.confidence) };
  };

  let best = await read(textTurns, likelyLanguage);
  if (isSettled(best)) return { ...best, fault: null };
  const raster = await draw(textTurns);
  const seen = await ocr.detect(raster, signal);
  const script = seen?.script ?? likelyScript;
  const turns = (textTurns + (seen?.quarterTurns ?? 0)) & 3;
  const there = script === null ? [] : await languagesThere(ocr, script, language);
  const by = await surest(ocr, there, turns === textTurns ? raster : await draw(turns), signal);
  if (by !== null && (by !== likelyLanguage || turns !== textTurns)) {
    const other = await unlessUnreadable(read(turns, by));
    if (other !== null && other.worth > best.worth && inkOf(other) >= inkOf(best) / 4) best = other;
  }
  const isForeign = script !== null && script !== scriptOfLanguage(best.language);
  if (!isForeign && !isSettled(best) && best.confidence >= hopeless) {
    best = (await readTurned(best, (more) => read((textTurns + more) & 3, best.language))) ?? best;
  }
  if (best.worth >= minWorth) return { ...best, fault: null };
  return { ...best, fault: faultOf(best, script, there) };
}

type Reading = Omit<RecognisedPage, "fault">;

const isSettled = ({ words, confidence }: Reading): boolean => words.length === 0 || confidence >= doubtful;

/** A reading of the page in another direction, if one is sure. */
async function readTurned(
  first: Reading,
  read: (quarterTurns: number) => Promise<Reading>,
): Promise<Reading | null> {
  // Either side before the head; and both, since of few words one that is wrong may be sure as well.
  for (const turns of [[1, 3], [2]]) {
    let best: Reading | null = null;
    for (const more of turns) {
      const other = await unlessUnreadable(read(more));
      if (other === null || other.confidence < sure || inkOf(other) < inkOf(first) / 2) continue;
      if (best === null || other.confidence > best.confidence) best = other;
    }
    if (best !== null) return best;
  }
  return null;
}

/** Of a page that says nothing in any turn, a speck may be read with confidence: that is not the page's text. */
const inkOf = ({ text }: OcrPage): number => text.replaceAll(/\s/g, "").length;

const maxCandidates = 3;

/** The languages of a script that there is data for: the document's own alone, if it is written so. */
async function languagesThere(ocr: Context["ocr"], script: string, language: string): Promise<string[]> {
  if (scriptOfLanguage(language) === script) return [language];
  const there = new Set(await ocr.languagesThere());
  return languagesInScript(script)
    .filter((code) => there.has(code))
    .slice(0, maxCandidates);
}

/** Of several languages, the one that a part of the page is read in most surely; null where there is none. */
async function surest(
  ocr: Context["ocr"],
  languages: readonly string[],
  page: PageRaster,
  signal: AbortSignal,
): Promise<string | null> {
  const [first = null, ...others] = languages;
  if (others.length === 0) return first;
  const part = partOf(page);
  let best = { language: first, confidence: -1 };
  for (const language of languages) {
    const found = await unlessUnreadable(ocr.read(part, language, signal));
    if (found !== null && found.confidence > best.confidence) {
      best = { language, confidence: found.confidence };
    }
  }
  return best.language;
}

const partHeight = 500;

/** Some lines of a page: those around the row that has as much ink above it as below. */
function partOf({ width, height, bytes }: PageRaster): PageRaster {
  if (height <= partHeight) return { width, height, bytes };
  const pixels = bytes.subarray(bytes.length - width * height);
  const ink = Array.from({ length: height }, (_, row) => {
    let dark = 0;
    for (const pixel of pixels.subarray(row * width, (row + 1) * width)) if (pixel < 128) dark += 1;
    return dark;
  });
  const half = ink.reduce((sum, dark) => sum + dark, 0) / 2;
  let above = 0;
  const middle = ink.findIndex((dark) => (above += dark) >= half);
  const top = Math.max(0, Math.min(height - partHeight, middle - partHeight / 2));
  const head = Buffer.from(`P5\n${width} ${partHeight}\n255\n`);
  const cut = pixels.subarray(top * width, (top + partHeight) * width);
  return { width, height: partHeight, bytes: new Uint8Array(Buffer.concat([head, cut])) };
}

/** For a person: why the page's text is not kept, and which language might help. */
function faultOf({ confidence, language }: Reading, script: string | null, there: string[]): string {
  const read = language === "" ? "eng" : language;
  const start = `Its text could not be recognised: read in the language “${read}” it is ${Math.round(confidence)} % sure`;
  if (script === null || script === scriptOfLanguage(language)) {
    return `${start}. If it is in another language, set that as the document’s and process it again`;
  }
  const names = `It may be in ${script} script`;
  if (there.length > 0)
    return `${start}. ${names}: set the document’s language (${there.join(", ")} are here)`;
  return `${start}. ${names}, for which there is no data here: ${howToInstall(languagesInScript(script).slice(0, 1))}`;
}

/** A page that could be read has a text already. */
async function unlessUnreadable<T>(reading: Promise<T>): Promise<T | null> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof PageError || error instanceof UnreadableFileError) return null;
    throw error;
  }
}
