import { isLanguageChosen } from "../../../contract/describing-fields.ts";
import type { Context } from "../../../context.ts";
import { type Box, whiten } from "../../../processing/pdf/flat-page.ts";
import { howToInstall } from "../../../processing/ocr/ocr-data.ts";
import type { DetectedScript, OcrPage } from "../../../processing/ocr/ocr.ts";
import type { PageRaster } from "../../../processing/pdf/pdf-page-reading.ts";
import { PageError, type PdfDocument } from "../../../processing/pdf/pdf-pages.ts";
import { languagesInScript, scriptOfLanguage } from "../../../processing/ocr/page-script.ts";
import { languageOf } from "../../../processing/text-language.ts";
import { minWorth, textWorth } from "../../../processing/pdfium/text-quality.ts";
import { UnreadableFileError } from "../../../processing/unreadable-file.ts";
import { turnBox, turnWord } from "../pages/turn-page.ts";

/*
 * Recognises a page whose text may be rotated, or in another language than its document. Tesseract takes every line to
 * be horizontal and every letter to be of its language, and reads noise where that is wrong. The page is therefore
 * drawn rotated so that its text is horizontal, and the recognised words are rotated back to their positions on the
 * page as it is shown.
 *
 * Where rotation or script is unknown, the confidence of the reading tells. In measurements, clean horizontal text was
 * read with a confidence of at least 91 out of 100. Rotated text scored 13 to 66, apart from two short upside-down
 * words (87). Text in another script scored 6 to 37, and Japanese read as Chinese 45 to 54. Text buried in grain scored
 * at most 10 in any rotation, and took 5 to 20 seconds. So a page that is read confidently is read once. For other
 * pages, Tesseract first detects the script and the orientation, which takes a third of the time of a reading.
 */

/** Below this confidence, reading the page in other rotations never helped. */
const hopeless = 12;
/** Below this confidence, the page may be rotated, upside down or in another script. */
const doubtful = 67;
/** From this confidence on, a reading of the rotated page replaces a doubtful one. */
const sure = 80;

export interface RecogniseOptions {
  language: string;
  signal: AbortSignal;
  /** The language to try first: the one that earlier pages were recognised in. */
  likelyLanguage?: string;
  /** The script of the page's text layer, if that is meaningful. */
  likelyScript?: string | null;
  /** The expected rotation of the text on the page as it is shown, in clockwise quarter turns. */
  textTurns?: number;
  /** Parts of the page, as it is shown, to paint white. */
  whiteBoxes?: readonly Box[];
}

export interface RecognisedPage extends OcrPage {
  /** The language that the page was read in. */
  language: string;
  /** From 0 to 100. */
  worth: number;
  /** Why the text should be discarded, and what might help; null if it is good, or if the page has no text. */
  fault: string | null;
}

/**
 * The text recognised on a page, with the positions of its words on the page as it is shown.
 *
 * @throws {PageError | UnreadableFileError} with a reason for a person.
 */
async function recogniseOnce(
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
  if (isWithoutLetters(best, seen)) return { ...best, ...nothing, fault: null };
  return { ...best, fault: faultOf(best, script, there) };
}

/** What is read of a picture without letters. */
const nothing = { text: "", words: [], confidence: 0, worth: 0 };
/** In a picture, few shapes look like letters, and even a short heading has more. */
const maxLetterlike = 12;
const minCertainty = 1;

/**
 * Whether a page that cannot be read has no letters at all: a photograph, a drawing. Tesseract then finds too little to
 * tell a script, or finds one without being sure which way up it stands.
 */
function isWithoutLetters(best: Reading, seen: DetectedScript | null): boolean {
  return seen === null ? inkOf(best) <= maxLetterlike : seen.certainty < minCertainty;
}

/** From this share on, the language of a recognised text is worth another reading. */
const certain = 0.8;

/**
 * The same for a page of a document whose language nobody has chosen. If its text turns out to be in another language,
 * for which there is data, the page is read again in that one. English data reads German without its umlauts.
 */
export async function recognisePage(
  ocr: Context["ocr"],
  pdf: PdfDocument,
  page: number,
  options: RecogniseOptions,
): Promise<RecognisedPage> {
  const found = await recogniseOnce(ocr, pdf, page, options);
  if (isLanguageChosen(options.language) || found.fault !== null) return found;
  const recognised = await languageOf([found.text]);
  if (recognised === null || recognised.certainty < certain || recognised.language === found.language)
    return found;
  const { language } = recognised;
  if (!(await ocr.languagesThere()).includes(language)) return found;
  const again = await recogniseOnce(ocr, pdf, page, { ...options, likelyLanguage: language });
  return again.fault === null && again.confidence >= found.confidence ? again : found;
}

type Reading = Omit<RecognisedPage, "fault">;

const isSettled = ({ words, confidence }: Reading): boolean => words.length === 0 || confidence >= doubtful;

/** The most confident reading of the page in another rotation, if any is sure. */
async function readTurned(
  first: Reading,
  read: (quarterTurns: number) => Promise<Reading>,
): Promise<Reading | null> {
  // Both sides come before upside down. Both are read because on a page with few words a wrong reading may be sure too.
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

/** The number of visible characters. On a page without meaningful text, a speck may be read with high confidence. */
const inkOf = ({ text }: OcrPage): number => text.replaceAll(/\s/g, "").length;

const maxCandidates = 3;

/** The installed languages of a script; only the document's own language if it uses that script. */
async function languagesThere(ocr: Context["ocr"], script: string, language: string): Promise<string[]> {
  if (scriptOfLanguage(language) === script) return [language];
  const there = new Set(await ocr.languagesThere());
  return languagesInScript(script)
    .filter((code) => there.has(code))
    .slice(0, maxCandidates);
}

/** The language in which a part of the page is read with the highest confidence; null if `languages` is empty. */
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

/** Some lines of a page, around the row that has as much ink above it as below. */
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

/** Explains to a person why the page's text is discarded, and which language might help. */
function faultOf({ confidence, language }: Reading, script: string | null, there: string[]): string {
  const read = language === "" ? "eng" : language;
  const start =
    `Its text could not be recognised: read in the language “${read}” it is ${Math.round(confidence)} ` +
    "% sure";
  if (script === null || script === scriptOfLanguage(language)) {
    return `${start}. If it is in another language, set that as the document’s and process it again`;
  }
  const names = `It may be in ${script} script`;
  if (there.length > 0)
    return `${start}. ${names}: set the document’s language (${there.join(", ")} are here)`;
  return `${start}. ${names}, for which there is no data here: ${howToInstall(languagesInScript(script).slice(0, 1))}`;
}

/** Null if the reading fails: the page already has an earlier reading to fall back on. */
async function unlessUnreadable<T>(reading: Promise<T>): Promise<T | null> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof PageError || error instanceof UnreadableFileError) return null;
    throw error;
  }
}
