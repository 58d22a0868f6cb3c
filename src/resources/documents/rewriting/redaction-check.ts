import { setImmediate } from "node:timers/promises";
import { promisify } from "node:util";
import { inflate } from "node:zlib";
import type { Writer } from "../../../database/database.ts";
import { type Box, runsUnder } from "../../../processing/pdf/flat-page.ts";
import type { PageWord } from "../../../processing/pdf/page-words.ts";
import { type PdfDocument, PageError, type PdfReader } from "../../../processing/pdf/pdf-pages.ts";
import { partOfPage } from "../../../search/parts.ts";
import { wordsInIndex } from "../../../search/text-index.ts";
import { plainWordsOf } from "../../../search/words.ts";
import { countsOf, foldedWords, wordsUnder } from "./hidden-words.ts";
import type { ReadPage } from "../pages/page-store.ts";

/*
 * Whether what was to be hidden is hidden, asked of the result and not of the way that it was made. Nothing here says
 * which word it found: what it says is kept, and shown.
 */

/** A page with boxes: what was under them, and what it was read as afterwards. */
export interface RedactedPage {
  page: number;
  boxes: readonly Box[];
  hidden: readonly PageWord[];
  read: ReadPage;
}

/** What was to be hidden can still be found, or something else is gone. The message says where, and not what. */
export class RedactionFailedError extends Error {
  override readonly name = "RedactionFailedError";

  static found(page: number, where: string): RedactionFailedError {
    const what = `What was to be hidden on page ${page + 1} can still be found ${where}`;
    return new RedactionFailedError(`${what}: nothing was published`);
  }
}

const inflated = promisify(inflate);

/** Shorter ones are in any file by chance. */
const minLength = 4;
/** At the edges of boxes, where an image is drawn anew. */
const marginPixels = 2;

/**
 * Of the new PDF, before it takes the place of the old one; both are open.
 *
 * @throws {RedactionFailedError}
 */
export async function checkRedactedFile(
  reader: PdfReader,
  { before, after, path }: { before: PdfDocument; after: PdfDocument; path: string },
  redacted: readonly RedactedPage[],
  signal: AbortSignal,
): Promise<void> {
  for (const { page, boxes } of redacted) {
    // Whoever does this has leases to renew.
    await setImmediate();
    signal.throwIfAborted();
    const { text, words } = await after.text(page);
    if (text !== "" || words.length > 0) throw RedactionFailedError.found(page, "in the text of the page");
    await checkPixels(after, page, boxes);
  }
  for (const one of redacted) {
    await setImmediate();
    checkReadPage(one);
  }
  const flat = new Set(redacted.map(({ page }) => page));
  const staying = new Set(redacted.flatMap(({ read }) => writtenWords(read.text)));
  for (let page = 0; page < after.facts.pageCount; page++) {
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
    for (const word of writtenWords(made)) staying.add(word);
  }
  for (const { page, hidden } of redacted) {
    const written = hidden.flatMap(({ text }) => writtenWords(text));
    const words = [...new Set(written.filter((word) => word.length >= minLength))];
    const found = await reader.find(path, { words, staying: [...staying] }, signal);
    if (found.length > 0) throw RedactionFailedError.found(page, "in the file");
  }
}

/** As they are written, for who compares them with bytes. */
const writtenWords = (text: string): string[] => text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];

async function textOf(pdf: PdfDocument, page: number): Promise<string> {
  try {
    return (await pdf.plainText(page)).text;
  } catch (error) {
    // It cannot be read in either.
    if (error instanceof PageError) return "";
    throw error;
  }
}

/** Of what the page was read as: none of the words where they were, and none in the text that was not seen elsewhere. */
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

/** Each pixel once, however many boxes lie on it. */
async function checkPixels(pdf: PdfDocument, page: number, boxes: readonly Box[]): Promise<void> {
  const { width, height, colors, pixels } = await pdf.flat(page, []);
  const indexes = await inflated(pixels);
  const isBlack = (index: number): boolean => {
    const at = (indexes[index] ?? 0) * 3;
    return (colors[at] ?? 255) + (colors[at + 1] ?? 255) + (colors[at + 2] ?? 255) < 24;
  };
  for (const { row, first, end } of runsUnder(boxes, width, height, -marginPixels)) {
    for (let index = row * width + first; index < row * width + end; index++) {
      if (!isBlack(index)) throw RedactionFailedError.found(page, "in its image");
    }
  }
}

/**
 * Of what the database has of it, in the transaction that publishes it.
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
  }
}
