import type { Pdfium } from "../pdfium/pdfium.ts";

/** Fewer pages than this are found quickly enough when one of them is asked for. */
const minAhead = 200;
/** pdfium finds this many in about a millisecond, which is how long a question may have to wait. */
const pagesAtOnce = 64;
/** pdfium keeps the entry of each page that it has found: about 35 MB for so many. */
const maxPages = 50_000;

/**
 * Finds pages before they are asked for. To find a page for the first time, pdfium reads the entries of all pages
 * before it: a third of a second of processor time for page 25,000. A reader of a long document is likely to jump, so
 * its pages are found while nothing is asked.
 */
export class LookAhead {
  readonly #pdfium: Pick<Pdfium, "pageCount" | "pageSize">;
  /** The number of pages that pdfium has found. */
  #found = 0;
  /** Whether a page broke pdfium. */
  hasFailed = false;
  /** The number of pages to find, or 0. */
  #wanted = 0;

  constructor(pdfium: Pick<Pdfium, "pageCount" | "pageSize">) {
    this.#pdfium = pdfium;
  }

  /** Call this whenever a page has been read. Pages count from 0. */
  noteRead(page: number): void {
    this.#found = Math.max(this.#found, page + 1);
    const last = Math.min(this.#pdfium.pageCount, maxPages);
    this.#wanted = last - this.#found < minAhead ? 0 : last;
  }

  /** Finds some pages. Returns whether there are more to find. */
  step(): boolean {
    if (this.#found >= this.#wanted) return false;
    this.#found = Math.min(this.#found + pagesAtOnce, this.#wanted);
    if (this.#isReadable(this.#found - 1)) return this.#found < this.#wanted;
    this.#wanted = 0;
    return false;
  }

  /** A page that breaks pdfium is reported when somebody asks for one. */
  #isReadable(page: number): boolean {
    try {
      return this.#pdfium.pageSize(page) !== null;
    } catch {
      this.hasFailed = true;
      return false;
    }
  }
}
