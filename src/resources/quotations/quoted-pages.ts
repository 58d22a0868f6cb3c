import { setImmediate } from "node:timers/promises";
import type { Context } from "../../context.ts";
import type { PageWord } from "../../processing/pdfium/page-words.ts";
import { findPositions } from "../documents/files/derived-assets.ts";
import type { PdfReadings } from "../documents/files/pdf-reading-queue.ts";
import { findPageTexts } from "../documents/search/page-store.ts";
import { textsOf } from "../documents/pages/page-texts.ts";
import { boxesOf, isOnSameLine } from "../documents/rewriting/mentions.ts";
import type { DocumentRow } from "../documents/store.ts";
import { type QuotationTest, lettersOf } from "./find-quotation.ts";
import { type WrittenText, writtenText } from "./written-text.ts";

/** A quotation on a page. */
export interface FoundQuotation {
  /** Counts from 0. */
  page: number;
  /** As the page has it. */
  text: string;
  /** Empty if the position is unknown. */
  boxes: { x1: number; x2: number; y1: number; y2: number }[];
}

/** Of one document. */
export const maxMatches = 100;

/** The matches on the searched pages, and whether any of these pages has a text. */
export interface FoundOnPages {
  matches: FoundQuotation[];
  hasText: boolean;
}

/** Looks for a quotation on some pages of a document. */
export async function findOnPages(
  context: Pick<Context, "database" | "files">,
  pdfs: PdfReadings,
  document: DocumentRow,
  quotation: QuotationTest,
  pages: readonly number[],
): Promise<FoundOnPages> {
  const texts = new Map(
    (await findPageTexts(context.database, document.id, pages)).map(({ page, text }) => [page, text]),
  );
  const matches: FoundQuotation[] = [];
  let hasText = false;
  for (const page of pages) {
    if (matches.length >= maxMatches) break;
    const text = texts.get(page) ?? "";
    const asset = await findPositions(context, pdfs, document, page);
    const words = asset === null ? [] : (JSON.parse(asset.body.toString()) as PageWord[]);
    hasText ||= text.trim() !== "" || words.length > 0;
    for (const match of findOnPage(quotation, text, words)) matches.push({ page, ...match });
    // A page may have 20,000 words. Other requests are served in between.
    await setImmediate();
  }
  return { matches: matches.slice(0, maxMatches), hasText };
}

/** The pages of a document whose texts have the letters of a quotation, counting from 0, and whether any has a text. */
export async function findPossiblePages(
  { database }: Pick<Context, "database">,
  documentId: number,
  { letters }: QuotationTest,
): Promise<{ pages: number[]; hasText: boolean }> {
  const pages: number[] = [];
  let hasText = false;
  for await (const texts of textsOf(database.reader, documentId)) {
    for (const { page, text, layer } of texts) {
      hasText ||= text.trim() !== "";
      if ([text, layer ?? ""].some((one) => lettersOf(one).includes(letters))) pages.push(page);
    }
    if (pages.length >= maxMatches) break;
    await setImmediate();
  }
  return { pages, hasText };
}

/** Where a quotation stands on a page. Its text and its words are given; either may lack what the other has. */
export function findOnPage(
  quotation: QuotationTest,
  text: string,
  words: readonly PageWord[],
): Omit<FoundQuotation, "page">[] {
  const ofWords = new TextOfWords(words);
  const drawn = quotation.findIn(ofWords.written);
  if (drawn.length > 0) {
    return drawn.map(({ start, end }) => ({
      text: asShown(ofWords.written.source.slice(start, end)),
      boxes: ofWords.boxes(start, end),
    }));
  }
  const written = writtenText(text);
  return quotation.findIn(written).map(({ start, end }) => ({
    text: asShown(written.source.slice(start, end)),
    boxes: ofWords.boxesOfLetters(written.source, start, end),
  }));
}

const asShown = (text: string): string => text.replaceAll(/\s+/g, " ");

/** The words of a page as one text, in which positions are looked up. */
class TextOfWords {
  readonly #words: readonly PageWord[];
  readonly #starts: number[] = [];
  readonly written: WrittenText;

  constructor(words: readonly PageWord[]) {
    this.#words = words.map((word) => ({ ...word, ...lying(word), text: word.text.normalize("NFC") }));
    let text = "";
    for (const [index, word] of this.#words.entries()) {
      const before = this.#words[index - 1];
      if (before !== undefined) text += isOnSameLine(before, word) ? " " : "\n";
      this.#starts.push(text.length);
      text += word.text;
    }
    this.written = writtenText(text);
  }

  /** The boxes of a part of the text. */
  boxes(start: number, end: number): FoundQuotation["boxes"] {
    const parts = this.#words.flatMap(({ text }, index) => {
      const first = this.#starts[index] as number;
      const [from, to] = [Math.max(start, first), Math.min(end, first + text.length)];
      return from < to ? [{ index, from: (from - first) / text.length, to: (to - first) / text.length }] : [];
    });
    return boxesOf(this.#words, parts);
  }

  /**
   * The boxes of a part of another text of the page, in which words are divided otherwise. Empty unless its letters
   * stand as often in both.
   */
  boxesOfLetters(source: string, start: number, end: number): FoundQuotation["boxes"] {
    const letters = lettersOf(source.slice(start, end));
    const offsets: number[] = [];
    let own = "";
    for (const { 0: character, index } of this.written.source.matchAll(/[\p{L}\p{N}]/gu)) {
      const plain = lettersOf(character);
      own += plain;
      for (let unit = 0; unit < plain.length; unit++) offsets.push(index);
    }
    const others = startsOf(letters, lettersOf(source));
    const found = startsOf(letters, own);
    const nth = others.indexOf(lettersOf(source.slice(0, start)).length);
    const first = found[nth];
    if (found.length !== others.length || first === undefined) return [];
    return this.boxes(offsets[first] as number, (offsets[first + letters.length - 1] as number) + 1);
  }
}

function startsOf(part: string, text: string): number[] {
  const starts: number[] = [];
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) starts.push(at);
  return starts;
}

/** Words that a client has sent may lack their orientation. */
const lying = ({
  upright = true,
  direction = 1,
}: Partial<PageWord>): Pick<PageWord, "upright" | "direction"> => ({
  upright,
  direction,
});
