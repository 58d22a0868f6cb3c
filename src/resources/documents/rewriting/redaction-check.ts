import { setImmediate } from "node:timers/promises";
import { promisify } from "node:util";
import { inflate } from "node:zlib";
import type { Writer } from "../../../database/database.ts";
import { type Box, type CodedBox, type FlatPage, runsUnder } from "../../../processing/pdf/flat-page.ts";
import type { PageWord } from "../../../processing/pdfium/page-words.ts";
import { type PdfDocument, PageError, type PdfReader } from "../../../processing/pdf/pdf-pages.ts";
import type { SeenWords } from "../../../processing/pdf/seen-words.ts";
import { partOfPage } from "../../../search/parts.ts";
import { wordsInIndex } from "../../../search/text-index.ts";
import { plainWordsOf } from "../../../search/words.ts";
import { countsOf, foldedWords, isTelling, wordsUnder, writtenWords } from "./hidden-words.ts";
import { isMentioned } from "../pages/mention-store.ts";
import type { ReadPage } from "../pages/page-store.ts";

/*
 * Checks that hidden content is really gone. The check examines the result, independently of how that was made. Its
 * messages never name a word that was found, because they are stored and shown.
 */

/** A page with boxes, the words under them, and the text that was recognised afterwards. */
export interface RedactedPage {
  page: number;
  boxes: readonly CodedBox[];
  hidden: readonly PageWord[];
  read: ReadPage;
}

/** Hidden content can still be found, or other content was lost. The message says where, but not which words. */
export class RedactionFailedError extends Error {
  override readonly name = "RedactionFailedError";

  static found(page: number, where: string): RedactionFailedError {
    const finding = `Hidden content of page ${page + 1} can still be found ${where}`;
    return new RedactionFailedError(`${finding}: nothing was published`);
  }
}

const inflated = promisify(inflate);

/** The tolerance at the edges of boxes when the page is drawn again. */
const marginPixels = 2;

/** A page with words that were hidden elsewhere: how many distinct ones are visible on it, and how many are not. */
export interface StandingPage {
  /** The page number, from 1. */
  page: number;
  seen: number;
  unseen: number;
}

/**
 * Checks how a redacted page looks in the new PDF. Under its boxes it has to look as one that has nothing but these
 * boxes and their codes: `alone` is such a page, for a page on which codes are shown.
 *
 * @throws {RedactionFailedError}
 */
export async function checkRedactedPage(
  after: PdfDocument,
  { page, boxes }: Pick<RedactedPage, "page" | "boxes">,
  alone: (like: FlatPage) => Promise<FlatPage>,
): Promise<void> {
  // The worker needs the event loop to renew its leases.
  await setImmediate();
  const { text, words } = await after.text(page);
  if (text !== "" || words.length > 0) throw RedactionFailedError.found(page, "in the text of the page");
  const flat = await after.flat(page, []);
  const isCoded = boxes.some(({ code = "" }) => code !== "");
  await checkPixels(page, boxes, flat, isCoded ? await alone(flat) : null);
}

/**
 * Checks the new PDF before it replaces the old one; both are open. A hidden word may be visible on other pages: the
 * result lists those. Invisible text may only contain hidden words that are visible elsewhere. Pages beyond
 * `pageCount`, which list what was withheld, are new.
 *
 * @throws {RedactionFailedError}
 */
export async function checkRedactedFile(
  reader: PdfReader,
  {
    before,
    after,
    path,
    pageCount,
  }: { before: PdfDocument; after: PdfDocument; path: string; pageCount: number },
  redacted: readonly RedactedPage[],
  signal: AbortSignal,
): Promise<StandingPage[]> {
  for (const redactedPage of redacted) {
    await setImmediate();
    checkReadPage(redactedPage);
  }
  const flat = new Set(redacted.map(({ page }) => page));
  const hidden = new Set(redacted.flatMap(({ hidden: words }) => foldedWords(words)).filter(isTelling));
  const standing: Standing[] = redacted.map(({ page, read }) =>
    standingOn(page, hidden, read.text, [read.text]),
  );
  const staying = new Set(redacted.flatMap(({ read }) => writtenWords(read.text)));
  for (let page = pageCount; page < after.facts.pageCount; page++)
    for (const written of writtenWords(await textOf(after, page))) staying.add(written);
  for (let page = 0; page < pageCount; page++) {
    signal.throwIfAborted();
    if (flat.has(page)) continue;
    const [old, made] = [await textOf(before, page), await textOf(after, page)];
    const [oldWords, words] = [plainWordsOf(old), plainWordsOf(made)];
    const counts = countsOf(words);
    for (const [word, count] of countsOf(oldWords)) {
      if ((counts.get(word) ?? 0) < count) {
        throw new RedactionFailedError(
          `Page ${page + 1}, which has nothing to hide, would not stay as it is`,
        );
      }
    }
    const joined = words.join(" ");
    // A page that contains no hidden word needs no further check.
    if (![...hidden].some((word) => joined.includes(word))) continue;
    const { text, seen } = await seenOn(after, page);
    standing.push(standingOn(page, hidden, text, seen));
    for (const written of seen.flatMap(writtenWords)) staying.add(written);
  }
  checkStanding(redacted, standing);
  for (const { page, hidden: ofPage } of redacted) {
    const words = [...new Set(ofPage.flatMap(({ text }) => writtenWords(text)).filter(isTelling))];
    const found = await reader.find(path, { words, staying: [...staying] }, signal);
    if (found.length > 0) throw RedactionFailedError.found(page, "in the file");
  }
  return standing
    .flatMap(({ page, seen, unseen }) => {
      const counts = { page: page + 1, seen: countTold(seen), unseen: countTold(unseen) };
      return counts.seen + counts.unseen > 0 ? [counts] : [];
    })
    .toSorted((one, other) => one.page - other.page);
}

/** The hidden words that a page contains. Pages count from 0. */
interface Standing {
  page: number;
  seen: ReadonlySet<string>;
  unseen: ReadonlySet<string>;
}

function standingOn(
  page: number,
  hidden: ReadonlySet<string>,
  text: string,
  seen: readonly string[],
): Standing {
  const visible = new Set(seen.flatMap(plainWordsOf).filter((word) => hidden.has(word)));
  const all = plainWordsOf(text).filter((word) => hidden.has(word));
  return { page, seen: visible, unseen: new Set(all.filter((word) => !visible.has(word))) };
}

/** A word that is visible anywhere is no secret. A hidden word that is left only in invisible text was overlooked. */
function checkStanding(redacted: readonly RedactedPage[], standing: readonly Standing[]): void {
  const visible = new Set(standing.flatMap(({ seen }) => [...seen]));
  const secret = (word: string): boolean => !visible.has(word);
  const pages = standing.filter(({ unseen }) => [...unseen].some(secret));
  if (pages.length === 0) return;
  const words = new Set(pages.flatMap(({ unseen }) => [...unseen].filter(secret)));
  const from = redacted.find(({ hidden }) => foldedWords(hidden).some((word) => words.has(word)));
  const numbers = pages.map(({ page }) => page + 1).toSorted((one, other) => one - other);
  throw RedactionFailedError.found(from?.page ?? 0, `in text that cannot be seen, on ${pagesNamed(numbers)}`);
}

/** Names the pages, at most 20 of them. */
function pagesNamed(numbers: readonly number[]): string {
  if (numbers.length === 1) return `page ${numbers[0]}`;
  const more = numbers.length > 20 ? ` and ${numbers.length - 20} more` : "";
  return `pages ${numbers.slice(0, 20).join(", ")}${more}`;
}

/** Shorter words are on nearly every page, so they are not counted. */
const minTold = 4;

const isTold = (word: string): boolean => word.length >= minTold || !/^[a-z]+$/.test(word);

const countTold = (words: ReadonlySet<string>): number => [...words].filter(isTold).length;

/** The hidden words that are reported if they are found elsewhere. */
export function reportedWords(redacted: readonly RedactedPage[]): string[] {
  const words = redacted.flatMap(({ hidden }) => foldedWords(hidden));
  return [...new Set(words)].filter((word) => isTelling(word) && isTold(word));
}

async function seenOn(pdf: PdfDocument, page: number): Promise<SeenWords> {
  try {
    return await pdf.seenWords(page);
  } catch (error) {
    // A page that cannot be drawn has no visible words.
    if (error instanceof PageError) return { text: await textOf(pdf, page), seen: [] };
    throw error;
  }
}

async function textOf(pdf: PdfDocument, page: number): Promise<string> {
  try {
    return (await pdf.plainText(page)).text;
  } catch (error) {
    // The page cannot be read in the old PDF either.
    if (error instanceof PageError) return "";
    throw error;
  }
}

/**
 * Checks the recognised text: no hidden word is where it was, or in the text without being visible elsewhere on the
 * page.
 */
function checkReadPage({ page, boxes, hidden, read }: RedactedPage): void {
  const seen = read.recognised?.words ?? [];
  const names = new Set(foldedWords(hidden));
  const under = new Set(wordsUnder(seen, boxes));
  const standing = foldedWords(seen.filter((word) => !under.has(word)));
  if (foldedWords([...under]).some((word) => names.has(word)))
    throw RedactionFailedError.found(page, "where it was");
  const layer = plainWordsOf(read.recognised?.layer ?? "");
  if (layer.length > 0) throw RedactionFailedError.found(page, "in the text that the file had");
  const visible = countsOf(standing);
  for (const [word, count] of countsOf(plainWordsOf(read.text))) {
    if (names.has(word) && count > (visible.get(word) ?? 0)) {
      throw RedactionFailedError.found(page, "in the text of the page");
    }
  }
}

/**
 * Checks that all pixels under boxes are black, or those of the page `alone`. Each pixel is checked once, however many
 * boxes cover it.
 */
async function checkPixels(
  page: number,
  boxes: readonly Box[],
  flat: FlatPage,
  alone: FlatPage | null,
): Promise<void> {
  const { width, height } = flat;
  if (alone !== null && (alone.width !== width || alone.height !== height))
    throw new Error("A page of boxes alone has another size than the page that it is compared with");
  const drawn = await partsOfPixels(flat);
  const expected = alone === null ? () => 0 : await partsOfPixels(alone);
  const isAsExpected = (index: number): boolean => {
    const difference = (part: 0 | 1 | 2): number => Math.abs(drawn(index, part) - expected(index, part));
    return difference(0) + difference(1) + difference(2) < 24;
  };
  for (const { row, first, end } of runsUnder(boxes, width, height, -marginPixels)) {
    for (let index = row * width + first; index < row * width + end; index++) {
      if (!isAsExpected(index)) throw RedactionFailedError.found(page, "in its image");
    }
  }
}

/** The red, green or blue of a pixel, by the pixel's index. */
async function partsOfPixels(flat: FlatPage): Promise<(index: number, part: 0 | 1 | 2) => number> {
  if ("shades" in flat) return (index, part) => flat.shades[index * 3 + part] ?? 255;
  const indexes = await inflated(flat.pixels);
  return (index, part) => flat.colors[(indexes[index] ?? 0) * 3 + part] ?? 255;
}

/**
 * Checks the database's rows, in the transaction that writes them.
 *
 * @throws {RedactionFailedError}
 */
export async function checkRedactedRows(
  writer: Writer,
  documentId: number,
  redacted: readonly RedactedPage[],
): Promise<void> {
  for (const { page, hidden, read } of redacted) {
    const row = await writer
      .selectFrom("document_pages")
      .select(["text", "layer", "words"])
      .where("document_id", "=", documentId)
      .where("page", "=", page)
      .executeTakeFirst();
    const words = JSON.stringify(read.recognised?.words ?? []);
    const isAsRead = row?.text === read.text && (row.layer ?? "") === "" && (row.words ?? "[]") === words;
    if (!isAsRead) throw RedactionFailedError.found(page, "in the database");
    const kept = new Set(plainWordsOf(read.text));
    const gone = foldedWords(hidden).filter((word) => !kept.has(word));
    const held = await wordsInIndex(writer, { documentId, part: partOfPage(page) }, gone);
    if (held.length > 0) throw RedactionFailedError.found(page, "in the index");
    if (await isMentioned(writer, documentId, page, gone))
      throw RedactionFailedError.found(page, "in the list of mentions");
  }
}
