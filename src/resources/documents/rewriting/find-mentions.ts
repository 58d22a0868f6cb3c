import { setImmediate } from "node:timers/promises";
import type { Context } from "../../../context.ts";
import type { PageWord } from "../../../processing/pdfium/page-words.ts";
import { findPositions } from "../files/derived-assets.ts";
import type { PdfReadings } from "../files/pdf-reading-queue.ts";
import { findTextsFrom } from "../pages/page-texts.ts";
import type { DocumentRow } from "../store.ts";
import type { Mention } from "./mentions.ts";

/** The mentions on one page. */
export interface MentioningPage {
  /** Counts from 0. */
  page: number;
  mentions: Mention[];
  /** The number of mentions in the page's texts that are not in the list, because their position is unknown. */
  unplaced: number;
}

export interface FoundMentions {
  pages: MentioningPage[];
  /** The pages of this part of the document that have no text, so that nothing can be found on them. */
  withoutText: number[];
  /** The page at which the rest of the document begins; null at the end. */
  next: number | null;
}

/** What is looked for: how often a text has it, and where it stands on a page. */
export interface Sought {
  count(text: string): number;
  find(words: readonly PageWord[]): Mention[];
}

/** One answer reads the texts of so many pages at most, and the positions of so many. */
const maxPages = 320;
const maxPositions = 24;
/** A page with more is full of them. */
const maxMentions = 1000;

/**
 * Finds where something stands, on the pages from `start` on, as many as one answer may read. A page's own
 * text and that of its layer in the file are read in full, so that mentions without a position are counted.
 */
export async function findMentionsFrom(
  context: Pick<Context, "database" | "files">,
  pdfs: PdfReadings,
  document: DocumentRow,
  { sought, start }: { sought: Sought; start: number },
): Promise<FoundMentions> {
  const pages: MentioningPage[] = [];
  const withoutText: number[] = [];
  const end = Math.min(document.page_count, start + maxPages);
  let page = start;
  while (page < end) {
    const texts = await findTextsFrom(context.database.reader, document.id, page);
    // Pages that were never read have no row.
    const past = Math.min(end, texts.length === 0 ? end : (texts.at(-1)?.page ?? page) + 1);
    const byPage = new Map(texts.map((row) => [row.page, row]));
    for (; page < past; page++) {
      const { text = "", layer = "" } = byPage.get(page) ?? {};
      if (text.trim() === "") withoutText.push(page);
      const count = Math.max(sought.count(text), sought.count(layer ?? ""));
      if (count === 0) continue;
      if (pages.length === maxPositions) return { pages, withoutText, next: page };
      const asset = await findPositions(context, pdfs, document, page);
      const words = asset === null ? [] : wordsIn(asset.body);
      await setImmediate();
      const mentions = sought.find(words).slice(0, maxMentions);
      pages.push({ page, mentions, unplaced: Math.max(0, count - mentions.length) });
      // A page may have 20,000 words. Other requests are served in between.
      await setImmediate();
    }
  }
  return { pages, withoutText, next: end < document.page_count ? end : null };
}

/** The words of a page. Those that a client has sent may lack their orientation. */
function wordsIn(positions: Buffer): PageWord[] {
  const words = JSON.parse(positions.toString()) as (Omit<PageWord, "upright" | "direction"> &
    Partial<PageWord>)[];
  return words.map((word) => Object.assign({ upright: true, direction: 1 as const }, word));
}
