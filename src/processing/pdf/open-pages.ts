import { reasonOf } from "../../errors.ts";
import type { Box, FlatPage } from "./flat-page.ts";
import type { OutlineEntry } from "../pdfium/pdfium-outline.ts";
import type { PageText, PlainText } from "../pdfium/page-words.ts";
import type { LenientPdfFacts } from "./pdf-facts.ts";
import type { PageRaster } from "./pdf-page-reading.ts";
import { type PdfThread, type ReadingLimits, tooSlow } from "./pdf-thread.ts";
import type { PdfThreads } from "./pdf-threads.ts";
import type { PdfAnswers, PdfFinding, PdfQuestion } from "./pdf-messages.ts";
import type { SeenWords } from "./seen-words.ts";
import type { TimeLimit } from "../processor-time.ts";
import type { UnreadableKind } from "../unreadable-file.ts";
import { encodeWebp } from "./webp.ts";

/*
 * Reads PDFs page by page. Each open document has its own thread, so two documents use two cores, and no document waits
 * for the pages of another. A page that takes too much time or memory affects no other page: its thread is ended, and
 * the next page gets a new thread, in which the file is opened again.
 *
 * pdfium keeps fonts from page to page, which makes it fast, but its memory grows. So a page that fails in a thread
 * that has read other pages is tried once more in a new thread before it counts as broken.
 */

/** The formats of page images. */
export type ImageFormat = "gif" | "webp";

/** The pages of an open PDF. */
export interface PdfPages extends AsyncDisposable {
  /** The processor time spent so far on opening the document and on its answers. */
  readonly spentSeconds: number;
  /** Whether files are attached to the PDF or, as far as its pages have been read, pinned to them. */
  readonly hasAttachments: boolean;
  /**
   * Pages count from 0. Concurrent calls wait for one another, and the wait does not count towards the time limit.
   *
   * @throws {PageError}
   */
  text(page: number): Promise<PageText>;
  /**
   * The same without the positions of words, in half the time.
   *
   * @throws {PageError}
   */
  plainText(page: number): Promise<PlainText>;
  /**
   * The page's text, and the words of it that are visible.
   *
   * @throws {PageError}
   */
  seenWords(page: number): Promise<SeenWords>;
  /**
   * The document's own table of contents. It fails like the first page.
   *
   * @throws {PageError}
   */
  outline(): Promise<OutlineEntry[]>;
  /**
   * An image of the page, with this width in pixels (a whole number from 1) and a height in proportion. A page that
   * would have too many millions of pixels is smaller. A GIF if no format is given.
   *
   * @throws {PageError}
   */
  image(page: number, width: number, format?: ImageFormat): Promise<Uint8Array<ArrayBuffer>>;
  /**
   * The page in grey, for recognising its text. It has 300 dots per inch, or fewer if it would have too many millions
   * of pixels, and is turned clockwise by 0 to 3 quarter turns (0 if not given).
   *
   * @throws {PageError}
   */
  raster(page: number, quarterTurns?: number): Promise<PageRaster>;
  /**
   * The page in colour, drawn as {@link raster} draws it, with these boxes blackened.
   *
   * @throws {PageError}
   */
  flat(page: number, boxes: readonly Box[]): Promise<FlatPage>;
  /** Pending calls are rejected. */
  close(): Promise<void>;
}

/** An open PDF whose pages are all known. */
export interface PdfDocument extends PdfPages {
  readonly facts: LenientPdfFacts;
}

/** The failure of one page, which does not affect the others. The message is the reason, for a person. */
export class PageError extends Error {
  override readonly name = "PageError";
  /** Counting from 0. */
  readonly page: number;
  readonly kind: UnreadableKind;

  constructor(page: number, kind: UnreadableKind, reason: string) {
    super(reason);
    this.page = page;
    this.kind = kind;
  }
}

interface Opened<Answer> {
  thread: PdfThread;
  finding: PdfFinding<Answer>;
}

export type OpeningQuestion = Extract<PdfQuestion, { ask: "open" | "reopen" }>;

export async function openIn<Question extends OpeningQuestion>(
  threads: PdfThreads,
  question: Question,
  limit: TimeLimit,
): Promise<Opened<PdfAnswers[Question["ask"]]>> {
  const thread = await threads.take();
  try {
    return { thread, finding: await thread.ask(question, limit) };
  } catch (error) {
    await threads.end(thread);
    throw error;
  }
}

type PageQuestion = Extract<PdfQuestion, { page: number }>;

/**
 * pdfium keeps the contents of pages while the file is open. If its memory has grown by more than this, its thread is
 * ended before the next page. So a file with 500 MB of images takes no more memory than one with a few.
 */
const maxKeptMb = 256;

/** For a document with a time limit as a whole. */
const secondsForEachPage = 10;

interface PdfToRead {
  path: string;
  limits: ReadingLimits;
  limitOf: (seconds: number) => TimeLimit;
  threads: PdfThreads;
  facts?: LenientPdfFacts;
  whole?: { spentSeconds: number } | undefined;
}

export class ThreadedPdfPages implements PdfPages {
  spentSeconds: number;
  hasAttachments: boolean;
  readonly #facts: LenientPdfFacts | undefined;
  readonly #path: string;
  readonly #threads: PdfThreads;
  readonly #limits: ReadingLimits;
  readonly #limitOf: (seconds: number) => TimeLimit;
  readonly #wholeSeconds: number;
  #thread: PdfThread;
  #hasReadPages = false;
  /** The memory of pdfium after it had opened the file. */
  #openedMb: number;
  #unanswered = 0;
  #last: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  constructor({ path, limits, limitOf, threads, facts, whole }: PdfToRead, thread: PdfThread) {
    this.#path = path;
    this.#facts = facts;
    this.#limits = limits;
    this.#limitOf = limitOf;
    this.#threads = threads;
    this.spentSeconds = thread.answerSeconds + (whole?.spentSeconds ?? 0);
    this.#wholeSeconds =
      whole === undefined ? Infinity : limits.timeLimitSeconds + secondsForEachPage * (facts?.pageCount ?? 1);
    this.#thread = thread;
    this.hasAttachments = thread.hasAttachments;
    this.#openedMb = thread.memoryMb;
  }

  text(page: number): Promise<PageText> {
    return this.#enqueue({ ask: "text", page });
  }

  plainText(page: number): Promise<PlainText> {
    return this.#enqueue({ ask: "plain text", page });
  }

  seenWords(page: number): Promise<SeenWords> {
    return this.#enqueue({ ask: "seen words", page });
  }

  outline(): Promise<OutlineEntry[]> {
    return this.#enqueue({ ask: "outline", page: 0 });
  }

  async image(page: number, width: number, format: ImageFormat = "gif"): Promise<Uint8Array<ArrayBuffer>> {
    if (format === "gif") return this.#enqueue({ ask: "image", page, width });
    const webp = await this.#enqueue({ ask: "webp", page, width });
    return webp instanceof Uint8Array ? webp : encodeWebp(webp);
  }

  raster(page: number, quarterTurns = 0): Promise<PageRaster> {
    return this.#enqueue({ ask: "raster", page, quarterTurns });
  }

  flat(page: number, boxes: readonly Box[]): Promise<FlatPage> {
    return this.#enqueue({ ask: "flat", page, boxes });
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    if (this.#unanswered > 0) await this.#threads.end(this.#thread);
    else await this.#threads.giveBack(this.#thread);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #enqueue<Question extends PageQuestion>(question: Question): Promise<PdfAnswers[Question["ask"]]> {
    this.#unanswered += 1;
    const answered = (): void => {
      this.#unanswered -= 1;
    };
    const answer = this.#last.then(() => this.#answer(question));
    this.#last = answer.then(answered, answered);
    return answer;
  }

  async #answer<Question extends PageQuestion>(question: Question): Promise<PdfAnswers[Question["ask"]]> {
    const { page } = question;
    if (this.#facts !== undefined) checkPage(this.#facts, page);
    const hadReadPages = this.#hasReadPages && !this.#thread.hasEnded;
    const left = Math.min(this.#limits.timeLimitSeconds, this.#wholeSeconds - this.spentSeconds);
    const until = this.spentSeconds + left;
    let finding = await this.#ask(question, until);
    if (!("answer" in finding) && finding.kind !== "too-slow" && hadReadPages) {
      finding = await this.#ask(question, until);
    }
    if ("answer" in finding) return finding.answer;
    throw new PageError(page, finding.kind, finding.reason);
  }

  /** @param until the limit of {@link spentSeconds} for the answer */
  async #ask<Question extends PageQuestion>(
    question: Question,
    until: number,
  ): Promise<PdfFinding<PdfAnswers[Question["ask"]]>> {
    if (this.#isClosed) throw new Error("The PDF is closed");
    if (this.spentSeconds >= until) return tooSlow(this.#limits);
    if (this.#thread.memoryMb > this.#openedMb + maxKeptMb) await this.#threads.end(this.#thread);
    if (this.#thread.hasEnded) {
      const { thread, finding } = await openIn(
        this.#threads,
        { ask: "reopen", path: this.#path },
        this.#limitOf(until - this.spentSeconds),
      );
      this.spentSeconds += thread.answerSeconds;
      this.#thread = thread;
      this.#openedMb = thread.memoryMb;
      this.#hasReadPages = false;
      if (this.#isClosed) await this.#threads.end(thread);
      if (!("answer" in finding)) return this.#failed(finding);
      if (this.spentSeconds >= until) return tooSlow(this.#limits);
    }
    const finding = await this.#thread
      .ask(question, this.#limitOf(until - this.spentSeconds))
      .catch((error: unknown) => this.#lost(error));
    this.spentSeconds += this.#thread.answerSeconds;
    this.hasAttachments ||= this.#thread.hasAttachments;
    this.#hasReadPages = true;
    return "answer" in finding ? finding : this.#failed(finding);
  }

  /** A thread that ended without an answer makes the page broken, unless the document was closed. */
  #lost(error: unknown): { kind: UnreadableKind; reason: string } {
    if (this.#isClosed) throw error;
    return { kind: "broken", reason: `broken: reading it failed (${reasonOf(error)})` };
  }

  async #failed(finding: {
    kind: UnreadableKind;
    reason: string;
  }): Promise<{ kind: UnreadableKind; reason: string }> {
    await this.#threads.end(this.#thread);
    // The thread knows how much was left of the limit.
    return finding.kind === "too-slow" ? tooSlow(this.#limits) : finding;
  }
}

export class ThreadedPdfDocument extends ThreadedPdfPages implements PdfDocument {
  readonly facts: LenientPdfFacts;

  constructor(file: PdfToRead & { facts: LenientPdfFacts }, thread: PdfThread) {
    super(file, thread);
    this.facts = file.facts;
  }
}

/** @throws {PageError} */
function checkPage({ pageCount, pageSizes, brokenPages }: LenientPdfFacts, page: number): void {
  if (pageSizes[page] === undefined)
    throw new PageError(page, "broken", `has no page ${page + 1}, only ${pageCount}`);
  const known = brokenPages.find((broken) => broken.page === page);
  if (known !== undefined) throw new PageError(page, "broken", known.reason);
}
